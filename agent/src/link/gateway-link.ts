// The gateway's connection to the server: control messages and the channels of viewers and log uploads.
import { randomFillSync } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  decodeFrame,
  encodeFrame,
  type Frame,
  firstGatewayChannel,
  frameKinds,
  gatewayPath,
  gatewaySubprotocol,
  streamLimits,
} from '@yagura/core/greac/stream/frame';
import { FrameSender, type Priority } from '@yagura/core/greac/stream/frame-sender';
import {
  type GatewayMessage,
  type GatewayOrder,
  gatewayOrder,
  gatewayProtocols,
} from '@yagura/core/greac/stream/gateway-protocol';
import type { WebSocket } from 'ws';
import { version } from '../version.ts';
import { Channel, type ChannelHandlers } from './channel.ts';
import {
  type ConnectionDeps,
  type ConnectionHandlers,
  checkClock,
  connectionLimits,
  keepConnected,
  MessageReader,
} from './connection.ts';

export interface GatewayListener {
  hello(): Pick<Extract<GatewayMessage, { type: 'hello' }>, 'signingKey' | 'sessions'>;
  /** The version is agreed and messages can be sent. `serverTime` in milliseconds. */
  onReady(serverTime: number): void;
  onOrder(order: GatewayOrder): void;
  onClosed(): void;
}

const lastChannel = 0xffff_ffff;

interface Connection {
  sender: FrameSender;
  channels: Map<number, Channel>;
  isReady: boolean;
}

export class GatewayLink {
  private readonly deps: ConnectionDeps;
  private readonly listener: GatewayListener;
  private connection: Connection | undefined;
  private nextChannel = firstGatewayChannel;
  private isSendingData = false;
  private readonly reader: MessageReader<GatewayOrder>;

  constructor(deps: ConnectionDeps, listener: GatewayListener) {
    this.deps = deps;
    this.listener = listener;
    this.reader = new MessageReader(gatewayOrder, deps.log);
  }

  /** Keeps a connection until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const options = { path: gatewayPath, subprotocol: gatewaySubprotocol, ...connectionLimits };
    const begin = (socket: WebSocket) => this.begin(socket);
    const generateMask = (mask: Buffer) => this.generateMask(mask);
    return keepConnected(this.deps, { ...options, generateMask, begin }, signal);
  }

  get isReady(): boolean {
    return this.connection?.isReady ?? false;
  }

  /** Bytes for viewers so far, on this connection. */
  get interactiveBytes(): number {
    return this.connection?.sender.interactiveBytes ?? 0;
  }

  /** Whether the message could be handed to the connection. */
  send(message: GatewayMessage): boolean {
    if (!this.connection?.isReady) return false;
    this.sendControl(this.connection, message);
    return true;
  }

  /** Opens a channel of this connection; undefined without one, or if the number is taken. */
  openChannel(number: number, priority: Priority, handlers: ChannelHandlers): Channel | undefined {
    const { connection } = this;
    if (!connection?.isReady || connection.channels.has(number)) return undefined;
    const { sender, channels } = connection;
    const channel = new Channel(number, priority, sender, handlers, () => channels.delete(number));
    channels.set(number, channel);
    return channel;
  }

  /** Opens a channel for a log chunk. */
  openOwnChannel(handlers: ChannelHandlers): Channel | undefined {
    const number = this.nextChannel;
    this.nextChannel = number === lastChannel ? firstGatewayChannel : number + 1;
    return this.openChannel(number, 'bulk', handlers);
  }

  private begin(socket: WebSocket): ConnectionHandlers {
    let stream: Socket | undefined;
    socket.on('upgrade', (response) => {
      stream = response.socket;
    });
    const sender = new FrameSender({
      send: (bytes, done) => {
        this.isSendingData = bytes[0] === frameKinds.data;
        socket.send(bytes, done);
        this.isSendingData = false;
      },
      cork: () => stream?.cork(),
      uncork: () => stream?.uncork(),
    });
    const connection: Connection = { sender, channels: new Map(), isReady: false };
    return {
      opened: () => {
        this.connection = connection;
        const protocols = [...gatewayProtocols];
        this.sendControl(connection, { type: 'hello', version, protocols, ...this.listener.hello() });
      },
      received: (data, isBinary) => {
        const frame = isBinary ? decodeFrame(data) : null;
        if (frame) this.receive(connection, frame);
        else socket.close(1002);
      },
      ended: () => {
        const { isReady, channels } = connection;
        this.connection = undefined;
        connection.isReady = false;
        for (const channel of [...channels.values()]) channel.close();
        if (isReady) this.listener.onClosed();
        return isReady;
      },
    };
  }

  /**
   * Masks are there so that nobody can choose the bytes on the wire (RFC 6455 section 10.3). Data frames are encrypted
   * records and log chunks, of which nobody can, so that masking them would only take the time of another encryption.
   */
  private generateMask(mask: Buffer): void {
    if (this.isSendingData) mask.fill(0);
    else randomFillSync(mask);
  }

  private receive(connection: Connection, frame: Frame): void {
    if (frame.kind !== 'control') {
      // A channel that was just closed here may still get frames.
      connection.channels.get(frame.channel)?.receive(frame);
      return;
    }
    const order = this.reader.read(new TextDecoder().decode(frame.payload));
    if (!order) return;
    if (order.type === 'welcome') {
      checkClock(this.deps, order.serverTime);
      connection.isReady = true;
      this.listener.onReady(Date.parse(order.serverTime));
    } else if (connection.isReady) this.listener.onOrder(order);
  }

  private sendControl({ sender }: Connection, message: GatewayMessage): void {
    const payload = new TextEncoder().encode(JSON.stringify(message));
    if (payload.length > streamLimits.control) throw new Error(`message ${message.type} is too long`);
    sender.push('control', 0, encodeFrame('control', 0, payload));
  }
}
