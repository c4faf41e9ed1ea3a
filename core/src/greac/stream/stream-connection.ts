// One WebSocket of a viewer: encrypts and decrypts its messages and keeps to the credit of both directions.
import type { Timers } from '../../live/timers.ts';
import {
  CreditWindow,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  type Frame,
  frameHeaderLength,
  readCredit,
  readReset,
  streamLimits,
  streamSilenceMs,
  viewerChannel,
  writeFrameHeader,
} from './frame.ts';
import { type StreamCode, streamCodeName } from './gateway-protocol.ts';
import { ReceiveCredit } from './receive-credit.ts';
import { type CipherResult, type RecordCipher, recordOverhead, StreamCipher } from './stream-cipher.ts';
import {
  decodeFileBody,
  decodeViewerMessage,
  encodeFileMessage,
  encodeViewerControl,
  encodeViewerMessage,
  type GatewayControl,
  gatewayControl,
  maxViewerBody,
  type StreamBegin,
  type ViewerControl,
} from './viewer-protocol.ts';

/** The part of a WebSocket that is used; browsers and undici implement it. */
export interface StreamSocket {
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface ConnectionHandlers {
  onControl(message: GatewayControl): void;
  /** `onParsed` returns the credit; calling it late slows the sender down. */
  onTerminal(bytes: Uint8Array, onParsed: () => void): void;
  /** An empty content is the end of the file. */
  onFile(transfer: number, content: Uint8Array, onStored: () => void): void;
  /** Called once. `code` is null if the connection was lost, or closed by this side. */
  onClose(code: StreamCode | null): void;
}

export interface ConnectionPlatform {
  createCipher(key: Uint8Array): RecordCipher<CipherResult>;
  now(): number;
  timers: Timers;
}

/** Credit is returned in steps of this many bytes, to save frames. */
const creditStep = streamLimits.credit / 4;

interface QueuedMessage {
  plaintext: Uint8Array;
  onSent(): void;
}

export class StreamConnection {
  private readonly socket: StreamSocket;
  private readonly handlers: ConnectionHandlers;
  private readonly cipher: StreamCipher<CipherResult>;
  private readonly sendWindow = new CreditWindow();
  private readonly receiveWindow = new CreditWindow();
  private readonly returnedCredit: ReceiveCredit;
  private consumedBytes = 0;
  /** What is typed goes before the content of files. */
  private readonly queues: Record<'first' | 'file', QueuedMessage[]> = { first: [], file: [] };
  private isOpen = false;
  private isClosed = false;
  private received: Promise<unknown> = Promise.resolve();
  private readonly platform: ConnectionPlatform;
  /** When the last frame arrived. */
  private heardAt = 0;
  private silenceTimer: unknown;

  constructor(
    socket: StreamSocket,
    begin: StreamBegin,
    streamSecret: Uint8Array,
    platform: ConnectionPlatform,
    handlers: ConnectionHandlers,
  ) {
    this.socket = socket;
    this.handlers = handlers;
    this.platform = platform;
    this.cipher = new StreamCipher(streamSecret, 'viewer', platform.createCipher);
    this.returnedCredit = new ReceiveCredit(platform.now);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.isOpen = true;
      socket.send(encodeFrame('control', viewerChannel, new TextEncoder().encode(JSON.stringify(begin))));
      this.flush();
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      const frame = data instanceof ArrayBuffer ? decodeFrame(new Uint8Array(data)) : null;
      if (!this.isClosed) this.receive(frame);
    };
    socket.onclose = () => this.finish(null);
    // A close event follows.
    socket.onerror = () => undefined;
  }

  sendControl(message: ViewerControl): Promise<void> {
    return this.enqueue('first', encodeViewerControl(message));
  }

  /** Resolves when all bytes are sent. */
  async sendTerminal(bytes: Uint8Array): Promise<void> {
    const parts: Promise<void>[] = [];
    for (let from = 0; from < bytes.length; from += maxViewerBody) {
      const part = bytes.subarray(from, from + maxViewerBody);
      parts.push(this.enqueue('first', encodeViewerMessage('terminal', part)));
    }
    await Promise.all(parts);
  }

  /** At most `maxFileContent` bytes; empty at the end of the file. */
  sendFile(transfer: number, content: Uint8Array): Promise<void> {
    return this.enqueue('file', encodeFileMessage(transfer, content));
  }

  close(): void {
    this.stop(null);
  }

