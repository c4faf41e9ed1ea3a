// A terminal: what it shows is kept, so that viewers who come later see it.
import type { Display, DisplayHost } from '../display.ts';
import type { TerminalSize } from '../target.ts';
import type { Viewer } from '../viewer.ts';
import { OutputFilter } from './output-filter.ts';
import { TerminalScreen } from './terminal-screen.ts';

const firstSize: TerminalSize = { columns: 80, rows: 24 };
const defaultScrollback = 1000;

export class TerminalDisplay implements Display {
  readonly greeting = [];
  readonly logs = null;
  private readonly host: DisplayHost;
  private readonly screen: TerminalScreen;
  private readonly filter = new OutputFilter();

  constructor({ scrollback }: Record<string, unknown>, host: DisplayHost) {
    this.host = host;
    this.screen = new TerminalScreen(
      firstSize,
      typeof scrollback === 'number' ? scrollback : defaultScrollback,
      (isBehind) => host.setBehind(isBehind),
    );
  }

  get size(): TerminalSize {
    return this.screen.size;
  }

  readonly snapshot = () => this.screen.snapshot();

  output(bytes: Uint8Array): void {
    const shown = this.filter.filter(bytes);
    if (shown.length === 0) return;
    this.host.recorder?.output(shown);
    this.screen.write(shown);
    this.host.viewers.output(shown);
  }

  input(viewer: Viewer, bytes: Uint8Array): boolean {
    if (viewer.mode !== 'control' || !this.host.target) return true;
    this.host.typed(viewer);
    return this.host.target.write(bytes);
  }

  resize(size: TerminalSize): boolean {
    const { columns, rows } = this.screen.size;
    if (columns === size.columns && rows === size.rows) return false;
    this.screen.resize(size);
    return true;
  }

  removed(): void {}

  dispose(): void {
    this.screen.dispose();
  }
}
