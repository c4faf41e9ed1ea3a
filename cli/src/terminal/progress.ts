// Progress on stderr: a line updated in place on a terminal, otherwise a new line when the text changes.
import { createMeasure } from './measure.ts';
import { printMessage, type Terminal } from './terminal.ts';

const barWidth = 24;
/** Counts each character outside ASCII as a wide one: a line may be cut early, but does not overflow. */
const measure = createMeasure(
  (text) => [...text].reduce((sum, character) => sum + (character <= '\x7e' ? 1 : 2), 0),
  (text) => [...text],
);

export class Progress {
  readonly #terminal: Terminal;
  #last = '';
  #open = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Draws the bar for the completed fraction; without a total there is no bar. */
  show(text: string, done: number, all: number): void {
    if (text === this.#last) return;
    this.#last = text;
    if (!this.#inPlace()) {
      printMessage(this.#terminal, text);
      return;
    }
    const full = all > 0 ? Math.min(barWidth, Math.floor((done / all) * barWidth)) : 0;
    const drawn =
      all > 0 && this.#terminal.columns > barWidth + 30 ? `${'#'.repeat(full).padEnd(barWidth, '.')}  ` : '';
    const line = measure.cut(drawn + text, this.#terminal.columns);
    // Without automatic wrap, because a second line would stay: the terminal may have become narrower since the start.
    this.#terminal.err.write(`\x1b[?7l\r\x1b[2K${line}\x1b[?7h`);
    this.#open = true;
  }

  /** Ends the line so that other output can follow. */
  end(): void {
    if (this.#open) this.#terminal.err.write('\n');
    this.#open = false;
  }

  #inPlace(): boolean {
    return this.#terminal.err.isTTY && this.#terminal.env.TERM !== 'dumb';
  }
}
