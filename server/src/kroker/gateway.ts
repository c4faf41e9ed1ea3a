// A connected gateway: reads its frames, and passes control messages on in their order.
import type { Duplex } from 'node:stream';
import {
  controlChannel,
  decodeFrame,
  encodeFrame,
  type ReceivedFrame,
} from '@yagura/core/greac/stream/frame';
import { FrameSender } from '@yagura/core/greac/stream/frame-sender';
import {
  type GatewayHello,
  type GatewayMessage,
  type GatewayOrder,
  type GatewayReport,
  gatewayMessage,
  gatewayProtocols,
} from '@yagura/core/greac/stream/gateway-protocol';
import { closeCodes } from '@yagura/core/http/close-codes';
import type { RawData, WebSocket } from 'ws';
import { isNestedDeeper } from '../http/input/nesting-depth.ts';
import { type MessageWork, refusalReason } from '../http/socket-gate.ts';

/** Maximum nesting depth of a control message. */
const maxMessageDepth = 8;
/** Bytes of control messages that may wait; a gateway that reads slower is disconnected. */
const maxControlBytes = 8 * 1024 * 1024;
/** Work that may wait until the gateway's socket is paused. */
const maxWaitingWork = 64;

export interface GatewayHandlers {
  onHello(gateway: Gateway, hello: GatewayHello): Promise<void>;
  /** Called at once, in the order of arrival. If the work fails, the gateway is disconnected. */
  onReport(gateway: Gateway, report: GatewayReport): MessageWork;
  /** A frame of any kind but control; called at once, in the order of arrival. */
  onFrame(gateway: Gateway, frame: ReceivedFrame): MessageWork;
  onUnknown(gateway: Gateway, type: string): void;
  onFailure(gateway: Gateway, error: unknown): void;
  track(work: Promise<unknown>): void;
}

export interface GatewayIdentity {
  spaceId: string;
  krokerId: string;
  connectionId: string;
  displayName: string;
}

export class Gateway implements GatewayIdentity {
  readonly spaceId: string;
  readonly krokerId: string;
  readonly connectionId: string;
  readonly displayName: string;
  /** Ed25519 public key that log parts are signed with; empty before the hello. */
  signingKey = '';
  private readonly socket: WebSocket;
  private readonly sender: FrameSender;
  private readonly handlers: GatewayHandlers;
  private queue: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private isGreeted = false;

  /** `stream` is what the WebSocket writes to. */
  constructor(identity: GatewayIdentity, socket: WebSocket, stream: Duplex, handlers: GatewayHandlers) {
    this.spaceId = identity.spaceId;
    this.krokerId = identity.krokerId;
    this.connectionId = identity.connectionId;
    this.displayName = identity.displayName;
    this.socket = socket;
    this.handlers = handlers;
    this.sender = new FrameSender(
      {
        send: (bytes, done) => socket.send(bytes, done),
        cork: () => stream.cork(),
        uncork: () => stream.uncork(),
      },
      { maxBytes: maxControlBytes, onExceeded: () => socket.terminate() },
    );
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  get wasGreeted(): boolean {
    return this.isGreeted;
  }

  send(order: GatewayOrder): void {
    const payload = new TextEncoder().encode(JSON.stringify(order));
    this.sendFrame(controlChannel, encodeFrame('control', controlChannel, payload));
  }

  /** Queues a frame of a channel; `onSent` is called when it was handed to the network. */
  sendFrame(channel: number, frame: Uint8Array, onSent?: () => void): void {
    if (this.isOpen)
      this.sender.push(channel === controlChannel ? 'control' : 'interactive', channel, frame, onSent);
  }

  /** Forgets what the channel has not sent yet. */
  dropChannel(channel: number): void {
    this.sender.drop(channel);
  }

  /** Ends the connection because of an invalid message. */
  refuse(what: string): void {
    this.socket.close(closeCodes.malformed, refusalReason(what));
  }

  /** Runs work after that of everything received before. */
  run(work: () => Promise<unknown>): Promise<void> {
    this.waiting++;
    // Backpressure: what arrives faster than it is stored waits in the network, not in memory.
    if (this.waiting === maxWaitingWork) this.socket.pause();
    const done = this.queue
      .then(work)
      .catch((error: unknown) => {
        this.handlers.onFailure(this, error);
        // What was not acknowledged is sent again.
        this.socket.close(1011, 'try again');
      })
      .then(() => {
        this.waiting--;
        if (this.waiting < maxWaitingWork && this.socket.isPaused) this.socket.resume();
      });
    this.queue = done;
    this.handlers.track(done);
    return done;
  }

  receive(data: RawData, isBinary: boolean): void {
    if (!this.isOpen) return;
    const frame = isBinary ? decodeFrame(data as Buffer) : null;
    if (!frame) return void this.refuse('');
    const work = frame.kind === 'control' ? this.receiveControl(frame) : this.receiveFrame(frame);
    if (work) void this.run(work);
  }

  private receiveFrame(frame: ReceivedFrame): MessageWork {
    if (!this.isGreeted) return void this.refuse('');
    return this.handlers.onFrame(this, frame);
  }

  private receiveControl(frame: ReceivedFrame): MessageWork {
    if (frame.channel !== controlChannel) return void this.refuse('channel');
    const read = readMessage(frame.payload);
    if ('unknownType' in read) return void this.handlers.onUnknown(this, read.unknownType);
    if ('invalid' in read) return void this.refuse(read.invalid);
    const { message } = read;
    if ((message.type === 'hello') === this.isGreeted) return void this.refuse('type');
    if (message.type !== 'hello') return this.handlers.onReport(this, message);
    if (!gatewayProtocols.some((version) => message.protocols.includes(version)))
      return void this.refuse('protocols');
    this.isGreeted = true;
    this.signingKey = message.signingKey;
    return () => this.handlers.onHello(this, message);
  }
}

const knownTypes = new Set<unknown>(gatewayMessage.options.map(({ shape }) => shape.type.value));

function readMessage(
  payload: Uint8Array,
): { message: GatewayMessage } | { invalid: string } | { unknownType: string } {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return { invalid: '' };
  }
  if (isNestedDeeper(value, maxMessageDepth)) return { invalid: '' };
  const type = (value as { type?: unknown } | null)?.type;
  // A later version of the gateway may send more than this server understands.
  if (typeof type === 'string' && !knownTypes.has(type)) return { unknownType: type };
  const parsed = gatewayMessage.safeParse(value);
  return parsed.success
    ? { message: parsed.data }
    : { invalid: parsed.error.issues[0]?.path.join('.') ?? '' };
}
