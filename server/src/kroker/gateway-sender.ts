// Sends the frames of many channels over one socket: control messages first, then the channels in turns.

/** Bytes handed to the socket that it has not passed on yet; the rest waits here, where its turn can still change. */
const maxInFlight = 64 * 1024;
/** Bytes of control messages that may wait; a gateway that reads slower is disconnected. */
const maxControlBytes = 8 * 1024 * 1024;
const controlChannel = 0;

export interface FrameSocket {
  send(bytes: Uint8Array, done: (error?: Error | null) => void): void;
  terminate(): void;
}

interface QueuedFrame {
  bytes: Uint8Array;
  onSent: (() => void) | undefined;
}

export class GatewaySender {
  private readonly socket: FrameSocket;
  private readonly control: QueuedFrame[] = [];
  private readonly channels = new Map<number, QueuedFrame[]>();
  private controlBytes = 0;
  private inFlight = 0;

  constructor(socket: FrameSocket) {
    this.socket = socket;
  }

  /** The frames of one channel keep their order. */
  push(channel: number, bytes: Uint8Array, onSent?: () => void): void {
    const frame = { bytes, onSent };
    if (channel === controlChannel) {
      this.control.push(frame);
      this.controlBytes += bytes.length;
      if (this.controlBytes > maxControlBytes) return void this.socket.terminate();
    } else {
      const queue = this.channels.get(channel);
      if (queue) queue.push(frame);
      else this.channels.set(channel, [frame]);
    }
    this.pump();
  }

  /** Forgets what the channel has not sent yet. */
  drop(channel: number): void {
    this.channels.delete(channel);
  }

  private pump(): void {
    while (this.inFlight < maxInFlight) {
      const next = this.take();
      if (!next) return;
      const { length } = next.bytes;
      this.inFlight += length;
      this.socket.send(next.bytes, () => {
        this.inFlight -= length;
        next.onSent?.();
        this.pump();
      });
    }
  }

  private take(): QueuedFrame | undefined {
    const control = this.control.shift();
    if (control) {
      this.controlBytes -= control.bytes.length;
      return control;
    }
    const [turn] = this.channels;
    if (!turn) return undefined;
    const [channel, queue] = turn;
    const next = queue.shift();
    // The channel goes to the end of the line.
    this.channels.delete(channel);
    if (queue.length > 0) this.channels.set(channel, queue);
    return next;
  }
}
