// Paints changed lines on the alternate screen; the primary screen is restored in all cases.

/** The part of stdout used for painting. */
export interface Canvas {
  write(text: string): unknown;
}

const csi = '\x1b[';
/** Alternate screen, no wrapping at the right edge, bracketed paste, no cursor. */
const enterSequence = `${csi}?1049h${csi}?7l${csi}?2004h${csi}?25l${csi}2J`;
/** Mouse wheel reports (SGR). */
const enableMouse = `${csi}?1000h${csi}?1006h`;
const disableMouse = `${csi}?1006l${csi}?1000l`;
const leaveSequence = `${csi}0m${csi}?2004l${disableMouse}${csi}?7h${csi}?25h${csi}?1049l`;

export interface CursorPosition {
  column: number;
  row: number;
}

export class Screen {
  readonly #canvas: Canvas;
  #lines: readonly string[] = [];
  #cursor: CursorPosition | undefined;
  #entered = false;

  #mouse: boolean;

  constructor(canvas: Canvas, mouse = true) {
    this.#canvas = canvas;
    this.#mouse = mouse;
  }

  /** Switches mouse wheel reports; without them the mouse behaves as usual in the terminal. */
  setMouse(mouse: boolean): void {
    this.#mouse = mouse;
    if (this.#entered) this.#canvas.write(mouse ? enableMouse : disableMouse);
  }

  enter(): void {
    if (this.#entered) return;
    this.#entered = true;
    this.#canvas.write(this.#mouse ? enterSequence + enableMouse : enterSequence);
    const lines = this.#lines;
    this.#lines = [];
    this.paint(lines, this.#cursor);
  }

  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.#canvas.write(leaveSequence);
  }

  /**
   * Repaints everything: the size changed, or another program wrote to the terminal. Lines that no longer fit are
   * forgotten: terminals would write them, and later clear them, in their last row.
   */
  repaint(rows: number): void {
    const lines = this.#lines.slice(0, rows);
    this.#lines = [];
    if (this.#entered) this.#canvas.write(`${csi}0m${csi}2J`);
    this.paint(lines, this.#cursor);
  }

  /**
   * Paints these lines from the top; the cursor (zero-based) is placed at the text input, so that an input
   * method composes there.
   */
  paint(lines: readonly string[], cursor: CursorPosition | undefined): void {
    const before = this.#lines;
    const moved = cursor?.column !== this.#cursor?.column || cursor?.row !== this.#cursor?.row;
    this.#lines = lines;
    this.#cursor = cursor;
    if (!this.#entered) return;
    let text = '';
    for (let row = 0; row < Math.max(lines.length, before.length); row += 1) {
      const line = lines[row] ?? '';
      if (line === before[row]) continue;
      // The line is cleared first: clearing after text that reaches the last column would erase its last
      // character.
      text += `${csi}${row + 1};1H${csi}0m${csi}K${line}${csi}0m`;
    }
    if (text === '' && !moved) return;
    text += cursor ? `${csi}${cursor.row + 1};${cursor.column + 1}H${csi}?25h` : '';
    // Synchronized output: supporting terminals show the frame at once.
    this.#canvas.write(`${csi}?2026h${csi}?25l${text}${csi}?2026l`);
  }
}
