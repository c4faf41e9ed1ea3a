// Programs that send alerts, unpacked by tools/fetch-senders.sh into the folder YAGURA_SENDERS.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const zabbixScript = 'usr/bin/zabbix_js';
export const netdataScript = 'usr/lib/netdata/plugins.d/alarm-notify.sh';
export const nagiosDaemon = 'usr/sbin/nagios4';
export const monitDaemon = 'usr/bin/monit';
export const smartdScript = 'usr/share/smartmontools/smartd_warning.sh';
export const icingaDaemon = `usr/lib/${libraryFolder()}/icinga2/sbin/icinga2`;
export const mailPrograms = ['usr/bin/bsd-mailx', 'usr/bin/msmtp'];

const root = process.env.YAGURA_SENDERS;

/** Whether all of these are there; otherwise prints the reason, and fails in CI. */
export function areInstalled(...programs: string[]): boolean {
  const missing = root ? programs.filter((program) => !existsSync(join(root, program))) : programs;
  if (missing.length === 0) return true;
  const reason = `${missing.join(', ')} is missing (tools/fetch-senders.sh, YAGURA_SENDERS)`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}: the test is skipped`);
  return false;
}

export const pathOf = (program: string): string => join(root!, program);

/** Name of the folder of libraries for this processor, such as x86_64-linux-gnu. */
function libraryFolder(): string {
  const folder = process.env.YAGURA_SENDERS && join(process.env.YAGURA_SENDERS, 'usr/lib');
  const names = folder && existsSync(folder) ? readdirSync(folder) : [];
  return names.find((name) => name.endsWith('-linux-gnu')) ?? `${process.arch}-linux-gnu`;
}

/** Environment in which the programs find their libraries. */
export function senderEnv(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    NODE_ENV: process.env.NODE_ENV,
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    LD_LIBRARY_PATH: pathOf(`usr/lib/${libraryFolder()}`),
    ...more,
  };
}

/** Names of the user and group of this process. */
export function ownNames(): { user: string; group: string } {
  const id = (option: string) => execFileSync('id', [option], { encoding: 'utf8' }).trim();
  return { user: id('-un'), group: id('-gn') };
}

/** Runs a program to its end; returns its exit code and what it printed. */
export async function runProgram(path: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

export interface Daemon {
  printed(): string;
  stop(): Promise<void>;
}

export function startDaemon(path: string, args: string[], env: NodeJS.ProcessEnv): Daemon {
  const child: ChildProcess = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  }
  return {
    printed: () => printed,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Writes the command `mail` into a new folder: BSD mailx, which hands its mails to msmtp, which sends them by SMTP
 * to this port. Returns the folder.
 */
export async function installMail(folder: string, mailPort: number): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const script = (name: string, line: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const [mailx, msmtp] = mailPrograms.map(pathOf);
  await writeFile(join(folder, 'mailrc'), `set sendmail=${join(bin, 'sendmail')}\n`);
  await script('mail', `MAILRC=${join(folder, 'mailrc')} exec ${mailx} "$@"`);
  await script(
    'sendmail',
    `exec ${msmtp} --host=127.0.0.1 --port=${mailPort} --from=monitor@example.com "$@"`,
  );
  return bin;
}
