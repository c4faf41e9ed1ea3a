// `greac connect`: a session in the user's own terminal; a desktop in the browser.
import { interruptionText } from '@yagura/core/greac/stream/reason-texts';
import type { StreamStatus } from '@yagura/core/greac/stream/session-stream';
import { systemTimers } from '@yagura/core/live/timers';
import { CommandError } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import {
  createStream,
  failureOf,
  findOrOpenSession,
  leaveSession,
  type OpenedSession,
} from './open-stream.ts';
import { TerminalViewer } from './terminal-viewer.ts';

export interface ConnectOptions {
  watch?: boolean;
  remarks?: string;
  hostKey?: string;
  /** Whether a browser may be opened. */
  open?: boolean;
}

export async function connect(terminal: Terminal, target: string, options: ConnectOptions): Promise<void> {
  const { remarks = '' } = options;
  const isInteractive = terminal.out.isTTY && terminal.stdin.isTTY;
  const check = (protocol: string) => {
    if (protocol !== 'rdp') throw new UsageError('cli.connect.no-terminal');
  };
  const opened = await findOrOpenSession(terminal, target, {
    remarks,
    check: isInteractive ? undefined : check,
  });
  if (opened.protocol === 'rdp') return showDesktop(terminal, opened, options);
  const viewer = new TerminalViewer(terminal, process.stdout, systemTimers, options.hostKey);
  const end = await new Promise<StreamStatus>((resolve, reject) => {
    const stream = createStream(terminal, opened, {
      mode: options.watch ? 'watch' : 'control',
      handlers: viewer.handlers(reject),
      onStatus: (status) => {
        if (status.state === 'ended' || status.state === 'failed' || status.state === 'left') resolve(status);
        else viewer.showStatus(status);
      },
    });
    viewer.start(stream, opened.name);
    terminal.signal.addEventListener('abort', () => stream.leave());
    stream.start();
  }).finally(() => viewer.stop());
  if (end.state === 'failed') throw failureOf(terminal, end);
  if (end.state === 'left') {
    await leaveSession(opened);
    viewer.print(terminal.t('cli.connect.left', { session: opened.sessionId }));
    return;
  }
  const interruption = end.state === 'ended' && interruptionText(end.reason);
  if (interruption) throw new CommandError(interruption);
  viewer.print(terminal.t('cli.connect.ended'));
}

/** Opens the page of the session, or prints its address if there is no browser. */
async function showDesktop(
  terminal: Terminal,
  { session, sessionId }: OpenedSession,
  { watch, open = true }: ConnectOptions,
): Promise<void> {
  const path = `/apps/greac/connect/${encodeURIComponent(sessionId)}${watch ? '?mode=watch' : ''}`;
  const address = session.origin + path;
  const launch = async () => (await import('../terminal/open-browser.ts')).openBrowser(address);
  if (open && terminal.out.isTTY && (await launch()))
    printMessage(terminal, terminal.t('cli.connect.desktop', { address }));
  else terminal.out.write(`${address}\n`);
}
