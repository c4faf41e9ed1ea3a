// xrdp in front of an X server, with its channel server: a desktop that has a clipboard. Needs root for its sockets.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isListening } from './real-desktop.ts';
import { freePort } from './real-sshd.ts';

const programs = [
  ...['/usr/sbin/xrdp', '/usr/sbin/xrdp-chansrv'],
  ...['/usr/bin/Xtigervnc', '/usr/bin/xterm', '/usr/bin/openssl'],
];
const isRoot = process.getuid?.() === 0;
const missing = [...programs.filter((program) => !existsSync(program)), ...(isRoot ? [] : ['root'])];
export const hasXrdp = missing.length === 0;
if (!hasXrdp) {
  const message = `tests of clipboards need ${missing.join(', ')}`;
  if (process.env.CI && isRoot) throw new Error(message);
  console.warn(`skipped: ${message}`);
}

const sockets = '/run/xrdp/sockdir';

export interface RealXrdp {
  port: number;
  /** What was typed into the terminal on the desktop. */
  typed(): string;
  /** Writes to that terminal. */
  show(text: string): void;
  close(): Promise<void>;
}

export async function startRealXrdp(): Promise<RealXrdp> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-xrdp-'));
  const children: ReturnType<typeof spawn>[] = [];
  const start = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, HOME: folder, LANG: 'C.UTF-8', ...env },
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
    mkdirSync(sockets, { recursive: true });
    chmodSync(sockets, 0o3777);
    const [vncPort, port] = [await freePort(), await freePort()];
    const server = start('/usr/bin/Xtigervnc', [
      ...['-displayfd', '3', '-rfbport', `${vncPort}`, '-localhost', '-nolisten', 'tcp'],
      ...['-geometry', '800x600', '-depth', '24', '-SecurityTypes', 'None'],
    ]);
    const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
    const display = number.toString().trim();
    const env = { DISPLAY: `:${display}` };
    const [typed, shown] = [join(folder, 'typed'), join(folder, 'shown')];
    for (const file of [typed, shown]) writeFileSync(file, '');
    const resources = [
      ...['selectToClipboard: true', 'disallowedWindowOps: ', 'allowWindowOps: true'],
      'VT100.translations: #override Ctrl <Key>V: insert-selection(CLIPBOARD)',
    ];
    const shell = `stty -icanon -echo; tail -f ${shown} & cat > ${typed}`;
    start(
      '/usr/bin/xterm',
      [
        ...['-u8', '-geometry', '120x40+0+0', '-bg', 'navy', '-fg', 'white'],
        ...resources.flatMap((resource) => ['-xrm', `XTerm*${resource}`]),
        ...['-e', 'sh', '-c', shell],
      ],
      env,
    );
    start('/usr/sbin/xrdp-chansrv', [], { ...env, CHANSRV_LOG_PATH: folder });
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=desktop', '-days', '2'],
        ...['-keyout', key, '-out', certificate],
      ],
      { stdio: 'ignore' },
    );
    const settings = join(folder, 'xrdp.ini');
    const sections = {
      Globals: {
        ...{ ini_version: 1, fork: 'false', port: `tcp://127.0.0.1:${port}`, autorun: 'desktop' },
        ...{ security_layer: 'tls', certificate, key_file: key, ssl_protocols: 'TLSv1.2, TLSv1.3' },
        ...{ allow_channels: 'true', max_bpp: 32, use_fastpath: 'both' },
      },
      Logging: { LogFile: join(folder, 'xrdp.log'), LogLevel: 'INFO', EnableSyslog: 'false' },
      Channels: { cliprdr: 'true', drdynvc: 'true', rdpdr: 'false', rdpsnd: 'false', rail: 'false' },
      desktop: {
        ...{ name: 'desktop', lib: 'libvnc.so', username: 'na', password: 'na' },
        ...{ ip: '127.0.0.1', port: vncPort, chansrvport: `DISPLAY(${display})` },
      },
    };
    const lines = Object.entries(sections).flatMap(([name, fields]) => [
      `[${name}]`,
      ...Object.entries(fields).map(([field, value]) => `${field}=${value}`),
    ]);
    writeFileSync(settings, `${lines.join('\n')}\n`);
    start('/usr/sbin/xrdp', ['--nodaemon', '--config', settings]);
    await isListening(port);
    return {
      port,
      typed: () => readFileSync(typed, 'utf8'),
      show: (text) => appendFileSync(shown, text),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
