// Real programs for the tests of the sip line: Debian's kamailio as a trunk that demands digest, baresip as a phone.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { readWav } from './audio-files.ts';

const programs = ['kamailio', 'baresip', 'sipp', 'espeak-ng'] as const;
const kamailioModules = '/usr/lib/x86_64-linux-gnu/kamailio/modules';

/** Whether all programs are installed; prints which are missing, which is an error where CI is set. */
export function hasPrograms(): boolean {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return true;
  const reason = `not installed: ${missing.join(', ')}`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`Tests of the sip line are skipped: ${reason}`);
  return false;
}

export async function until(
  check: () => boolean | Promise<boolean>,
  what: string | (() => string),
  timeoutMs = 8000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`timed out: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Milliseconds for the start of a program, which is slow while other tests keep the processors busy. */
const startTimeoutMs = 20_000;

/** Takes any number of calls at a port, as the scenario says; the built-in one only answers. */
export async function startSipp(
  port: number,
  folder: string,
  scenario?: string,
): Promise<{ stop(): Promise<void> }> {
  const file = join(folder, 'scenario.xml');
  if (scenario !== undefined) writeFileSync(file, scenario);
  const chosen = scenario === undefined ? ['-sn', 'uas'] : ['-sf', file];
  const child = spawn('sipp', [...chosen, '-i', '127.0.0.1', '-p', String(port), '-nostdin', '-rtp_echo'], {
    stdio: 'ignore',
    cwd: folder,
  });
  const stopAll = async () => {
    const exited = once(child, 'exit');
    if (child.kill('SIGKILL')) await exited;
  };
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const isBound = () =>
    readFileSync('/proc/net/udp', 'utf8')
      .split('\n')
      .some((line) => line.trim().split(/\s+/)[1]?.endsWith(suffix));
  try {
    await until(isBound, 'the port of sipp', startTimeoutMs);
  } catch (error) {
    await stopAll();
    throw error;
  }
  return { stop: stopAll };
}

async function stop(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, 'exit');
  process.kill('SIGTERM');
  const force = setTimeout(() => process.kill('SIGKILL'), 1500);
  await exited;
  clearTimeout(force);
}

export interface Trunk {
  port: number;
  stop(): Promise<void>;
}

export const trunkAccount = { user: 'yagura', password: 'trunk-password' };

/**
 * A trunk: challenges every INVITE and REGISTER, and sends each number to the port of its phone. One process, because
 * two on a busy machine overtake each other and pass on 200 OK before 180 Ringing.
 */
export async function startKamailio(port: number, phones: Record<string, number>): Promise<Trunk> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-kamailio-'));
  const routes = Object.entries(phones)
    .map(([number, at]) => `if ($rU == "${number}") { $rU = "phone"; $du = "sip:127.0.0.1:${at}"; }`)
    .join('\n  ');
  writeFileSync(
    join(folder, 'kamailio.cfg'),
    `#!KAMAILIO
debug=-1
log_stderror=yes
fork=yes
children=1
disable_tcp=yes
auto_aliases=no
listen=udp:127.0.0.1:${port}
mpath="${kamailioModules}"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "maxfwd.so"
loadmodule "auth.so"
modparam("auth", "qop", "auth")
request_route {
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not Found");
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (!pv_auth_check("trunk.test", "${trunkAccount.password}", "0", "0")) {
    auth_challenge("trunk.test", "1");
    exit;
  }
  if (is_method("REGISTER")) {
    append_to_reply("Contact: $hdr(Contact);expires=600\\r\\n");
    sl_send_reply("200", "OK");
    exit;
  }
  consume_credentials();
  record_route();
  $du = $null;
  ${routes}
  if ($du == $null) { sl_send_reply("404", "Not Found"); exit; }
  t_relay();
}
`,
  );
  const runtime = join(folder, 'run');
  mkdirSync(runtime);
  const child = spawn(
    'kamailio',
    [
      '-f',
      join(folder, 'kamailio.cfg'),
      '-Y',
      runtime,
      '-P',
      join(folder, 'pid'),
      '-DD',
      '-E',
      '-m',
      '16',
      '-M',
      '2',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const stopAll = async () => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(() => answersOptions(port), 'the port of kamailio', startTimeoutMs);
  } catch (error) {
    await stopAll();
    throw new Error(`${(error as Error).message} ${errors.slice(-800)}`);
  }
  return { port, stop: stopAll };
}

/** Whether a server of SIP answers at the port. */
async function answersOptions(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(port, '127.0.0.1', resolve);
    });
    const { port: own } = socket.address();
    const request = [
      `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bK${own}`,
      'Max-Forwards: 10',
      'From: <sip:probe@127.0.0.1>;tag=1',
      `To: <sip:127.0.0.1:${port}>`,
      `Call-ID: probe${own}${performance.now()}`,
      'CSeq: 1 OPTIONS',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    const answered = new Promise<boolean>((resolve) => {
      socket.on('message', () => resolve(true));
      socket.on('error', () => resolve(false));
      setTimeout(() => resolve(false), 100);
    });
    socket.send(request);
    return await answered;
  } finally {
    socket.close();
  }
}

export interface PhoneEvent {
  type: string;
  param?: string;
  id?: string;
  [name: string]: unknown;
}

export interface PhoneOptions {
  sound: string;
  trunkPort: number;
  /** Whether it takes encrypted calls, besides others; true if left out. */
  takesEncryption?: boolean;
}

/** A phone that is driven over its control port. */
export class Phone {
  readonly port: number;
  readonly events: PhoneEvent[] = [];
  private readonly folder: string;
  private readonly child: ChildProcess;
  private control: Socket | undefined;

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.port = port;
    this.folder = folder;
    this.child = child;
  }

  /**
   * Starts a phone that calls over the trunk at a port when it is referred. `sound` is what it says in a call: a WAV
   * file of 8000 Hz.
   */
  static async start({ sound, trunkPort, takesEncryption = true }: PhoneOptions): Promise<Phone> {
    const folder = mkdtempSync(join(tmpdir(), 'yagura-phone-'));
    const port = await freePort();
    const controlPort = await freePort();
    writeFileSync(
      join(folder, 'config'),
      `poll_method epoll
sip_listen 127.0.0.1:${port}
call_local_timeout 60
call_max_calls 200
audio_player aufile,/dev/null
audio_source aufile,${sound}
audio_alert aufile,/dev/null
ausrc_srate 8000
auplay_srate 8000
rtp_timeout 0
jitter_buffer_type off
net_interface 127.0.0.1
module_path /usr/lib/baresip/modules
module g711.so
${takesEncryption ? 'module srtp.so' : ''}
module aufile.so
module sndfile.so
module_app account.so
module_app menu.so
module ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${controlPort}
snd_path ${folder}
`,
    );
    writeFileSync(
      join(folder, 'accounts'),
      `${[
        `<sip:phone@127.0.0.1:${port}>`,
        ...[
          'regint=0',
          'audio_codecs=PCMU',
          ...(takesEncryption ? ['mediaenc=srtp'] : []),
          'answermode=auto',
        ],
        `outbound="sip:127.0.0.1:${trunkPort}"`,
        `auth_user=${trunkAccount.user}`,
        `auth_pass=${trunkAccount.password}`,
      ].join(';')}\n`,
    );
    writeFileSync(join(folder, 'contacts'), '');
    const child = spawn('baresip', ['-f', folder], { stdio: ['ignore', 'ignore', 'ignore'], cwd: folder });
    const phone = new Phone(port, folder, child);
    try {
      await until(() => phone.connectControl(controlPort), 'the control port of baresip', startTimeoutMs);
      await until(() => answersOptions(port), 'the SIP port of baresip', startTimeoutMs);
    } catch (error) {
      await phone.stop();
      throw error;
    }
    return phone;
  }

  async until(type: string, count = 1): Promise<void> {
    await until(
      () => this.events.filter((event) => event.type === type).length >= count,
      () => `${type} of a phone: ${JSON.stringify(this.events.map((event) => event.type))}`,
      15_000,
    );
  }

  /** Presses keys in the call. */
  press(keys: string): void {
    for (const key of keys) this.command('sndcode', key);
  }

  hangUp(): void {
    this.command('hangup');
  }

  command(command: string, params = ''): void {
    const text = JSON.stringify({ command, params, token: '1' });
    this.control?.write(`${Buffer.byteLength(text)}:${text},`);
  }

  /** What was heard in the calls, in order: samples of 8000 Hz. */
  heard(): Int16Array[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('-dec.wav'))
      .sort()
      .map((name) => readWav(join(this.folder, name)));
  }

  async stop(): Promise<void> {
    this.control?.destroy();
    await stop(this.child);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Whether the phone, and no other program at this port, answers a command. */
  private async connectControl(port: number): Promise<boolean> {
    const socket = connect(port, '127.0.0.1');
    this.control = socket;
    let received = Buffer.alloc(0);
    let onAnswer = (_isThere: boolean) => {};
    const isThere = new Promise<boolean>((resolve) => {
      onAnswer = resolve;
      setTimeout(() => resolve(false), 1000);
    });
    socket.once('connect', () => this.command('about'));
    socket.on('error', () => onAnswer(false));
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        const colon = received.indexOf(':');
        const size = Number(received.subarray(0, Math.max(colon, 0)).toString());
        if (colon < 0 || received.length < colon + size + 2) return;
        const event = JSON.parse(received.subarray(colon + 1, colon + 1 + size).toString()) as PhoneEvent;
        if (event.type) this.events.push(event);
        else onAnswer(true);
        received = received.subarray(colon + size + 2);
      }
    });
    if (await isThere) return true;
    socket.destroy();
    return false;
  }
}
