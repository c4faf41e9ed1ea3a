// Turns output into lines of plain text with times: what the screen said, for reading and searching.
import { EditedLine } from './edited-line.ts';
import { maxLine, StampedLines } from './stamped-lines.ts';

const tabStop = 8;
/** Characters that have one column and one unit of a string each. */
const plainRun = /[ -~\u00a0-\u02ff]+/y;
/** Characters of any width. */
const otherRun = /[^\0-\u02ff]+/uy;
const lineFeed = 0x0a;
/** The first byte that is a part of a character only. */
const firstMultibyte = 0x80;

type State = 'text' | 'escape' | 'escape-intermediate' | 'csi' | 'string' | 'string-escape';

export class TextLog {
  private readonly decoder = new TextDecoder();
  private state: State = 'text';
  private params = '';
  private isReverse = false;
  private columns: number;
  private line: EditedLine;
  /** The line that was ended last, while it is the one above: the cursor can return to it. */
  private above: EditedLine | undefined;
  private stamp = { at: Number.NaN, bytes: Buffer.alloc(0), text: '' };
  /** The decoder may have the beginning of a character. */
  private mayBeCut = false;

  /** `columns` is the width of the terminal. */
  constructor(columns: number) {
    this.columns = columns;
    this.line = new EditedLine(columns);
  }

  /** A new width of the terminal, for what follows. */
  resize(columns: number): void {
    this.columns = columns;
    this.line.resize(columns);
    this.above?.resize(columns);
  }

