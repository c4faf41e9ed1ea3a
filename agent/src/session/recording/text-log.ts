// Turns output into lines of plain text with times: what the screen said, for reading and searching.
import { maxLine, StampedLines } from './stamped-lines.ts';

const tabStop = 8;
/** Characters of which each is one column and one unit of a string. */
const plainRun = /[ -~]+/y;
const lineFeed = 0x0a;
/** The first byte that is a part of a character only. */
const firstMultibyte = 0x80;

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

export class TextLog {
  private readonly decoder = new TextDecoder();
  private state: State = 'text';
  private params = '';
  /** The line while it has only plain characters, which is fast; after others it is in `cells`. */
  private plain = '';
  private cells: string[] | undefined;
  private column = 0;
  private stamp = { at: Number.NaN, bytes: Buffer.alloc(0), text: '' };
  /** The decoder may have the beginning of a character. */
  private mayBeCut = false;

  /** Complete lines of this output, each with a time and a line break. */
  add(output: Uint8Array, at: number): Uint8Array {
    const lines = new StampedLines(2 * output.length);
    for (let from = 0; from < output.length; ) {
      if (this.isAtStart) from = lines.addPlain(output, from, this.stampOf(at).bytes);
      // Further plain lines can follow one that had begun before, but seldom one that is not plain.
      const end = this.isAtStart ? output.length : lineEnd(output, from);
      lines.addText(this.decode(output.subarray(from, end), at));
      from = end;
    }
    return lines.bytes;
  }

  /** What is left at the end. */
  end(at: number): string {
    return this.read(this.decoder.decode(), at) + this.finishLine(at);
  }

  private decode(bytes: Uint8Array, at: number): string {
    if (bytes.length === 0) return '';
    this.mayBeCut = bytes.at(-1)! >= firstMultibyte;
    return this.read(this.decoder.decode(bytes, { stream: true }), at);
  }

  private read(text: string, at: number): string {
    let lines = '';
    for (let from = 0; from < text.length; ) {
      plainRun.lastIndex = from;
      const run = this.state === 'text' && !this.cells ? plainRun.exec(text)?.[0] : undefined;
      const read = run ?? String.fromCodePoint(text.codePointAt(from)!);
      lines += run === undefined ? this.readCharacter(read, at) : this.addPlain(run, at);
      from += read.length;
    }
    return lines;
  }

  /** Nothing is known of the next line yet. */
  private get isAtStart(): boolean {
    return this.state === 'text' && this.plain === '' && !this.cells && this.column === 0 && !this.mayBeCut;
  }

  private addPlain(run: string, at: number): string {
    let lines = '';
    for (let rest = run; rest !== ''; ) {
      const piece = rest.slice(0, Math.max(1, maxLine - this.column));
      rest = rest.slice(piece.length);
      const before = this.plain.slice(0, this.column).padEnd(this.column);
      this.column += piece.length;
      this.plain = before + piece + this.plain.slice(this.column);
      if (this.column >= maxLine) lines += this.finishLine(at);
    }
    return lines;
  }

  private edited(): string[] {
    this.cells ??= [...this.plain];
    return this.cells;
  }

  private readCharacter(character: string, at: number): string {
    switch (this.state) {
      case 'text':
        return this.readText(character, at);
      case 'escape':
        this.state = 'text';
        if (character === '[') {
          this.state = 'csi';
          this.params = '';
        } else if (']PX^_'.includes(character)) this.state = 'string';
        else if ('DEMc78'.includes(character)) return this.finishLine(at);
        return '';
      case 'csi':
        if (character >= '@' && character <= '~') {
          this.state = 'text';
          return this.moveCursor(character, at);
        }
        if (this.params.length < 32) this.params += character;
        return '';
      case 'string':
        if (character === '\x07') this.state = 'text';
        else if (character === '\x1b') this.state = 'string-escape';
        return '';
      case 'string-escape':
        this.state = character === '\\' ? 'text' : 'string';
        return '';
    }
  }

  private readText(character: string, at: number): string {
    switch (character) {
      case '\x1b':
        this.state = 'escape';
        return '';
      case '\n':
        return this.finishLine(at);
      case '\r':
        this.column = 0;
        return '';
      case '\b':
        this.column = Math.max(0, this.column - 1);
        return '';
      case '\t':
        this.column = Math.min(maxLine, (Math.floor(this.column / tabStop) + 1) * tabStop);
        return '';
      default:
        if (character < ' ' || (character >= '\x7f' && character <= '\x9f')) return '';
        this.write(character);
        return this.column >= maxLine ? this.finishLine(at) : '';
    }
  }

  private write(character: string): void {
    const line = this.edited();
    while (line.length < this.column) line.push(' ');
    line[this.column++] = character;
  }

  private moveCursor(final: string, at: number): string {
    const count = Math.min(maxLine, Math.max(1, Number.parseInt(this.params, 10) || 1));
    switch (final) {
      case 'C':
        this.column = Math.min(maxLine - 1, this.column + count);
        return '';
      case 'D':
        this.column = Math.max(0, this.column - count);
        return '';
      case 'G':
        this.column = count - 1;
        return '';
      case 'K':
        if (this.params === '' || this.params === '0') this.edited().splice(this.column);
        return '';
      case 'P':
        this.edited().splice(this.column, count);
        return '';
      case '@':
        this.insertBlanks(count);
        return '';
      // Movements to other lines: what stood here is one line of the log.
      case 'A':
      case 'B':
      case 'E':
      case 'F':
      case 'H':
      case 'J':
      case 'd':
      case 'f':
      case 'h':
      case 'l':
        return /[hl]/.test(final) && !/^\?(47|1047|1049)$/.test(this.params) ? '' : this.finishLine(at);
      default:
        return '';
    }
  }

  private insertBlanks(count: number): void {
    const line = this.edited();
    if (this.column >= line.length) return;
    line.splice(this.column, 0, ...Array.from({ length: count }, () => ' '));
    line.splice(maxLine);
  }

  private finishLine(at: number): string {
    const text = (this.cells?.join('') ?? this.plain).trimEnd();
    this.plain = '';
    this.cells = undefined;
    this.column = 0;
    return this.stamped(text, at);
  }

  private stamped(text: string, at: number): string {
    return text === '' ? '' : `${this.stampOf(at).text}${text}\n`;
  }

  /** What stands before a line. */
  private stampOf(at: number): { bytes: Uint8Array; text: string } {
    if (this.stamp.at !== at) {
      const text = `${new Date(at).toISOString()}\t`;
      this.stamp = { at, bytes: Buffer.from(text), text };
    }
    return this.stamp;
  }
}

/** Where the line of `from` ends: after its line feed, if it has one. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(lineFeed, from);
  return at < 0 ? bytes.length : at + 1;
}
