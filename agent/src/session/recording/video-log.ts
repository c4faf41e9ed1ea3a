// Events of a terminal in asciicast v3: output, sizes, and who typed. What was typed is never among them.
import type { TerminalSize } from '../target.ts';
import { TypingMarks } from './typing-marks.ts';

export class VideoLog {
  private readonly decoder = new TextDecoder();
  private lastAt = 0;
  private readonly marks = new TypingMarks();

  /** First line of a part. */
  begin({ columns, rows }: TerminalSize, at: number): string {
    this.lastAt = at;
    const term = { cols: columns, rows, type: 'xterm-256color' };
    return `${JSON.stringify({ version: 3, term, timestamp: Math.floor(at / 1000) })}\n`;
  }

  output(bytes: Uint8Array, at: number): string {
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

  /** Times are differences of whole milliseconds, so that they do not drift. */
  private event(code: 'o' | 'r' | 'm', data: string, at: number): string {
    const interval = Math.max(0, at - this.lastAt) / 1000;
    this.lastAt = Math.max(at, this.lastAt);
    return `${JSON.stringify([interval, code, data])}\n`;
  }
}
