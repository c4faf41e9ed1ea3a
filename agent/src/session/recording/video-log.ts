// Events of a terminal in asciicast v3: output, sizes, and who typed. What was typed is never among them.
import { isUtf8 } from 'node:buffer';
import type { TerminalSize } from '../target.ts';
import { TypingMarks } from './typing-marks.ts';

/** The first byte that is a part of a character only. */
const firstMultibyte = 0x80;

export class VideoLog {
  /** Called before each event is added; a part may begin. */
  onEvent: (at: number) => void = () => undefined;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The decoder may have the beginning of a character. */
  private mayBeCut = false;
  private lastAt = 0;
  private readonly marks = new TypingMarks();

  /** First line of a part. */
  begin({ columns, rows }: TerminalSize, at: number): string {
    this.lastAt = at;
    const term = { cols: columns, rows, type: 'xterm-256color' };
    return `${JSON.stringify({ version: 3, term, timestamp: Math.floor(at / 1000) })}\n`;
  }

  output(bytes: Uint8Array, at: number): Uint8Array | string {
    if (!this.mayBeCut && isUtf8(bytes)) return this.utf8Event(bytes, at);
    this.mayBeCut = bytes.at(-1)! >= firstMultibyte;
    const text = this.decoder.decode(bytes, { stream: true });
    return text === '' ? '' : this.event('o', text, at);
  }

  resize({ columns, rows }: TerminalSize, at: number): string {
    return this.event('r', `${columns}x${rows}`, at);
  }

  typed(label: string, at: number): string {
    return this.marks.isNew(label, at) ? this.event('m', label, at) : '';
  }

  /** What is left at the end. */
  end(at: number): string {
    const rest = this.decoder.decode();
    return rest === '' ? '' : this.event('o', rest, at);
  }

  private event(code: 'o' | 'r' | 'm', data: string, at: number): string {
    return `${JSON.stringify([this.interval(at), code, data])}\n`;
  }

  /**
   * JSON escapes characters of ASCII only. So the bytes are taken for Latin-1, which takes less time and memory than to
   * decode and encode them.
   */
  private utf8Event(utf8: Uint8Array, at: number): Uint8Array {
    const text = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString('latin1');
    return Buffer.from(this.event('o', text, at), 'latin1');
  }

  /** Times are differences of whole milliseconds, so that they do not drift. */
  private interval(at: number): number {
    this.onEvent(at);
    const interval = Math.max(0, at - this.lastAt) / 1000;
    this.lastAt = Math.max(at, this.lastAt);
    return interval;
  }
}
