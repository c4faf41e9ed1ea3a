// The connection of the RDP client: instead of a network, a stream of this page. The client opens it as a WebSocket.
import { DesktopFrames } from '@yagura/core/greac/stream/desktop-frames';
import { beginReply } from './begin-reply.ts';
import { BitmapCrop } from './bitmap-crop.ts';

/** Never resolved: the client only needs something to open. */
const address = 'ws://desktop.invalid/';

export class DesktopSocket extends EventTarget {
  static readonly address = address;
  binaryType = 'arraybuffer';
  readyState: number = WebSocket.CONNECTING;
  private readonly onSent: (bytes: Uint8Array) => void;
  private readonly onFrame: (frame: Uint8Array) => void;
  private readonly frames = new DesktopFrames();
  private readonly crop = new BitmapCrop();
  private hasBegun = false;
  private waiting: Uint8Array[] = [];
  private sent: Promise<void> = Promise.resolve();

  /** `onSent` gets what the client says to the host, `onFrame` each frame of the host. */
  constructor(onSent: (bytes: Uint8Array) => void, onFrame: (frame: Uint8Array) => void) {
    super();
    this.onSent = onSent;
    this.onFrame = onFrame;
  }

  /** The client has opened it. */
  open(): void {
    queueMicrotask(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event('open'));
    });
  }

  /** The client hands over each message as a Blob. */
  send(message: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>): void {
    if (this.readyState !== WebSocket.OPEN) return;
    if (this.hasBegun) {
      const reading = new Blob([message]).arrayBuffer();
      this.sent = this.sent.then(async () => this.onSent(new Uint8Array(await reading)));
      return;
    }
    this.hasBegun = true;
    this.deliver(beginReply());
    for (const waiting of this.waiting.splice(0)) this.deliver(waiting);
  }

  /**
   * Gives the client what the host says, each frame in a message of its own: after the connection is made, the client
   * forgets what it got in one message with the last frame of that. Throws for what is no frame.
   */
  receive(bytes: Uint8Array): void {
    for (const frame of this.frames.add(bytes)) {
      this.onFrame(frame);
      for (const cropped of this.crop.apply(frame)) {
        if (this.hasBegun) this.deliver(cropped);
        else this.waiting.push(cropped);
      }
    }
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code: 1000, wasClean: true }));
  }

  private deliver(bytes: Uint8Array): void {
    const data = bytes.slice().buffer;
    queueMicrotask(() => {
      if (this.readyState === WebSocket.OPEN) this.dispatchEvent(new MessageEvent('message', { data }));
    });
  }
}

/** Runs `connect`, whose WebSocket to `DesktopSocket.address` will be this one; all others stay what they are. */
export function withDesktopSocket<T>(socket: DesktopSocket, connect: () => Promise<T>): Promise<T> {
  const original = globalThis.WebSocket;
  const restore = () => {
    if (globalThis.WebSocket === replaced) globalThis.WebSocket = original;
  };
  const replaced = new Proxy(original, {
    construct(target, args: ConstructorParameters<typeof WebSocket>) {
      if (!String(args[0]).startsWith(address)) return new target(...args);
      restore();
      socket.open();
      return socket;
    },
  });
  globalThis.WebSocket = replaced;
  return connect().finally(restore);
}
