// The screen of a session as a terminal shows it, from which viewers that attach later are drawn.
import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { TerminalSize } from '../target.ts';

/** Bytes that may wait to be drawn before the host is paused. */
const maxBehind = 1024 * 1024;
const resumeBehind = 128 * 1024;
/** Lines above the screen that a snapshot contains. */
const maxScrollback = 1000;

export class TerminalScreen {
  private readonly terminal: InstanceType<typeof headless.Terminal>;
  private readonly serializer = new serialize.SerializeAddon();
  private readonly onBehind: (isBehind: boolean) => void;
  private waiting = 0;
  private isBehind = false;

  constructor(
    { columns, rows }: TerminalSize,
    scrollback: number,
    /** Called when drawing falls behind, and when it has caught up. */
    onBehind: (isBehind: boolean) => void,
  ) {
    this.terminal = new headless.Terminal({
      ...{ cols: columns, rows, allowProposedApi: true },
      scrollback: Math.min(scrollback, maxScrollback),
    });
    this.terminal.loadAddon(this.serializer);
    this.onBehind = onBehind;
  }

  get size(): TerminalSize {
    return { columns: this.terminal.cols, rows: this.terminal.rows };
  }

  write(bytes: Uint8Array): void {
    this.waiting += bytes.length;
    if (!this.isBehind && this.waiting > maxBehind) this.setBehind(true);
    this.terminal.write(bytes, () => {
      this.waiting -= bytes.length;
      if (this.isBehind && this.waiting < resumeBehind) this.setBehind(false);
    });
  }

  resize({ columns, rows }: TerminalSize): void {
    this.terminal.resize(columns, rows);
  }

  /** Text that draws the screen as it is after everything written before this call. */
  snapshot(): Promise<TerminalSize & { text: string }> {
    return new Promise((resolve) => {
      this.terminal.write('', () => resolve({ ...this.size, text: this.serializer.serialize() }));
    });
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private setBehind(isBehind: boolean): void {
    this.isBehind = isBehind;
    this.onBehind(isBehind);
  }
}
