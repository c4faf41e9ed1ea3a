// xrdp in front of an X server, with its channel server: a desktop that has a clipboard. Needs root for its sockets.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { hasPrograms } from '../has-programs.ts';
import { isListening } from './real-desktop.ts';
import { XServer } from './x-server.ts';

const isRoot = process.getuid?.() === 0;
export const hasXrdp = hasPrograms(
  'clipboards',
  [
    ...['/usr/sbin/xrdp', '/usr/sbin/xrdp-chansrv'],
    ...['/usr/bin/Xtigervnc', '/usr/bin/xterm', '/usr/bin/openssl'],
  ],
  { isOptional: !isRoot, missing: isRoot ? [] : ['root'] },
);

const sockets = '/run/xrdp/sockdir';

export interface RealXrdp {
  port: number;
  /** What was typed into the terminal on the desktop. */
  typed(): string;
  /** Writes to that terminal. */
  show(text: string): void;
  close(): Promise<void>;
}

/** Pictures are compressed as Debian sets it up, or not. */
export async function startRealXrdp({ compresses = true } = {}): Promise<RealXrdp> {
  const server = new XServer('xrdp', { LANG: 'C.UTF-8' });
  const { folder, close } = server;
  try {
    mkdirSync(sockets, { recursive: true });
    chmodSync(sockets, 0o3777);
    const [vncPort, port] = [await freePort(), await freePort()];
    await server.open(
      ...['-rfbport', `${vncPort}`, '-localhost', '-geometry', '800x600', '-depth', '24'],
      ...['-SecurityTypes', 'None'],
    );
    const [typed, shown] = [join(folder, 'typed'), join(folder, 'shown')];
    for (const file of [typed, shown]) writeFileSync(file, '');
    const resources = [
      ...['selectToClipboard: true', 'disallowedWindowOps: ', 'allowWindowOps: true'],
      'VT100.translations: #override Ctrl <Key>V: insert-selection(CLIPBOARD)',
    ];
    const shell = `stty -icanon -echo; tail -f ${shown} & cat > ${typed}`;
    server.startTerminal(shell, ...resources.flatMap((resource) => ['-xrm', `XTerm*${resource}`]));
    server.start('/usr/sbin/xrdp-chansrv', [], { CHANSRV_LOG_PATH: folder });
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
        ...{ bitmap_cache: 'true', bitmap_compression: `${compresses}`, bulk_compression: 'true' },
      },
      Logging: { LogFile: join(folder, 'xrdp.log'), LogLevel: 'INFO', EnableSyslog: 'false' },
      Channels: { cliprdr: 'true', drdynvc: 'true', rdpdr: 'false', rdpsnd: 'false', rail: 'false' },
      desktop: {
        ...{ name: 'desktop', lib: 'libvnc.so', username: 'na', password: 'na' },
        ...{ ip: '127.0.0.1', port: vncPort, chansrvport: `DISPLAY(${server.display})` },
      },
    };
    const lines = Object.entries(sections).flatMap(([name, fields]) => [
      `[${name}]`,
      ...Object.entries(fields).map(([field, value]) => `${field}=${value}`),
    ]);
    writeFileSync(settings, `${lines.join('\n')}\n`);
    server.start('/usr/sbin/xrdp', ['--nodaemon', '--config', settings]);
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
