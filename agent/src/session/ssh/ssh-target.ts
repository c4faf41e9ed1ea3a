// A shell over ssh as the far side of a session.
import type { Client, ClientChannel } from 'ssh2';
import { SessionError } from '../session-error.ts';
import type { Target, TargetEvents, TerminalSize } from '../target.ts';

const shellMs = 15_000;

export async function openShell(
  client: Client,
  { columns, rows }: TerminalSize,
  events: TargetEvents,
): Promise<Target> {
  let timer: NodeJS.Timeout | undefined;
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    timer = setTimeout(() => reject(new SessionError('TIMEOUT')), shellMs);
    client.once('close', () => reject(new SessionError('UNREACHABLE', { reason: 'CONNECTION_CLOSED' })));
    client.shell({ term: 'xterm-256color', cols: columns, rows, width: 0, height: 0 }, (error, opened) =>
      error ? reject(new SessionError('PROTOCOL', { reason: 'SHELL_REFUSED' })) : resolve(opened),
    );
  }).finally(() => clearTimeout(timer));
  let hasExited = false;
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    events.ended(hasExited ? 'ended' : 'disconnected');
    client.end();
  };
  channel.on('data', (bytes: Buffer) => events.output(bytes));
  channel.stderr.on('data', (bytes: Buffer) => events.output(bytes));
  channel.on('drain', () => events.drained());
  channel.on('exit', () => {
    hasExited = true;
  });
  channel.on('close', over);
  client.on('close', over);
  return {
    write: (bytes) => !isOver && channel.write(bytes),
    resize: (size) => {
      if (!isOver) channel.setWindow(size.rows, size.columns, 0, 0);
    },
    setPaused(isPaused) {
      if (isPaused) channel.pause();
      else channel.resume();
    },
    close() {
      isOver = true;
      client.destroy();
    },
  };
}
