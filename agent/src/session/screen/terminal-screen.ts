// The screen of a session as a terminal shows it, from which viewers that attach later are drawn. Output is drawn when
// there is much of it or when somebody asks, and lines of it that would have scrolled out by then are left out.
import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { TerminalSize } from '../target.ts';
import { isPlain, lastLines } from './plain-output.ts';

/** Bytes that wait until they are drawn together. */
const drawnTogether = 256 * 1024;
/** Bytes that may wait to be drawn before the host is paused. */
const maxBehind = 1024 * 1024;
/** More than what may wait to be drawn together, which would not be drawn while the host is paused. */
const resumeBehind = 512 * 1024;
/** Lines above the screen that a snapshot contains. */
const maxScrollback = 1000;

type HeadlessTerminal = InstanceType<typeof headless.Terminal>;

/** Rows of the scroll region, from 0; the API of the terminal does not tell them. */
interface ScrollRegion {
  scrollTop: number;
  scrollBottom: number;
}

export class TerminalScreen {
  private readonly terminal: HeadlessTerminal;
  private readonly serializer = new serialize.SerializeAddon();
  private readonly onBehind: (isBehind: boolean) => void;
  private readonly scrollback: number;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  /** Bytes that the terminal has not parsed yet. */
  private drawing = 0;
  private isBehind = false;
  size: TerminalSize;

  constructor(
    size: TerminalSize,
    scrollback: number,
    /** Called when drawing falls behind, and when it has caught up. */
    onBehind: (isBehind: boolean) => void,
  ) {
    this.size = size;
    this.scrollback = Math.min(scrollback, maxScrollback);
    const { columns, rows } = size;
    this.terminal = new headless.Terminal({
      ...{ cols: columns, rows, allowProposedApi: true, scrollback: this.scrollback },
    });
    this.terminal.loadAddon(this.serializer);
    this.onBehind = onBehind;
  }

  /** Output without incomplete control sequences. */
  write(bytes: Uint8Array): void {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > drawnTogether && this.drawing === 0) this.draw();
    this.updateBehind();
  }

  resize(size: TerminalSize): void {
    this.size = size;
    this.draw();
    this.terminal.write('', () => this.terminal.resize(size.columns, size.rows));
  }

  /** Text that draws the screen as it is after everything written before this call. */
  snapshot(): Promise<TerminalSize & { text: string }> {
    this.draw();
    const { size } = this;
    return new Promise((resolve) => {
      this.terminal.write('', () => resolve({ ...size, text: this.serialize() }));
    });
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private draw(): void {
    const chunks = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    // Control sequences, and what is still drawn, may change the scroll region.
    const isScrolledOut = this.drawing === 0 && this.isScrolling && chunks.every(isPlain);
    // A screen of lines may be drawn over others, another one scrolls these out, and the last are what stays.
    this.show(isScrolledOut ? lastLines(chunks, 2 * this.size.rows + this.scrollback) : chunks);
  }

  private show(chunks: Uint8Array[]): void {
    for (const bytes of chunks) {
      this.drawing += bytes.length;
      this.terminal.write(bytes, () => {
        this.drawing -= bytes.length;
        if (this.drawing === 0 && this.pendingBytes > drawnTogether) this.draw();
        this.updateBehind();
      });
    }
  }

  /** Whether lines at the end scroll out at the top. */
  private get isScrolling(): boolean {
    const { scrollTop, scrollBottom } = activeRegion(this.terminal);
    return scrollTop === 0 && scrollBottom === this.terminal.rows - 1;
  }

  private serialize(): string {
    return this.serializer.serialize() + scrollRegion(this.terminal);
  }

  private updateBehind(): void {
    const waiting = this.pendingBytes + this.drawing;
    const isBehind = this.isBehind ? waiting >= resumeBehind : waiting > maxBehind;
    if (isBehind === this.isBehind) return;
    this.isBehind = isBehind;
    this.onBehind(isBehind);
  }
}

function activeRegion(terminal: HeadlessTerminal): ScrollRegion {
  return (terminal as unknown as { _core: { buffer: ScrollRegion } })._core.buffer;
}

/** Sets the scroll region, and the cursor back to where it is: the region and origin mode move it. */
function scrollRegion(terminal: HeadlessTerminal): string {
  const { scrollTop, scrollBottom } = activeRegion(terminal);
  const { originMode } = terminal.modes;
  if (scrollTop === 0 && scrollBottom === terminal.rows - 1 && !originMode) return '';
  const { cursorX, cursorY } = terminal.buffer.active;
  // In origin mode, rows count from the first of the region.
  const row = originMode ? cursorY - scrollTop : cursorY;
  const column = Math.min(cursorX, terminal.cols - 1);
  return `\x1b[${scrollTop + 1};${scrollBottom + 1}r\x1b[${row + 1};${column + 1}H`;
}
