// The clipboard of a desktop (MS-RDPECLIP), text only. The gateway is the client: what the destination does not allow
// is not asked for and not given, whatever a viewer's browser does.
import { type ClipboardRefusal, maxClipboardText } from '@yagura/core/greac/stream/viewer-protocol';
import { ByteReader } from './byte-reader.ts';
import type { ChannelUser } from './static-channels.ts';

export interface ClipboardRules {
  /** From the desktop to the browser. */
  mayCopy: boolean;
  /** From the browser to the desktop. */
  mayPaste: boolean;
}

export interface ClipboardEvents {
  /** Text was copied on the desktop; null if it is too long. */
  copied(text: string | null): void;
  /** The desktop knows of the text that was offered. */
  taken(): void;
}

const types = {
  monitorReady: 1,
  formatList: 2,
  formatListResponse: 3,
  dataRequest: 4,
  dataResponse: 5,
  capabilities: 7,
} as const;
const succeeded = 1;
const failed = 2;
const unicodeText = 13;
const longNames = 2;
const shortName = 32;
const header = 8;

export class Clipboard implements ChannelUser {
  readonly name = 'cliprdr';
  /** Two bytes for each character and the end. */
  readonly maxLength = header + 2 * maxClipboardText + 2;
  private readonly rules: ClipboardRules;
  private readonly events: ClipboardEvents;
  private readonly send: (message: Buffer) => void;
  private isReady = false;
  private hasLongNames = false;
  private offered: string | null = null;
  /** The host has not answered an offer. */
  private isOffering = false;
  private request: 'none' | 'sent' | 'outdated' = 'none';

  constructor(rules: ClipboardRules, events: ClipboardEvents, send: (message: Buffer) => void) {
    this.rules = rules;
    this.events = events;
    this.send = send;
  }

  /** Lets the desktop paste a text. */
  offer(text: string): ClipboardRefusal | null {
    if (!this.rules.mayPaste) return 'not-allowed';
    if (!this.isReady) return 'unavailable';
    if (text.length > maxClipboardText) return 'too-long';
    this.offered = text.replaceAll('\0', '');
    this.isOffering = true;
    this.sendFormats();
    return null;
  }

  receive(message: Buffer | null): void {
    if (!message) {
      this.onText(null);
      return;
    }
    const reader = new ByteReader(message);
    const type = reader.u16le('clipboard.type');
    const flags = reader.u16le('clipboard.flags');
    const body = reader.take(reader.u32le('clipboard.length'), 'clipboard.length');
    switch (type) {
      case types.capabilities:
        this.onCapabilities(new ByteReader(body));
        break;
      case types.monitorReady:
        this.onReady();
        break;
      case types.formatList:
        this.onFormats(body);
        break;
      case types.formatListResponse:
        this.onFormatsTaken(flags);
        break;
      case types.dataRequest:
        this.onDataRequest(new ByteReader(body).u32le('clipboard.format'));
        break;
      case types.dataResponse:
        this.onText((flags & succeeded) === 0 ? '' : textOf(body));
        break;
      default:
    }
  }

  private onCapabilities(body: ByteReader): void {
    const count = body.u16le('clipboard.capabilities');
    body.take(2, 'clipboard.capabilities');
    for (let index = 0; index < count; index += 1) {
      const type = body.u16le('clipboard.capability');
      const length = body.u16le('clipboard.capability');
      const capability = new ByteReader(body.take(Math.max(length - 4, 0), 'clipboard.capability'));
      if (type !== 1) continue;
      capability.take(4, 'clipboard.version');
      this.hasLongNames = (capability.u32le('clipboard.generalFlags') & longNames) !== 0;
    }
  }

  private onReady(): void {
    const general = Buffer.alloc(16);
    general.writeUInt16LE(1, 0);
    general.writeUInt16LE(1, 4);
    general.writeUInt16LE(12, 6);
    general.writeUInt32LE(2, 8);
    general.writeUInt32LE(longNames, 12);
    this.sendMessage(types.capabilities, 0, general);
    this.isReady = true;
    this.sendFormats();
  }

  private onFormats(body: Buffer): void {
    this.sendMessage(types.formatListResponse, succeeded);
    this.offered = null;
    if (!this.rules.mayCopy || !this.formatsIn(body).includes(unicodeText)) return;
    if (this.request === 'none') this.requestText();
    // What the host is about to answer is no longer what it has.
    else this.request = 'outdated';
  }

  private onFormatsTaken(flags: number): void {
    if (!this.isOffering || (flags & succeeded) === 0) return;
    this.isOffering = false;
    this.events.taken();
  }

  private onDataRequest(format: number): void {
    if (this.offered === null || format !== unicodeText) {
      this.sendMessage(types.dataResponse, failed);
      return;
    }
    const text = this.offered.replaceAll(/\r?\n/g, '\r\n');
    this.sendMessage(types.dataResponse, succeeded, Buffer.from(`${text}\0`, 'utf16le'));
  }

  private onText(text: string | null): void {
    if (this.request === 'none') return;
    const isOutdated = this.request === 'outdated';
    this.request = 'none';
    if (isOutdated) this.requestText();
    else if (text !== '') this.events.copied(text);
  }

  private requestText(): void {
    this.request = 'sent';
    const format = Buffer.alloc(4);
    format.writeUInt32LE(unicodeText);
    this.sendMessage(types.dataRequest, 0, format);
  }

  private sendFormats(): void {
    const length = this.hasLongNames ? 6 : 4 + shortName;
    const list = Buffer.alloc(this.offered === null ? 0 : length);
    if (this.offered !== null) list.writeUInt32LE(unicodeText);
    this.sendMessage(types.formatList, 0, list);
  }

  private formatsIn(body: Buffer): number[] {
    const reader = new ByteReader(body);
    const formats: number[] = [];
    while (reader.left >= 4) {
      formats.push(reader.u32le('clipboard.format'));
      if (this.hasLongNames) while (reader.u16le('clipboard.formatName') !== 0);
      else reader.take(shortName, 'clipboard.formatName');
    }
    return formats;
  }

  private sendMessage(type: number, flags: number, body: Buffer = Buffer.alloc(0)): void {
    const head = Buffer.alloc(header);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt32LE(body.length, 4);
    this.send(Buffer.concat([head, body]));
  }
}

/** Text up to its end, with line breaks of one character. */
function textOf(body: Buffer): string {
  const text = body.toString('utf16le');
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).replaceAll('\r\n', '\n');
}
