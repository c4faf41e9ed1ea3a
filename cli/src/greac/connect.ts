// `greac connect`: a session in the user's own terminal.
import type { StreamStatus } from '@yagura/core/greac/stream/session-stream';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createStream, failureOf, findOrOpenSession, leaveSession } from './open-stream.ts';
import { TerminalViewer } from './terminal-viewer.ts';

export interface ConnectOptions {
  watch?: boolean;
  remarks?: string;
  hostKey?: string;
}

export async function connect(terminal: Terminal, target: string, options: ConnectOptions): Promise<void> {
  if (!terminal.out.isTTY || !terminal.stdin.isTTY) throw new UsageError('cli.connect.no-terminal');
  const opened = await findOrOpenSession(terminal, target, options.remarks);
  const viewer = new TerminalViewer(terminal, process.stdout, options.hostKey);
  const end = await new Promise<StreamStatus>((resolve, reject) => {
    const stream = createStream(terminal, opened, {
      mode: options.watch ? 'watch' : 'control',
      showsText: true,
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
  } else viewer.print(terminal.t('cli.connect.ended'));
}
