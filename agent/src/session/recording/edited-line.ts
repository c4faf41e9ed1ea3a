// A line while it is written: the rows in which a terminal shows it, and the cursor in them. A line that is longer than
// the terminal is wide goes on in the next row, and shells move through these rows to edit a long command.
import { characterWidth } from './character-width.ts';

/** A cell that nothing was written to, or whose character was erased. */
const blank = '\0';
/** The second cell of a wide character, or the last one of a row that had no room for such a character. */
const covered = '';
/** A base character and the marks over it, in units of a string; further marks are left out. */
const maxCell = 16;

export class EditedLine {
  private columns: number;
  /** The cells while each has one unit of a string, which is fast; else they are in `cells`. */
  private plain = '';
  private cells: string[] | undefined;
  /** The cell that is written next. Rows follow one another: the second one begins with cell `columns`. */
  private cursor = 0;
  /** The last column was written: the cursor stays in its row until the next character (DEC autowrap). */
  private isWrapPending = false;
  /** First cell of the lowest row that the cursor has left. */
  private lowest = 0;
  /** The text when it was taken last. */
  private taken: string | undefined;

  constructor(columns: number) {
    this.columns = columns;
  }

  /** Changes the width of the rows, over which the cells are distributed anew. */
  resize(columns: number): void {
    this.columns = columns;
    this.isWrapPending &&= this.cursor % columns === 0;
    const last = Math.max(this.written, this.cursor + 1) - 1;
    this.lowest = last - (last % columns);
  }

  clear(): void {
    this.plain = '';
    this.cells = undefined;
    this.cursor = 0;
    this.isWrapPending = false;
    this.lowest = 0;
    this.taken = undefined;
  }

  /** It has one row, without text. */
  get isBlankRow(): boolean {
    return this.lowest === 0 && this.cursor < this.columns && this.texts().every((text) => text === '');
  }

  get isUntouched(): boolean {
    return this.plain === '' && !this.cells && this.cursor === 0 && this.lowest === 0;
  }

  /** Cells before the cursor, over all rows. */
  get length(): number {
    return this.cursor;
  }

  /** Column of the cursor, from 0. */
  get column(): number {
    return this.isWrapPending ? this.columns - 1 : this.cursor % this.columns;
  }

  /** The text of the line, unless it was taken before and has not changed since. */
  takeTexts(): string[] {
    const texts = this.texts();
    const all = texts.join('\n');
    if (all === this.taken) return [];
    this.taken = all;
    return texts;
  }

  /** Writes characters that have one unit of a string and one column each. */
  writePlain(text: string): void {
    const { plain, cursor } = this;
    if (this.cells || !this.isBesidePlain) for (const character of text) this.place(character, 1);
    else {
      const before = plain.slice(0, cursor).padEnd(cursor);
      this.plain = before + text + plain.slice(cursor + text.length);
      this.wrote(text.length);
    }
  }

  /** Writes one character. */
  write(character: string): void {
    const width = characterWidth(character);
    // A wide character is not divided between two rows.
    if (width === 2 && this.cursor % this.columns === this.columns - 1) this.place(covered, 1);
    if (width === 0) this.mark(character);
    else this.place(character, width);
  }

  /** To a column of the same row, between the margins. */
  moveTo(column: number): void {
    const start = this.rowStart;
    this.lowest = Math.max(this.lowest, start);
    this.cursor = start + Math.min(Math.max(0, column), this.columns - 1);
    this.isWrapPending = false;
  }

  /** To the same column of the lowest row of this line, from the one below. */
  enterFromBelow(column: number): void {
    this.cursor = this.lowest;
    this.moveTo(column);
  }

  /** Down by a number of rows, or up by a negative one. False if the line has no such row. */
  moveRows(rows: number): boolean {
    const { column } = this;
    this.moveTo(column);
    const start = this.rowStart + rows * this.columns;
    if (start < 0 || start > this.lowest) return false;
    this.cursor = start + column;
    return true;
  }

  /** Erases the row from the cursor on. */
  eraseRest(): void {
    if (this.isWrapPending) this.coverMargin();
    else this.erase(this.cursor, this.rowEnd);
  }

  /**
   * Takes a space in the last column for the filling that shells write where a wide character has no room: readline
   * erases it, zsh shows it in reverse video, and then they write the character.
   */
  coverMargin(): void {
    if (!this.isWrapPending) return;
    const cells = this.edited();
    if (cells[this.cursor - 1] === ' ') cells[this.cursor - 1] = covered;
  }

