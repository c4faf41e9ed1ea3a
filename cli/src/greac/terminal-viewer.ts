// Shows a session in the user's terminal: raw input, output, size, escape commands and questions.
import type {
  SessionStream,
  SessionStreamOptions,
  StreamStatus,
} from '@yagura/core/greac/stream/session-stream';
import type { GatewayControl } from '@yagura/core/greac/stream/viewer-protocol';
import type { Timers } from '@yagura/core/live/timers';
import { isYes, promptLine } from '../command-line/prompt.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type EscapeCommand, EscapeFilter } from './escape-filter.ts';
import { reconnectingText } from './open-stream.ts';
import { resetModes, SessionScreen, type TerminalScreen } from './session-screen.ts';

type Viewers = Extract<GatewayControl, { type: 'viewers' }>;

export class TerminalViewer {
  private readonly terminal: Terminal;
  private readonly screen: TerminalScreen;
  private readonly session: SessionScreen;
  private readonly acceptedHostKey: string | undefined;
  private readonly escapes = new EscapeFilter();
  private stream: SessionStream | undefined;
  private viewers: Viewers['viewers'] = [];
  private isRaw = false;
  private isAsking = false;

  /** `acceptedHostKey` is a fingerprint that needs no question. */
  constructor(terminal: Terminal, screen: TerminalScreen, timers: Timers, acceptedHostKey?: string) {
    this.terminal = terminal;
    this.screen = screen;
    this.session = new SessionScreen(screen, timers);
    this.acceptedHostKey = acceptedHostKey;
  }

  handlers(reject: (error: unknown) => void): SessionStreamOptions['handlers'] {
    return {
      onControl: (message) => {
        if (message.type === 'host-key') void this.askHostKey(message.fingerprint).catch(reject);
        else this.onControl(message);
      },
      onTerminal: (bytes, onParsed) => this.session.write(bytes, onParsed),
      onFile: (_transfer, _content, onStored) => onStored(),
    };
  }

  start(stream: SessionStream, name: string): void {
    this.stream = stream;
    this.print(this.terminal.t('cli.connect.opened', { name: cleanLine(name) }));
    this.screen.on('resize', this.onResize);
    process.on('SIGCONT', this.onContinued);
    process.on('exit', this.restore);
  }

  stop(): void {
    this.screen.off('resize', this.onResize);
    process.off('SIGCONT', this.onContinued);
    process.off('exit', this.restore);
    this.session.stop();
    this.restore();
  }

  showStatus(status: StreamStatus): void {
    if (status.state === 'connected') this.enterRaw();
    else if (status.state === 'reconnecting') {
      this.session.setControl(false);
      this.print(reconnectingText(this.terminal, status));
    }
  }

  /** Prints a line of this program, also between the output of the session. */
  print(text: string): void {
    if (this.isRaw) this.session.print(text);
    else this.screen.write(`${text}\n`);
  }

  private onControl(message: GatewayControl): void {
    if (message.type === 'snapshot') this.session.snapshot(message);
    else if (message.type === 'resize') this.session.resizeSession(message);
    else if (message.type === 'viewers') this.onViewers(message);
    else if (message.type === 'recording' && !message.isRecording)
      this.print(this.terminal.t('terminal.not-recorded'));
  }

  private onViewers({ viewers, you }: Viewers): void {
    const { t } = this.terminal;
    const known = new Set(
      this.viewers.filter(({ wantsControl }) => wantsControl).map(({ viewerId }) => viewerId),
    );
    const { hasControl: hadControl } = this.session;
    this.viewers = viewers;
    const hasControl = viewers.some(({ viewerId, mode }) => viewerId === you && mode === 'control');
    this.session.setControl(hasControl);
    if (hasControl && !hadControl) this.onResize();
    if (!hasControl && hadControl) this.print(t('cli.connect.no-control'));
    if (!hasControl) return;
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
    this.session.resizeScreen();
    if (this.session.hasControl && columns > 1 && rows > 0)
      this.stream?.sendControl({ type: 'resize', columns, rows });
  };

  /** The shell has used the terminal meanwhile, in its own mode and perhaps another size. */
  private readonly onContinued = () => {
    if (!this.isRaw) return;
    // Node.js remembers the mode that it has set, and sets only another one.
    this.terminal.stdin.setRawMode(false);
    this.terminal.stdin.setRawMode(true);
    // The signal of a change went to the shell; with it, Node.js reads the size.
    process.emit('SIGWINCH', 'SIGWINCH');
    this.onResize();
  };

  private readonly onTyped = (typed: Uint8Array) => {
    this.session.dismissNotice();
    const { bytes, found } = this.escapes.filter(typed);
    if (bytes.length > 0 && this.session.hasControl) this.stream?.sendTerminal(bytes);
    for (const command of found) this.run(command);
  };

  private run(command: EscapeCommand): void {
    if (command === 'leave') this.stream?.leave();
    else if (command === 'help') this.print(this.terminal.t('cli.connect.help'));
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
