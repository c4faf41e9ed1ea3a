// freerdp-shadow on an X server of its own: a desktop on a loopback port that asks for network level authentication.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from './real-sshd.ts';

const programs = ['freerdp-shadow-cli', 'winpr-hash', 'Xtigervnc', 'xterm', 'setxkbmap'].map(
  (name) => `/usr/bin/${name}`,
);
const missing = programs.filter((program) => !existsSync(program));
export const hasDesktop = missing.length === 0;
if (!hasDesktop) {
  const message = `tests of desktops need ${missing.join(', ')}`;
  if (process.env.CI) throw new Error(message);
  console.warn(`skipped: ${message}`);
}

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
  const folder = mkdtempSync(join(tmpdir(), 'yagura-desktop-'));
  const children: ReturnType<typeof spawn>[] = [];
  const start = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env },
      cwd: folder,
    });
    child.stdout!.resume();
    child.stderr!.resume();
    children.push(child);
    return child;
  };
  const close = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const screen = ['-geometry', `${width}x${height}`, '-depth', '24', '-SecurityTypes', 'None'];
    const server = start('/usr/bin/Xtigervnc', [
      ...['-displayfd', '3', '-rfbport', '-1', '-rfbunixpath', join(folder, 'vnc'), '-nolisten', 'tcp'],
      ...screen,
    ]);
    const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
    const env = { DISPLAY: `:${number.toString().trim()}` };
    if (layout.length > 0) execFileSync('/usr/bin/setxkbmap', layout, { env: { ...process.env, ...env } });
    const typed = join(folder, 'typed');
    writeFileSync(typed, '');
    const shell = `echo ready; stty -icanon; cat > ${typed}`;
    start(
      '/usr/bin/xterm',
      ['-u8', '-geometry', '120x40+0+0', '-bg', 'navy', '-fg', 'white', '-e', 'sh', '-c', shell],
      { ...env, LANG: 'C.UTF-8' },
    );
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
    start(
      '/usr/bin/freerdp-shadow-cli',
      [`/port:${port}`, '/bind-address:127.0.0.1', '/sec:nla', `/sam-file:${sam}`, '+auth'],
      env,
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
