// What the terminal library writes its frames on, so that the screen can paint what changed in them.
import { EventEmitter } from 'node:events';

export class FrameStream extends EventEmitter {
  readonly isTTY = true;
  readonly #size: () => { columns: number; rows: number };
  readonly #show: (lines: readonly string[]) => void;

  /** Each write is one frame, of lines no wider than the screen. */
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
    // Its own escapes, such as those for the cursor, are the screen's business here.
    if (!text.startsWith('\x1b[?')) this.#show(text.split('\n'));
    return true;
  }
}
