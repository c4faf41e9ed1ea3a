// Draws a session in the user's terminal. Output passes through as it is, unless a watcher's terminal is smaller than the
// session: then the part of the screen around the cursor is drawn.

import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { Timers } from '@yagura/core/live/timers';
import { formatRow } from './screen-rows.ts';

/** The part of stdout that is used. */
export type TerminalScreen = Pick<NodeJS.WriteStream, 'on' | 'off' | 'columns' | 'rows'> & {
  write(bytes: Uint8Array | string, onWritten?: () => void): unknown;
};

interface Size {
  columns: number;
  rows: number;
}

/** The whole screen scrolls; setting the margins moves the cursor, which is put back. */
const resetMargins = '\x1b7\x1b[r\x1b8';
/**
 * Normal screen, lines that wrap, no mouse, no reports of the focus, no bracketed paste, normal keys, text that replaces,
 * visible cursor of the usual form, letters instead of lines (xterm control sequences). The soft reset at the beginning
 * does some of this, where a terminal knows it.
 */
export const resetModes =
  `\x1b[?47l\x1b[!p${resetMargins}\x1b[?7h\x1b[4l\x1b[?5l\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l` +
  '\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?2026l\x1b[?1l\x1b>\x1b[>4m\x1b[0 q\x1b[?25h\x1b(B\x0f\x1b[0m';
const clearScreen = '\x1b[!p\x1b[H\x1b[2J';
/** Rows are drawn on the alternate screen, and none of them wraps. */
const beginDrawing = `${resetModes}\x1b[?1049h\x1b[?7l${clearScreen}\x1b[?7l`;
const endDrawing = `\x1b[?7h\x1b[?1049l${clearScreen}`;
/** Milliseconds between two drawings. */
const drawIntervalMs = 33;

type Emulator = InstanceType<typeof headless.Terminal>;

export class SessionScreen {
  private readonly screen: TerminalScreen;
  private readonly timers: Timers;
  /** The size of the session; unknown before the first snapshot. */
  private size: Size | undefined;
  /** Follows the output while this user watches. */
  private emulator: Emulator | undefined;
  private serializer: InstanceType<typeof serialize.SerializeAddon> | undefined;
  private isCursorHidden = false;
  /** Chunks that the emulator has not parsed. */
  private parsing = 0;
  /** The rows that the terminal shows; undefined while output passes through. */
  private drawn: string[] | undefined;
  private origin = { top: 0, left: 0 };
  private drawTimer: ReturnType<Timers['set']> | undefined;
  /** This user has control, which `setControl` changes. */
  hasControl = false;
  /** Lines of this program that cover the last rows. */
  private notice: string[] = [];

  constructor(screen: TerminalScreen, timers: Timers) {
    this.screen = screen;
    this.timers = timers;
  }

  /** What follows draws everything anew. */
  snapshot(size: Size): void {
    this.size = size;
    this.stopEmulator();
    this.screen.write(clearScreen);
    if (!this.hasControl) this.startEmulator(size);
    this.update();
  }

  resizeSession(size: Size): void {
    this.size = size;
    const { emulator } = this;
    if (!emulator) return;
    // In its turn among the output.
    this.parsing++;
    emulator.write('', () => {
      emulator.resize(size.columns, size.rows);
      this.onParsed(emulator);
    });
  }

  /** The user's terminal has another size. */
  resizeScreen(): void {
    if (this.drawn) this.drawn = [];
    this.update();
  }

  /** Who has control decides the size, and needs no emulator. */
  setControl(hasControl: boolean): void {
    if (hasControl === this.hasControl) return;
    this.hasControl = hasControl;
    if (!hasControl && this.size && !this.emulator) this.startEmulator(this.size);
    this.update();
  }

  write(bytes: Uint8Array, onWritten: () => void): void {
    const { emulator } = this;
    if (!emulator) return void this.screen.write(bytes, onWritten);
    const passed = this.drawn ? undefined : new Promise<void>((resolve) => this.screen.write(bytes, resolve));
    this.parsing++;
    emulator.write(bytes, () => {
      this.onParsed(emulator);
      if (passed) void passed.then(onWritten);
      else onWritten();
    });
  }

  /** Prints lines of this program among those of the session. */
  print(text: string): void {
    if (!this.drawn) return void this.screen.write(`\r\n${text.replaceAll('\n', '\r\n')}\r\n`);
    this.notice = text.split('\n');
    this.draw();
  }

