// Removes from a host's output what a terminal does beside drawing: clipboard, titles, notifications, links, answers
// with text chosen by the host, window operations, printing. Viewers, screen and logs get what is left.
import { includesAny } from './plain-output.ts';

const esc = 0x1b;
const bell = 0x07;
const cancel = 0x18;
const substitute = 0x1a;
const enquiry = 0x05;
/** First byte of C1 controls in UTF-8. */
const c1Lead = 0xc2;

/** Bytes that are more than text. */
const specialBytes = [esc, c1Lead, enquiry];

/** OSC commands that change or ask for colors. */
const allowedOsc = /^(?:4|5|1[0-9]|104|105|11[0-9])(?:;|$)/;
/** Final bytes of CSI sequences that are removed: window operations and printing. */
const removedFinals = 'ti';
const nothing = new Uint8Array();
const maxOsc = 4096;
const maxCsi = 256;

type State = 'ground' | 'c1' | 'escape' | 'csi' | 'string' | 'string-c1' | 'string-escape';

export class OutputFilter {
  private state: State = 'ground';
  private held: number[] = [];
  /** Whether the string is an OSC that may be passed on. */
  private isOsc = false;
  private out: Uint8Array = nothing;
  private length = 0;

  /** The harmless part of the bytes; a sequence that is not complete waits for the next call. */
  filter(bytes: Uint8Array): Uint8Array {
    if (this.state === 'ground' && !includesAny(bytes, specialBytes)) return bytes;
    this.out = new Uint8Array(bytes.length + this.held.length);
    this.length = 0;
    let index = 0;
    while (index < bytes.length) {
      if (this.state === 'ground') {
        const start = index;
        while (index < bytes.length && !isSpecial(bytes[index]!)) index++;
        this.out.set(bytes.subarray(start, index), this.length);
        this.length += index - start;
        if (index === bytes.length) break;
      }
      this.read(bytes[index++]!);
    }
    const shown = this.out.subarray(0, this.length);
    this.out = nothing;
    return shown;
  }

  private read(byte: number): void {
    switch (this.state) {
      case 'ground':
        if (byte === enquiry) return;
        this.held = [byte];
        this.state = byte === esc ? 'escape' : 'c1';
        return;
      case 'c1':
        // The same as ESC and this byte minus 0x40 (ECMA-48 section 5.3).
        if (byte >= 0x80 && byte <= 0x9f) this.begin(byte - 0x40, byte);
        else this.restart(byte);
        return;
      case 'escape':
        if (byte === esc) this.held = [esc];
        else this.begin(byte, byte);
        return;
      case 'csi':
        this.readCsi(byte);
        return;
      default:
        this.readString(byte);
    }
  }

  /** The byte after ESC, or its C1 form, decides what kind of sequence this is. */
  private begin(kind: number, byte: number): void {
    this.held.push(byte);
    const letter = String.fromCharCode(kind);
    if (letter === '[') this.state = 'csi';
    else if (']PX^_'.includes(letter)) {
      this.state = 'string';
      this.isOsc = letter === ']';
    } else this.pass();
  }

  private readCsi(byte: number): void {
    if (byte === esc || byte === cancel || byte === substitute || this.held.length > maxCsi) {
      this.drop();
      if (byte === esc) this.read(byte);
      return;
    }
    this.held.push(byte);
    if (byte < 0x40 || byte > 0x7e) return;
    if (removedFinals.includes(String.fromCharCode(byte))) this.drop();
    else this.pass();
  }

  private readString(byte: number): void {
    if (this.state === 'string-escape') {
      this.state = 'string';
      if (byte === 0x5c) {
        this.endString([esc, byte]);
        return;
      }
      // Another sequence ends the string without completing it.
      this.drop();
      this.held = [esc];
      this.state = 'escape';
      this.read(byte);
      return;
    }
    if (this.state === 'string-c1') {
      this.state = 'string';
      if (byte === 0x9c) {
        this.endString([c1Lead, byte]);
        return;
      }
      this.hold(c1Lead);
    }
    if (byte === esc) this.state = 'string-escape';
    else if (byte === c1Lead) this.state = 'string-c1';
    else if (byte === bell && this.isOsc) this.endString([byte]);
    else if (byte === cancel || byte === substitute) this.drop();
    else this.hold(byte);
  }

  private endString(end: readonly number[]): void {
    const prefix = this.held.length > 0 ? 2 : 0;
    const text = String.fromCharCode(...this.held.slice(prefix, prefix + 16));
    if (this.isOsc && allowedOsc.test(text)) {
      this.held.push(...end);
      this.pass();
    } else this.drop();
  }

  private hold(byte: number): void {
    if (!this.isOsc) return;
    this.held.push(byte);
    if (this.held.length <= maxOsc) return;
    this.isOsc = false;
    this.held = [];
  }

  private pass(): void {
    this.ensure(this.held.length);
    this.out.set(this.held, this.length);
    this.length += this.held.length;
    this.drop();
  }

  private drop(): void {
    this.held = [];
    this.state = 'ground';
  }

  /** What was held is ordinary after all; the byte is read again. */
  private restart(byte: number): void {
    this.pass();
    if (isSpecial(byte)) this.read(byte);
    else {
      this.held = [byte];
      this.pass();
    }
  }

  private ensure(more: number): void {
    if (this.length + more <= this.out.length) return;
    const larger = new Uint8Array((this.length + more) * 2);
    larger.set(this.out.subarray(0, this.length));
    this.out = larger;
  }
}

function isSpecial(byte: number): boolean {
  return byte === esc || byte === c1Lead || byte === enquiry;
}
