// Progress on stderr: one line that changes in place on a terminal, else a line whenever the words change.
import { say, type Terminal } from './terminal.ts';

const bar = 24;

export class Progress {
  readonly #terminal: Terminal;
  #last = '';
  #open = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** `done` of `all` draws the bar; without an `all` there is none. */
  show(text: string, done: number, all: number): void {
    if (text === this.#last) return;
    this.#last = text;
    if (!this.#inPlace()) {
      say(this.#terminal, text);
      return;
    }
    const full = all > 0 ? Math.min(bar, Math.floor((done / all) * bar)) : 0;
    const drawn =
      all > 0 && this.#terminal.columns > bar + 30 ? `${'#'.repeat(full).padEnd(bar, '.')}  ` : '';
    this.#terminal.err.write(`\r\x1b[2K${drawn}${text}`);
    this.#open = true;
  }

  /** Ends the line, so that other text can follow. */
  end(): void {
    if (this.#open) this.#terminal.err.write('\n');
    this.#open = false;
  }

  #inPlace(): boolean {
    return this.#terminal.err.live && this.#terminal.env.TERM !== 'dumb';
  }
}
