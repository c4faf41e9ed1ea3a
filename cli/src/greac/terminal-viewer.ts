// Shows a session in the user's terminal: raw input, output, size, escape commands and questions.
import type {
  SessionStream,
  SessionStreamOptions,
  StreamStatus,
} from '@yagura/core/greac/stream/session-stream';
import type { GatewayControl } from '@yagura/core/greac/stream/viewer-protocol';
import { isYes, promptLine } from '../command-line/prompt.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type EscapeCommand, EscapeFilter } from './escape-filter.ts';

/** The part of stdout that is used. */
export type TerminalScreen = Pick<NodeJS.WriteStream, 'on' | 'off' | 'columns' | 'rows'> & {
  write(bytes: Uint8Array | string, onWritten?: () => void): unknown;
};

/** Normal screen, lines that wrap, no mouse, no bracketed paste, normal keys, visible cursor (xterm control sequences). */
const resetModes =
  '\x1b[?47l\x1b[?7h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m';
const clearScreen = '\x1b[!p\x1b[H\x1b[2J';
/** DECAWM. Lines of a wider session are cut at the edge: each that wrapped would move all below it. */
const wrapLines = { on: '\x1b[?7h', off: '\x1b[?7l' };

type Viewers = Extract<GatewayControl, { type: 'viewers' }>;

export class TerminalViewer {
  private readonly terminal: Terminal;
  private readonly screen: TerminalScreen;
  private readonly acceptedHostKey: string | undefined;
  private readonly escapes = new EscapeFilter();
  private stream: SessionStream | undefined;
  private viewers: Viewers['viewers'] = [];
  private hasControl = false;
  private isRaw = false;
  private isAsking = false;

  /** `acceptedHostKey` is a fingerprint that needs no question. */
  constructor(terminal: Terminal, screen: TerminalScreen, acceptedHostKey?: string) {
    this.terminal = terminal;
    this.screen = screen;
    this.acceptedHostKey = acceptedHostKey;
  }

  handlers(reject: (error: unknown) => void): SessionStreamOptions['handlers'] {
    return {
      onControl: (message) => {
        if (message.type === 'host-key') void this.askHostKey(message.fingerprint).catch(reject);
        else this.onControl(message);
      },
      onTerminal: (bytes, onParsed) => void this.screen.write(bytes, onParsed),
      onFile: (_transfer, _content, onStored) => onStored(),
    };
  }

  start(stream: SessionStream, name: string): void {
    this.stream = stream;
    this.print(this.terminal.t('cli.connect.opened', { name: cleanLine(name) }));
    this.screen.on('resize', this.onResize);
    process.on('exit', this.restore);
  }

  stop(): void {
    this.screen.off('resize', this.onResize);
    process.off('exit', this.restore);
    this.restore();
  }

  showStatus(status: StreamStatus): void {
    if (status.state === 'connected') this.enterRaw();
    else if (status.state === 'reconnecting') {
      this.hasControl = false;
      this.print(this.terminal.t('terminal.reconnecting'));
    }
  }

  /** Prints a line of this program, also between the output of the session. */
  print(text: string): void {
    this.screen.write(`${this.isRaw ? '\r\n' : ''}${text}${this.isRaw ? '\r\n' : '\n'}`);
  }

  private onControl(message: GatewayControl): void {
    if (message.type === 'snapshot') this.screen.write(clearScreen + this.wrappingFor(message));
    else if (message.type === 'resize') this.screen.write(this.wrappingFor(message));
    else if (message.type === 'viewers') this.onViewers(message);
    else if (message.type === 'recording' && !message.isRecording)
      this.print(this.terminal.t('terminal.not-recorded'));
  }

  private wrappingFor({ columns }: { columns: number }): string {
    return wrapLines[columns > this.screen.columns ? 'off' : 'on'];
  }

  private onViewers({ viewers, you }: Viewers): void {
    const { t } = this.terminal;
    const known = new Set(
      this.viewers.filter(({ wantsControl }) => wantsControl).map(({ viewerId }) => viewerId),
    );
    const hadControl = this.hasControl;
    this.viewers = viewers;
    this.hasControl = viewers.some(({ viewerId, mode }) => viewerId === you && mode === 'control');
    if (this.hasControl && !hadControl) this.onResize();
    if (!this.hasControl && hadControl) this.print(t('cli.connect.no-control'));
    if (!this.hasControl) return;
    for (const { viewerId, displayName, wantsControl } of viewers) {
      if (wantsControl && viewerId !== you && !known.has(viewerId))
        this.print(t('cli.connect.requested', { name: cleanLine(displayName) }));
    }
  }

  private async askHostKey(fingerprint: string): Promise<void> {
    const { terminal } = this;
    let accept = fingerprint === this.acceptedHostKey;
    if (!accept && this.acceptedHostKey === undefined && !this.isAsking) {
      this.isAsking = true;
      this.leaveRaw();
      const question = terminal.t('cli.connect.host-key', { fingerprint: cleanLine(fingerprint) });
      accept = isYes(await promptLine(terminal, `${question} ${terminal.t('cli.ask.yes-no')} `));
      this.isAsking = false;
    }
    this.stream?.sendControl({ type: 'host-key-decision', fingerprint, accept });
  }

  private readonly onResize = () => {
    const { columns, rows } = this.screen;
    if (this.hasControl && columns > 1 && rows > 0)
      this.stream?.sendControl({ type: 'resize', columns, rows });
  };

  private readonly onTyped = (typed: Uint8Array) => {
    const { bytes, found } = this.escapes.filter(typed);
    if (bytes.length > 0 && this.hasControl) this.stream?.sendTerminal(bytes);
    for (const command of found) this.run(command);
  };

  private run(command: EscapeCommand): void {
    if (command === 'leave') this.stream?.leave();
    else if (command === 'help') this.print(this.terminal.t('cli.connect.help').replaceAll('\n', '\r\n'));
    else if (command === 'request') this.stream?.sendControl({ type: 'request-control' });
    else {
      const requesting = this.viewers.find(({ wantsControl }) => wantsControl);
      this.stream?.sendControl({ type: 'give-control', to: requesting?.viewerId ?? null });
    }
  }

  private enterRaw(): void {
    if (this.isRaw) return;
    this.isRaw = true;
    const { stdin } = this.terminal;
    stdin.setRawMode(true);
    stdin.on('data', this.onTyped);
    stdin.resume();
  }

  private leaveRaw(): void {
    if (!this.isRaw) return;
    this.isRaw = false;
    const { stdin } = this.terminal;
    stdin.off('data', this.onTyped);
    stdin.setRawMode(false);
    stdin.pause();
  }

  private readonly restore = () => {
    if (this.isRaw) this.screen.write(`${resetModes}\r\n`);
    this.leaveRaw();
  };
}