  /** A promise of a connection that has closed stays pending: nothing more is to be done for it. */
  private enqueue(queue: 'first' | 'file', plaintext: Uint8Array): Promise<void> {
    return new Promise((onSent) => {
      this.queues[queue].push({ plaintext, onSent });
      this.flush();
    });
  }

  private flush(): void {
    while (this.isOpen && !this.isClosed) {
      const queue = this.queues.first.length > 0 ? this.queues.first : this.queues.file;
      const [next] = queue;
      if (!next || !this.sendWindow.use(next.plaintext.length + recordOverhead)) return;
      queue.shift();
      const frame = this.cipher.seal(next.plaintext, frameHeaderLength);
      if (frame instanceof Promise) void frame.then((sealed) => this.sendData(sealed, next));
      else this.sendData(frame, next);
    }
  }

  private sendData(frame: Uint8Array, { onSent }: QueuedMessage): void {
    if (this.isClosed) return;
    writeFrameHeader(frame, 'data', viewerChannel);
    this.socket.send(frame as Uint8Array<ArrayBuffer>);
    onSent();
  }

  private receive(frame: Frame | null): void {
    this.heardAt = this.platform.now();
    if (frame?.channel !== viewerChannel) this.stop('PROTOCOL');
    else if (frame.kind === 'data') this.receiveData(frame.payload);
    else if (frame.kind === 'credit') this.receiveCredit(readCredit(frame));
    else if (frame.kind === 'reset') this.finish(streamCodeName(readReset(frame)) ?? 'PROTOCOL');
    else if (frame.kind === 'end') this.finish('SESSION_CLOSED');
    else this.stop('PROTOCOL');
  }

  private receiveData(record: Uint8Array): void {
    if (!this.receiveWindow.use(record.length)) return void this.stop('CREDIT_EXCEEDED');
    const opened = this.open(record);
    if (opened instanceof Promise)
      this.received = opened.then(
        (plaintext) => this.isClosed || this.deliver(plaintext, record.length),
        () => this.stop('PROTOCOL'),
      );
    else if (opened) this.deliver(opened, record.length);
    else this.stop('PROTOCOL');
  }

  /** Null for an altered record, if that is known at once. */
  private open(record: Uint8Array): CipherResult | null {
    try {
      return this.cipher.open(record);
    } catch {
      return null;
    }
  }

  private receiveCredit(bytes: number | null): void {
    // Only a server that sends heartbeats is never silent for long.
    if (bytes === 0) this.silenceTimer ??= this.watchSilence(streamSilenceMs);
    if (bytes !== null && this.sendWindow.add(bytes)) this.flush();
    else this.stop('PROTOCOL');
  }

  private deliver(plaintext: Uint8Array, recordBytes: number): void {
    const message = decodeViewerMessage(plaintext);
    let isConsumed = false;
    const onConsumed = () => {
      if (!isConsumed) this.returnCredit(recordBytes);
      isConsumed = true;
    };
    const file = message?.type === 'file' ? decodeFileBody(message.body) : null;
    if (message?.type === 'terminal') this.handlers.onTerminal(message.body, onConsumed);
    else if (file) this.handlers.onFile(file.transfer, file.content, onConsumed);
    else {
      const control = message?.type === 'control' ? parseControl(message.body) : null;
      onConsumed();
      if (control) this.handlers.onControl(control);
      else this.stop('PROTOCOL');
    }
  }

  private returnCredit(bytes: number): void {
    this.consumedBytes += bytes;
    if (this.consumedBytes < creditStep || this.isClosed) return;
    const credit = this.returnedCredit.creditFor(this.consumedBytes);
    this.consumedBytes = 0;
    if (credit === 0) return;
    this.receiveWindow.add(credit);
    this.socket.send(encodeCredit(viewerChannel, credit));
  }

  /** A network that has gone away leaves a connection that looks open for hours. */
  private watchSilence(delayMs: number): unknown {
    const { now, timers } = this.platform;
    return timers.set(() => {
      const leftMs = this.heardAt + streamSilenceMs - now();
      if (leftMs <= 0) this.stop(null);
      else this.silenceTimer = this.watchSilence(leftMs);
    }, delayMs);
  }

  /** Ends once everything received before has been delivered. */
  private finish(code: StreamCode | null): void {
    void this.received.then(() => this.stop(code));
  }

  private stop(code: StreamCode | null): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.silenceTimer !== undefined) this.platform.timers.clear(this.silenceTimer);
    this.socket.close();
    this.handlers.onClose(code);
  }
}

function parseControl(body: Uint8Array): GatewayControl | null {
  try {
    return gatewayControl.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    return null;
  }
}
