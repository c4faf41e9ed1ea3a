// One viewer of a session: encrypts what it gets, in the order of its stream, as far as it has given credit.
import { frameHeaderLength, streamLimits } from '@yagura/core/greac/stream/frame';
import type { StreamCode } from '@yagura/core/greac/stream/gateway-protocol';
import { recordOverhead, type StreamCipher } from '@yagura/core/greac/stream/stream-cipher';
import {
  decodeViewerMessage,
  encodeFileMessage,
  encodeViewerControl,
  type GatewayControl,
  maxViewerBody,
  type ViewerControl,
  type ViewerMode,
  viewerControl,
  viewerMessageTypes,
} from '@yagura/core/greac/stream/viewer-protocol';
import type { Channel } from '../link/channel.ts';
import type { TerminalSize } from './target.ts';

export interface ViewerIdentity {
  viewerId: string;
  displayName: string;
  /** What was asked for. */
  requestedMode: ViewerMode;
}

export interface ViewerEvents {
  typed(viewer: Viewer, bytes: Uint8Array): Promise<void>;
  control(viewer: Viewer, message: ViewerControl): void;
  file(viewer: Viewer, bytes: Uint8Array): void;
  /** Something was sent, or nothing waits any more: more of a file or a snapshot can be sent. */
  drained(viewer: Viewer): void;
  /** It sent something that the protocol does not know. */
  failed(viewer: Viewer, code: StreamCode): void;
}

/** Bytes of output that wait for the controlling viewer before the host is paused. */
const maxWaiting = 256 * 1024;
/** Bytes of output that wait for a watcher before it gets a new snapshot instead. */
const maxWatcherWaiting = 1024 * 1024;
/** Credit that files leave for the screen. */
const reservedCredit = streamLimits.credit / 4;
const minRecord = 1024;
const maxWaitingFiles = 8;
/** Bytes of files before which output of the screen may have to wait. */
const maxQueuedFiles = 48 * 1024;
const messageOverhead = recordOverhead + 1;
/** Output is joined here before it is encrypted, for one viewer at a time. */
const joinedOutput = new Uint8Array(1 + maxViewerBody);
joinedOutput[0] = viewerMessageTypes.terminal;

type Item = { control: GatewayControl } | { bytes: Uint8Array };

export class Viewer {
  readonly identity: ViewerIdentity;
  mode: ViewerMode = 'watch';
  wantsControl = false;
  size: TerminalSize | undefined;
  /** Output after the snapshot that is being made; undefined when there is none in the making. */
  afterSnapshot: Uint8Array[] | undefined;
  /** It was too slow: nothing is sent until it has caught up and gets a snapshot. */
  isSkipping = false;
  private readonly channel: Channel;
  private readonly cipher: StreamCipher<Uint8Array>;
  private readonly events: ViewerEvents;
  private items: Item[] = [];
  private files: Uint8Array[] = [];
  private waiting = 0;
  private isSending = false;
  /** Bytes of the last snapshot, which do not count as falling behind. */
  private snapshotBytes = 0;
  private isEnding = false;
  private input: Promise<void> = Promise.resolve();

  constructor(
    identity: ViewerIdentity,
    channel: Channel,
    cipher: StreamCipher<Uint8Array>,
    events: ViewerEvents,
  ) {
    this.identity = identity;
    this.channel = channel;
    this.cipher = cipher;
    this.events = events;
  }

  get id(): string {
    return this.identity.viewerId;
  }

  /** Too much output waits: a host under its control is paused. */
  get isBehind(): boolean {
    return this.waiting > maxWaiting + this.snapshotBytes;
  }

  /** Too much output waits for a watcher, besides all of the screen: a new screen is sooner there. */
  isLost(screenBytes = this.snapshotBytes): boolean {
    return this.waiting > maxWatcherWaiting + screenBytes;
  }

  get hasWaiting(): boolean {
    return this.items.length > 0;
  }

  /** A further piece of a file can be added. */
  get hasFileRoom(): boolean {
    return this.files.length < maxWaitingFiles;
  }

  /** All pieces of files have been sent. */
  get isFileSent(): boolean {
    return this.files.length === 0;
  }

  sendControl(control: GatewayControl): void {
    this.items.push({ control });
    this.send();
  }

