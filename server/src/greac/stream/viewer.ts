// A viewer's WebSocket: one channel, whose credit is enforced in both directions.
import type { Duplex } from 'node:stream';
import {
  CreditWindow,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  encodeReset,
  type Frame,
  forwardFrame,
  type ReceivedFrame,
  readCredit,
  streamHeartbeatMs,
  streamSilenceMs,
  viewerChannel,
} from '@yagura/core/greac/stream/frame';
import { type StreamCode, streamCodes } from '@yagura/core/greac/stream/gateway-protocol';
import { type StreamBegin, streamBegin } from '@yagura/core/greac/stream/viewer-protocol';
import type { RawData, WebSocket } from 'ws';
import { isNestedDeeper } from '../../http/input/nesting-depth.ts';
import type { RequestContext } from '../../resource/request-context.ts';

/** Bytes for the viewer that its network has not taken; a slower viewer is disconnected. */
const maxUnsent = 1024 * 1024;
const maxBeginDepth = 3;

/** Receives what a viewer sends, once it is attached. */
export interface ViewerTarget {
  onData(frame: ReceivedFrame): void;
  onCredit(bytes: number): void;
}

export interface ViewerHandlers {
  /** The viewer has sent its first frame. */
  onBegin(begin: StreamBegin): void;
  /** Called once, when the stream is over for whatever reason. */
  onEnd(): void;
}

export interface ViewerDetails {
  sessionId: string;
  viewerId: string;
  userId: string;
  address: string;
}

export class Viewer implements ViewerDetails {
  readonly sessionId: string;
  readonly viewerId: string;
  readonly userId: string;
  readonly address: string;
  /** The viewer's rights at the last check. */
  context: RequestContext;
  private readonly socket: WebSocket;
  private readonly stream: Duplex;
  private readonly toViewer = new CreditWindow();
  private readonly toGateway = new CreditWindow();
  private target: ViewerTarget | undefined;
  /** What arrived before the gateway was ready; its size is bounded by the credit. */
  private early: ReceivedFrame[] = [];
  private earlyCredit = 0;
  private hasBegun = false;
  private isEnded = false;
  /** Heartbeats since something was last received. */
  private unanswered = 0;
  private readonly handlers: ViewerHandlers;

  /** `stream` is what the WebSocket writes to. */
  constructor(
    details: ViewerDetails,
    context: RequestContext,
    { socket, stream }: { socket: WebSocket; stream: Duplex },
    handlers: ViewerHandlers,
  ) {
    this.sessionId = details.sessionId;
    this.viewerId = details.viewerId;
    this.userId = details.userId;
    this.address = details.address;
    this.context = context;
    this.socket = socket;
    this.stream = stream;
    this.handlers = handlers;
    socket.on('error', () => socket.terminate());
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('pong', () => this.heard());
    socket.on('close', () => this.markEnded());
  }

  get isOpen(): boolean {
    return !this.isEnded && this.socket.readyState === this.socket.OPEN;
  }

  get isWaiting(): boolean {
    return this.isOpen && !this.hasBegun;
  }

  /** From now on frames of the viewer go to the gateway. */
  connect(target: ViewerTarget): void {
    this.target = target;
    for (const frame of this.early.splice(0)) target.onData(frame);
    if (this.earlyCredit > 0) target.onCredit(this.earlyCredit);
    this.earlyCredit = 0;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    if (this.socket.isPaused) this.socket.resume();
  }

  /** Ends the stream with a code. */
  end(code: StreamCode): void {
    if (this.isEnded) return;
    this.markEnded();
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.resume();
    this.socket.send(encodeReset(viewerChannel, streamCodes[code]));
    this.socket.close(1000, code);
  }

  /** Ends the stream because the server stops; the viewer tries again. */
  stop(): void {
    this.markEnded();
    this.socket.close(1001, 'the server stops');
  }

  terminate(): void {
    this.markEnded();
    this.socket.terminate();
  }

  /** Keeps proxies from closing an idle stream, and ends one whose other side has gone without a word. */
  heartbeat(): void {
    if (!this.isOpen) return;
    if (this.unanswered * streamHeartbeatMs >= streamSilenceMs) return void this.terminate();
    // What it sends, answers included, is not read while the socket is paused.
    if (!this.socket.isPaused) this.unanswered++;
    this.socket.ping();
    if (this.hasBegun) this.send(encodeCredit(viewerChannel, 0));
  }

  private heard(): void {
    this.unanswered = 0;
  }

  /** A data frame of the gateway; false if it has no credit for it. */
  sendData(frame: ReceivedFrame): boolean {
    const { length } = frame.payload;
    if (length === 0 || !this.toViewer.use(length)) return false;
    this.send(forwardFrame(frame, viewerChannel));
    return true;
  }

  /** Credit of the gateway; false if it is more than a gateway gives. */
  sendCredit(frame: Frame): boolean {
    const bytes = readCredit(frame);
    if (bytes === null || !this.toGateway.add(bytes)) return false;
    this.send(encodeFrame('credit', viewerChannel, frame.payload));
    return true;
  }

  private markEnded(): void {
    const wasEnded = this.isEnded;
    this.isEnded = true;
    this.target = undefined;
    this.early = [];
    if (!wasEnded) this.handlers.onEnd();
  }

  private send(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    if (this.socket.bufferedAmount > maxUnsent) return void this.end('CREDIT_EXCEEDED');
    // Frames that arrive together leave together.
    if (this.stream.writableCorked === 0) {
      this.stream.cork();
      process.nextTick(() => this.stream.uncork());
    }
    this.socket.send(bytes);
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.heard();
    if (this.isEnded) return;
    const frame = isBinary ? decodeFrame(data as Buffer) : null;
    if (frame?.channel !== viewerChannel) return void this.end('PROTOCOL');
    if (!this.hasBegun) return void this.receiveBegin(frame);
    if (frame.kind === 'data') return void this.receiveData(frame);
    if (frame.kind === 'credit') return void this.receiveCredit(frame);
    if (frame.kind === 'end' || frame.kind === 'reset') this.socket.close(1000);
    else this.end('PROTOCOL');
  }

  private receiveBegin({ kind, payload }: Frame): void {
    const begin = kind === 'control' ? readBegin(payload) : null;
    if (!begin) return void this.end('PROTOCOL');
    this.hasBegun = true;
    // Its program knows from the first one on that it can wait for more.
    this.send(encodeCredit(viewerChannel, 0));
    this.handlers.onBegin(begin);
  }

  private receiveData(frame: ReceivedFrame): void {
    const { length } = frame.payload;
    if (length === 0) return void this.end('PROTOCOL');
    if (!this.toGateway.use(length)) return void this.end('CREDIT_EXCEEDED');
    if (this.target) this.target.onData(frame);
    else this.early.push(frame);
  }

  private receiveCredit(frame: Frame): void {
    const bytes = readCredit(frame);
    if (bytes === null || !this.toViewer.add(bytes)) return void this.end('CREDIT_EXCEEDED');
    if (this.target) this.target.onCredit(bytes);
    else this.earlyCredit += bytes;
  }
}

function readBegin(payload: Uint8Array): StreamBegin | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    const parsed = isNestedDeeper(value, maxBeginDepth) ? undefined : streamBegin.safeParse(value);
    return parsed?.success ? parsed.data : null;
  } catch {
    return null;
  }
}