  /** The user has read what was printed. */
  dismissNotice(): void {
    if (this.notice.length === 0) return;
    this.notice = [];
    this.draw();
  }

  stop(): void {
    this.stopEmulator();
  }

  private get fits(): boolean {
    const { size, screen } = this;
    return !size || !(size.columns > screen.columns || size.rows > screen.rows);
  }

  private onParsed(emulator: Emulator): void {
    if (this.emulator !== emulator) return;
    this.parsing--;
    this.update();
  }

  /** Draws, or lets the output pass, as the sizes require. */
  private update(): void {
    if (!this.emulator) return;
    if (this.fits) {
      // What is not parsed would be missing.
      if (this.drawn && this.parsing === 0) this.letPass();
      if (!this.drawn && this.hasControl) this.stopEmulator();
      return;
    }
    if (!this.drawn) {
      this.drawn = [];
      this.screen.write(beginDrawing);
    }
    this.drawTimer ??= this.timers.set(() => {
      this.drawTimer = undefined;
      this.draw();
    }, drawIntervalMs);
  }

  private letPass(): void {
    const whole = this.serializer!.serialize({ scrollback: 0 });
    this.stopDrawing();
    this.screen.write(`${endDrawing}${whole}\x1b[?25${this.isCursorHidden ? 'l' : 'h'}`);
  }

  private draw(): void {
    const { emulator, drawn, screen } = this;
    if (!emulator || !drawn) return;
    const width = Math.min(screen.columns, emulator.cols);
    const height = Math.min(screen.rows, emulator.rows);
    const buffer = emulator.buffer.active;
    const { cursorX, cursorY } = buffer;
    const top = follow(this.origin.top, Math.min(cursorY, emulator.rows - 1), height, emulator.rows);
    const column = Math.min(cursorX, emulator.cols - 1);
    // Lines begin at the left: a program that moved the cursor to the right for a moment must not hide that part.
    const left = column < width ? 0 : follow(this.origin.left, column, width, emulator.cols);
    this.origin = { top, left };
    const rows = Array.from({ length: height }, (_, row) => formatRow(buffer, top + row, left, width));
    const lines = this.notice.slice(0, height);
    rows.splice(height - lines.length, lines.length, ...lines.map((line) => `\x1b[7m${line}\x1b[0m`));
    let text = '';
    for (const [row, content] of rows.entries())
      if (content !== drawn[row]) text += `\x1b[${row + 1};1H\x1b[0m\x1b[2K${content}`;
    if (screen.rows > height && drawn.length === 0) text += `\x1b[${height + 1};1H\x1b[0m\x1b[J`;
    this.drawn = rows;
    const { applicationCursorKeysMode, applicationKeypadMode, bracketedPasteMode } = emulator.modes;
    const modes =
      `\x1b[?1${applicationCursorKeysMode ? 'h' : 'l'}\x1b${applicationKeypadMode ? '=' : '>'}` +
      `\x1b[?2004${bracketedPasteMode ? 'h' : 'l'}`;
    const cursor = `\x1b[${cursorY - top + 1};${cursorX - left + 1}H\x1b[?25${this.isCursorHidden ? 'l' : 'h'}`;
    screen.write(`\x1b[?25l${text}${modes}${cursor}`);
  }

  private startEmulator({ columns, rows }: Size): void {
    const emulator = new headless.Terminal({
      ...{ cols: columns, rows, allowProposedApi: true, scrollback: 0 },
    });
    this.serializer = new serialize.SerializeAddon();
    emulator.loadAddon(this.serializer);
    this.isCursorHidden = false;
    for (const final of ['h', 'l'])
      emulator.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
        // DECTCEM
        if (parameters.includes(25)) this.isCursorHidden = final === 'l';
        return false;
      });
    this.parsing = 0;
    this.origin = { top: 0, left: 0 };
    this.emulator = emulator;
  }

  /** It still parses what it was given, which ends the waiting for it. */
  private stopEmulator(): void {
    if (this.drawn) this.screen.write(endDrawing);
    this.stopDrawing();
    this.emulator = undefined;
  }

  private stopDrawing(): void {
    if (this.drawTimer !== undefined) this.timers.clear(this.drawTimer);
    this.drawTimer = undefined;
    this.drawn = undefined;
    this.notice = [];
  }
}

/** The first of `length` of `all` rows or columns that shows `position`, as near to the last first one as possible. */
function follow(first: number, position: number, length: number, all: number): number {
  const lowest = Math.max(0, position - length + 1);
  return Math.min(Math.max(first, lowest), position, all - length);
}