  sendOutput(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.items.push({ bytes });
    this.waiting += bytes.length;
    this.send();
  }

  /** The screen as it is; what follows goes on from there. */
  sendSnapshot(size: TerminalSize, text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.snapshotBytes = bytes.length;
    this.sendControl({ type: 'snapshot', ...size });
    this.sendOutput(bytes);
  }

  /** Content of a file, at most `maxFileContent` bytes; sent when nothing else waits. */
  sendFile(transfer: number, content: Uint8Array): void {
    this.files.push(encodeFileMessage(transfer, content));
    this.send();
  }

  /** Forgets output that was not sent; control messages stay. */
  forgetOutput(): void {
    this.items = this.items.filter(
      (item) => 'control' in item && item.control.type !== 'snapshot' && item.control.type !== 'resize',
    );
    this.waiting = 0;
  }

  /** Credit has arrived, or a frame has left. */
  ready(): void {
    this.send();
  }

  received(record: Uint8Array): void {
    const { length } = record;
    let message: Uint8Array;
    try {
      message = this.cipher.open(record);
    } catch {
      this.events.failed(this, 'PROTOCOL');
      return;
    }
    this.input = this.input.then(async () => {
      try {
        await this.read(message);
      } catch {
        this.events.failed(this, 'PROTOCOL');
      }
      this.channel.consumed(length);
    });
  }

  /** Ends the stream after what waits. */
  end(): void {
    this.isEnding = true;
    this.send();
  }

  /** Ends the stream at once: nobody listens any more. */
  leave(): void {
    this.channel.end();
  }

  reset(code: StreamCode): void {
    this.channel.reset(code);
  }

  private async read(message: Uint8Array): Promise<void> {
    const decoded = decodeViewerMessage(message);
    if (!decoded) throw new Error('unknown message');
    const { type, body } = decoded;
    if (type === 'terminal') await this.events.typed(this, body);
    else if (type === 'file') this.events.file(this, body);
    else this.events.control(this, viewerControl.parse(JSON.parse(new TextDecoder().decode(body))));
  }

  private send(): void {
    if (this.isSending) return;
    this.isSending = true;
    // What arrives in one turn goes in one record.
    queueMicrotask(() => {
      this.isSending = false;
      this.sendAll();
    });
  }

  private sendAll(): void {
    for (let message = this.take(); message; message = this.take()) {
      if (!this.channel.sendFrame(this.cipher.seal(message, frameHeaderLength))) return;
      this.events.drained(this);
    }
    if (this.items.length > 0) return;
    if (this.isEnding) this.channel.end();
    // Also after output was forgotten, when there was nothing left to send.
    else this.events.drained(this);
  }

  /** The next message that there is room for. */
  private take(): Uint8Array | undefined {
    const room = this.channel.room - messageOverhead;
    const [first] = this.items;
    if (!first) return this.takeFile();
    if ('control' in first) {
      const message = encodeViewerControl(first.control);
      if (message.length - 1 > room) return undefined;
      this.items.shift();
      return message;
    }
    // A small remainder of credit is not worth a record, unless the output is small as well.
    const length = Math.min(room, maxViewerBody, this.waiting);
    if (length <= 0 || (length < minRecord && length < first.bytes.length)) return undefined;
    return this.takeOutput(length);
  }

  /** Output that was said in small pieces goes in one record. */
  private takeOutput(limit: number): Uint8Array {
    const joined = joinedOutput.subarray(1);
    let length = 0;
    for (let item = this.items[0]; item && 'bytes' in item && length < limit; item = this.items[0]) {
      const piece = item.bytes.subarray(0, limit - length);
      joined.set(piece, length);
      length += piece.length;
      if (piece.length === item.bytes.length) this.items.shift();
      else item.bytes = item.bytes.subarray(piece.length);
    }
    this.waiting -= length;
    return joinedOutput.subarray(0, 1 + length);
  }

  private takeFile(): Uint8Array | undefined {
    const [first] = this.files;
    if (!first || this.channel.queuedBytes > maxQueuedFiles) return undefined;
    if (this.channel.credit - reservedCredit < first.length + recordOverhead) return undefined;
    this.files.shift();
    return first;
  }
}
