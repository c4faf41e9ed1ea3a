// freerdp-shadow on an X server of its own: a desktop on a loopback port that asks for network level authentication.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { hasPrograms } from '../has-programs.ts';
import { XServer } from './x-server.ts';

export const hasDesktop = hasPrograms(
  'desktops',
  ['freerdp-shadow-cli', 'winpr-hash', 'Xtigervnc', 'xterm', 'setxkbmap'].map((name) => `/usr/bin/${name}`),
);

export interface RealDesktop {
  port: number;
  account: { username: string; password: string };
  /** What was typed into the terminal on the desktop. */
  typed(): string;
  close(): Promise<void>;
}

const account = { username: 'SITE\\ops', password: 'right-secret' };

/** `layout` is the one of the host, as setxkbmap names it. */
export async function startRealDesktop({
  width = 800,
  height = 600,
  layout = [] as string[],
} = {}): Promise<RealDesktop> {
  const server = new XServer('desktop');
  const { folder, close } = server;
  try {
    const screen = ['-geometry', `${width}x${height}`, '-depth', '24', '-SecurityTypes', 'None'];
    await server.open('-rfbport', '-1', '-rfbunixpath', join(folder, 'vnc'), ...screen);
    const env = { ...process.env, ...server.displayEnv };
    if (layout.length > 0) execFileSync('/usr/bin/setxkbmap', layout, { env });
    const typed = join(folder, 'typed');
    writeFileSync(typed, '');
    server.startTerminal(`echo ready; stty -icanon; cat > ${typed}`);
    const samLine = execFileSync('/usr/bin/winpr-hash', [
      '-u',
      'ops',
      '-p',
      account.password,
      '-d',
      'SITE',
      '-f',
      'sam',
    ]);
    const sam = join(folder, 'sam');
    writeFileSync(sam, samLine);
    const port = await freePort();
    server.start(
      '/usr/bin/freerdp-shadow-cli',
      [`/port:${port}`, '/bind-address:127.0.0.1', '/sec:nla', `/sam-file:${sam}`, '+auth'],
      { XDG_CONFIG_HOME: join(folder, 'config') },
    );
    await isListening(port);
    return { port, account, typed: () => readFileSync(typed, 'utf8'), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function isListening(port: number): Promise<void> {
  const deadline = AbortSignal.timeout(15_000);
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    deadline.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