  /** Erases the row up to the cursor, inclusive. */
  eraseBefore(): void {
    this.erase(this.rowStart, this.rowStart + this.column + 1);
  }

  eraseRow(): void {
    this.erase(this.rowStart, this.rowEnd);
  }

  /** Erases this row from the cursor on, and the rows below. */
  eraseBelow(): void {
    this.erase(this.cursor, this.written);
  }

  eraseCharacters(count: number): void {
    this.erase(this.cursor, Math.min(this.cursor + count, this.rowEnd));
  }

  /** The rest of the row moves to the left. */
  deleteCharacters(count: number): void {
    const { cursor, rowEnd } = this;
    const removed = Math.min(count, rowEnd - cursor);
    if (removed <= 0 || cursor >= this.written) return;
    const cells = this.edited();
    this.cutWide(cursor, cursor + removed);
    if (cells.length > rowEnd) cells.splice(rowEnd, 0, ...blanks(removed));
    cells.splice(cursor, removed);
  }

  /** The rest of the row moves to the right, and out of it. */
  insertBlanks(count: number): void {
    const { cursor, rowEnd } = this;
    const inserted = Math.min(count, rowEnd - cursor);
    if (inserted <= 0 || cursor >= this.written) return;
    const cells = this.edited();
    this.cutWide(cursor, rowEnd - inserted);
    cells.splice(rowEnd - inserted, inserted);
    cells.splice(cursor, 0, ...blanks(inserted));
  }

  /** What the rows say, without spaces at the end: where the last column of a row was not written, a line ends. */
  private texts(): string[] {
    const { cells, columns } = this;
    if (!cells) return [this.plain.trimEnd()];
    const texts: string[] = [];
    let start = 0;
    for (let end = columns; end < cells.length; end += columns)
      if (cells[end - 1] === blank) {
        texts.push(textOf(cells.slice(start, end)));
        start = end;
      }
    return [...texts, textOf(cells.slice(start))];
  }

  /** First cell of the cursor's row. */
  private get rowStart(): number {
    return this.cursor - (this.isWrapPending ? this.columns : this.cursor % this.columns);
  }

  private get rowEnd(): number {
    return this.rowStart + this.columns;
  }

  /** Cells up to the last one that is not blank. */
  private get written(): number {
    return this.cells?.length ?? this.plain.length;
  }

  /** Only cells of one row are missing before the cursor, if any: spaces take their place. */
  private get isBesidePlain(): boolean {
    const { cursor, columns, plain } = this;
    return cursor <= plain.length || plain.length >= cursor - (cursor % columns);
  }

  private edited(): string[] {
    this.cells ??= [...this.plain];
    return this.cells;
  }

  private wrote(cells: number): void {
    this.cursor += cells;
    this.isWrapPending = this.cursor % this.columns === 0;
  }

  private place(cell: string, width: number): void {
    const { cursor } = this;
    const cells = this.edited();
    if (cursor < cells.length) this.cutWide(cursor, cursor + width);
    while (cells.length < cursor) cells.push(blank);
    cells[cursor] = cell;
    if (width === 2) cells[cursor + 1] = covered;
    this.wrote(width);
  }

  /** A combining mark joins the character before the cursor. */
  private mark(character: string): void {
    const cells = this.edited();
    let at = this.cursor - 1;
    while (cells[at] === covered) at--;
    const cell = cells[at];
    if (cell !== undefined && cell.length < maxCell) cells[at] = cell + character;
  }

  private erase(from: number, to: number): void {
    if (from >= Math.min(to, this.written)) return;
    if (!this.cells && to >= this.plain.length) {
      this.plain = this.plain.slice(0, from);
      return;
    }
    const cells = this.edited();
    this.cutWide(from, to);
    if (to >= cells.length) cells.length = from;
    else cells.fill(blank, from, to);
  }

  /** A wide character of which these cells have one half only loses the other one as well. */
  private cutWide(from: number, to: number): void {
    const cells = this.edited();
    const isSecondHalf = (at: number) =>
      cells[at] === covered && at > 0 && characterWidth(cells[at - 1]!) === 2;
    if (isSecondHalf(from)) cells[from - 1] = blank;
    if (isSecondHalf(to)) cells[to] = blank;
  }
}

function textOf(cells: readonly string[]): string {
  return cells.join('').replaceAll(blank, ' ').trimEnd();
}

function blanks(count: number): string[] {
  return Array<string>(count).fill(blank);
}
