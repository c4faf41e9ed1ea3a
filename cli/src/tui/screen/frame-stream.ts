// Output stream for the terminal UI library that hands its frames to the screen for differential painting.
import { EventEmitter } from 'node:events';

export class FrameStream extends EventEmitter {
  readonly isTTY = true;
  readonly #size: () => { columns: number; rows: number };
  readonly #show: (lines: readonly string[]) => void;

  /** Each write is one frame; its lines are not wider than the screen. */
  constructor(size: () => { columns: number; rows: number }, show: (lines: readonly string[]) => void) {
    super();
    this.#size = size;
    this.#show = show;
  }

  get columns(): number {
    return this.#size().columns;
  }

  get rows(): number {
    return this.#size().rows;
  }

  write(text: string): boolean {
    // The library's own escape sequences (e.g. for the cursor) are ignored; the screen controls them.
    if (!text.startsWith('\x1b[?')) this.#show(text.split('\n'));
    return true;
  }
}
