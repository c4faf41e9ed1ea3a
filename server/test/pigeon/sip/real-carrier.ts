// Debian's kamailio as a carrier that demands digest, and baresip as the phones behind it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const programs = ['/usr/sbin/kamailio', '/usr/bin/baresip'];
const baresipModules = '/usr/lib/baresip/modules';

/** Whether the programs are there; otherwise prints the reason, and fails in CI. */
export function isCarrierInstalled(): boolean {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length === 0) return true;
  const reason = `${missing.join(', ')} is missing (Debian: kamailio, baresip-core)`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}: the test is skipped`);
  return false;
}

export const carrierPassword = 'secret-of-the-carrier';
/** A number that is answered at once, and one that rings. */
export const numbers = { answered: '1001', ringing: '1002' } as const;

export interface Carrier {
  port: number;
  /** Runs a command of the phones, for example "hangup". */
  phone(command: string): void;
  /** Resolves when the phones report an event, for example "CALL_INCOMING". */
  phoneEvent(type: string): Promise<void>;
  close(): Promise<void>;
}

export async function startCarrier(): Promise<Carrier> {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-carrier-'));
  const children: ChildProcess[] = [];
  const [port, control] = [await freeDatagramPort(), await freeStreamPort()];
  const run = (program: string, args: string[], ready: RegExp) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
    children.push(child);
    return untilPrinted(child, ready);
  };
  const close = async () => {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(child.spawnfile === 'stdbuf' ? 'SIGKILL' : 'SIGTERM');
        await once(child, 'exit');
      }
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await writeFile(join(folder, 'kamailio.cfg'), carrierConfig(port));
    await writeFile(join(folder, 'config'), phoneConfig(control));
    const account = (number: string, mode: string) =>
      `<sip:${number}@carrier.test>;outbound="sip:127.0.0.1:${port}";auth_pass=${carrierPassword};answermode=${mode};regint=600\n`;
    await writeFile(
      join(folder, 'accounts'),
      account(numbers.answered, 'auto') + account(numbers.ringing, 'manual'),
    );
    const kamailio = ['-f', join(folder, 'kamailio.cfg'), '-DD', '-E', '-m', '16', '-M', '4', '-Y', folder];
    await run(programs[0]!, kamailio, /carrier is ready/);
    // Prints each line at once.
    const baresip = ['-oL', programs[1]!, '-f', folder];
    await run('stdbuf', baresip, /200 OK[\s\S]*200 OK/);
    const phones = await Phones.connect(control);
    return {
      port,
      phone: (command) => phones.run(command),
      phoneEvent: (type) => phones.event(type),
      close: async () => {
        phones.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The control connection of baresip: messages are JSON with their length in front (netstrings). */
class Phones {
  private readonly socket: Socket;
  private text = '';
  private readonly waiting: { type: string; resolve: () => void }[] = [];

  static async connect(port: number): Promise<Phones> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Phones(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      for (const one of this.waiting) if (this.text.includes(`"type":"${one.type}"`)) one.resolve();
    });
  }

  run(command: string): void {
    const message = JSON.stringify({ command });
    this.socket.write(`${message.length}:${message},`);
  }

  /** The next event of that type from now. */
  event(type: string): Promise<void> {
    this.text = '';
    return new Promise((resolve) => this.waiting.push({ type, resolve }));
  }

  close(): void {
    this.socket.destroy();
  }
}

async function untilPrinted(child: ChildProcess, ready: RegExp): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const take = (bytes: Buffer) => {
      printed += bytes;
      if (ready.test(printed)) resolve();
    };
    child.stdout!.on('data', take);
    child.stderr!.on('data', take);
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended: ${printed.slice(-2000)}`)));
  });
}

async function freeDatagramPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

async function freeStreamPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const carrierConfig = (port: number) => `#!KAMAILIO
debug=1
log_stderror=yes
children=1
tcp_children=1
auto_aliases=no
alias="carrier.test"
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
${['tm', 'sl', 'rr', 'pv', 'maxfwd', 'usrloc', 'registrar', 'textops', 'siputils', 'auth', 'xlog']
  .map((name) => `loadmodule "${name}.so"`)
  .join('\n')}
modparam("auth", "qop", "auth")
modparam("auth", "nonce_count", 1)
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not Here");
    exit;
  }
  t_check_trans();
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("carrier.test", "${carrierPassword}", "0")) {
      www_challenge("carrier.test", "1");
      exit;
    }
    save("location");
    exit;
  }
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("carrier.test", "${carrierPassword}", "0")) {
      proxy_challenge("carrier.test", "1");
      exit;
    }
    consume_credentials();
    record_route();
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    t_relay();
    exit;
  }
  sl_send_reply("200", "OK");
}
event_route[core:worker-one-init] { xlog("L_ERR", "carrier is ready\\n"); }
`;

const phoneConfig = (control: number) => `poll_method epoll
sip_listen 127.0.0.1:0
audio_player aubridge,phone
audio_source aubridge,phone
audio_alert aubridge,alert
call_max_calls 4
module_path ${baresipModules}
module g711.so
module aubridge.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${control}
`;