  /** Complete lines of this output, each with a time and a line break. */
  add(output: Uint8Array, at: number): Uint8Array {
    const lines = new StampedLines(2 * output.length);
    for (let from = 0; from < output.length; ) {
      if (this.isAtStart) from = this.addPlainLines(lines, output, from, at);
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

  private addPlainLines(lines: StampedLines, output: Uint8Array, from: number, at: number): number {
    const next = lines.addPlain(output, from, this.stampOf(at).bytes);
    if (next > from) this.above = undefined;
    return next;
  }

  private decode(bytes: Uint8Array, at: number): string {
    if (bytes.length === 0) return '';
    this.mayBeCut = bytes.at(-1)! >= firstMultibyte;
    return this.read(this.decoder.decode(bytes, { stream: true }), at);
  }

  private read(text: string, at: number): string {
    let lines = '';
    for (let from = 0; from < text.length; ) {
      const isText = this.state === 'text';
      const plain = isText && matchAt(plainRun, text, from);
      const other = isText && !plain && matchAt(otherRun, text, from);
      const read = plain || other || String.fromCodePoint(text.codePointAt(from)!);
      if (plain) lines += this.addPlain(plain, at);
      else if (other) lines += this.addOther(other, at);
      else lines += this.readCharacter(read, at);
      from += read.length;
    }
    return lines;
  }

  /** Cells of a line from which on it is divided: those of whole rows. */
  private get maxCells(): number {
    return Math.ceil(maxLine / this.columns) * this.columns;
  }

  /** Nothing is known of the next line yet. */
  private get isAtStart(): boolean {
    return this.state === 'text' && this.line.isUntouched && !this.mayBeCut;
  }

  private addPlain(run: string, at: number): string {
    let lines = '';
    for (let rest = run; rest !== ''; ) {
      const piece = rest.slice(0, Math.max(1, this.maxCells - this.line.length));
      rest = rest.slice(piece.length);
      this.line.writePlain(piece);
      lines += this.divide(at);
    }
    return lines;
  }

  private addOther(run: string, at: number): string {
    let lines = '';
    for (const character of run) {
      this.line.write(character);
      lines += this.divide(at);
    }
    return lines;
  }

  /** Ends a line that has become too long. */
  private divide(at: number): string {
    return this.line.length >= this.maxCells ? this.finishLine(at) : '';
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
        else if (isIntermediate(character)) this.state = 'escape-intermediate';
        else return this.control(character, at);
        return '';
      case 'escape-intermediate':
        // Such as the choice of a character set, with which many programs end colors.
        if (!isIntermediate(character)) this.state = 'text';
        return '';
      case 'csi':
        if (character >= '@' && character <= '~') {
          this.state = 'text';
          return this.controlSequence(character, at);
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
    const { line } = this;
    switch (character) {
      case '\x1b':
        this.state = 'escape';
        return '';
      case '\n':
        return this.moveRows(1, at);
      case '\r':
        line.moveTo(0);
        return '';
      case '\b':
        line.moveTo(line.column - 1);
        return '';
      case '\t':
        line.moveTo((Math.floor(line.column / tabStop) + 1) * tabStop);
        return '';
      default:
        return '';
    }
  }

  /** An escape sequence of one character. */
  private control(character: string, at: number): string {
    switch (character) {
      case 'D':
        return this.moveRows(1, at);
      case 'E':
        this.line.moveTo(0);
        return this.moveRows(1, at);
      case 'M':
        return this.moveRows(-1, at);
      default:
        return 'c78'.includes(character) ? this.finishLine(at) : '';
    }
  }

  private controlSequence(final: string, at: number): string {
    const { line, params } = this;
    const count = Math.min(maxLine, Math.max(1, Number.parseInt(params, 10) || 1));
    switch (final) {
      case 'A':
        return this.moveRows(-count, at);
      case 'B':
        return this.moveRows(count, at);
      case 'C':
        line.moveTo(line.column + count);
        return '';
      case 'D':
        line.moveTo(line.column - count);
        return '';
      case 'E':
        line.moveTo(0);
        return this.moveRows(count, at);
      case 'F':
        line.moveTo(0);
        return this.moveRows(-count, at);
      case 'G':
        line.moveTo(count - 1);
        return '';
      case 'J':
        return this.eraseScreen(at);
      case 'K':
        this.eraseInRow();
        return '';
      case 'P':
        line.deleteCharacters(count);
        return '';
      case '@':
        line.insertBlanks(count);
        return '';
      case 'X':
        line.eraseCharacters(count);
        return '';
      case 'm':
        if (this.isReverse) line.coverMargin();
        this.isReverse = params === '7';
        return '';
      // Anywhere on the screen: what stood here is a line of the log.
      case 'H':
      case 'd':
      case 'f':
        return this.finishLine(at);
      case 'h':
      case 'l':
        return /^\?(47|1047|1049)$/.test(params) ? this.finishLine(at) : '';
      default:
        return '';
    }
  }

  private moveRows(rows: number, at: number): string {
    const { line, above } = this;
    if (line.moveRows(rows)) return '';
    if (rows === 1) return this.endLine(at);
    // Of other lines, nothing is known any more.
    if (rows > 0 || !above || !line.isBlankRow) return this.finishLine(at);
    this.line = above;
    this.above = undefined;
    above.enterFromBelow(line.column);
    return rows === -1 ? '' : this.moveRows(rows + 1, at);
  }

  private eraseInRow(): void {
    if (this.params === '' || this.params === '0') this.line.eraseRest();
    else if (this.params === '1') this.line.eraseBefore();
    else if (this.params === '2') this.line.eraseRow();
  }

  /** Shells erase what is below the text that they edit, or the screen before they show anything. */
  private eraseScreen(at: number): string {
    const isBelow = (this.params === '' || this.params === '0') && this.line.column > 0;
    if (!isBelow) return this.finishLine(at);
    this.line.eraseBelow();
    return '';
  }

  /** Ends the line by going on below it. */
  private endLine(at: number): string {
    const { line, above } = this;
    above?.clear();
    this.line = above ?? new EditedLine(this.columns);
    this.above = line;
    return this.stamped(line.takeTexts(), at);
  }

  /** Ends the line by going on anywhere else. */
  private finishLine(at: number): string {
    const texts = this.line.takeTexts();
    this.line.clear();
    this.above = undefined;
    return this.stamped(texts, at);
  }

  private stamped(texts: readonly string[], at: number): string {
    return texts.map((text) => (text === '' ? '' : `${this.stampOf(at).text}${text}\n`)).join('');
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

function isIntermediate(character: string): boolean {
  return character >= ' ' && character <= '/';
}

function matchAt(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0];
}

/** Where the line of `from` ends: after its line feed, if it has one. */
function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(lineFeed, from);
  return at < 0 ? bytes.length : at + 1;
}
