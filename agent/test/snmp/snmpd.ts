// The real snmpd on a loopback port, with its state in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/sbin/snmpd';

/** Why there is no snmpd; in CI, where it is installed, its absence is an error. */
export function whyNoSnmpd(): string | undefined {
  if (existsSync(program)) return undefined;
  if (process.env.CI === 'true') throw new Error(`${program} is not installed`);
  return `${program} is not installed`;
}

export interface Snmpd {
  port: number;
  close(): Promise<void>;
}

/** `lines` are of snmpd.conf. */
export async function startSnmpd(lines: readonly string[]): Promise<Snmpd> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-snmpd-'));
  const port = await freeUdpPort();
  writeFileSync(join(folder, 'snmpd.conf'), `${lines.join('\n')}\n`, { mode: 0o600 });
  const child = spawn(
    program,
    [
      '-f',
      '-C',
      '-c',
      join(folder, 'snmpd.conf'),
      '-Lo',
      '-I-smux',
      '-x',
      join(folder, 'agentx'),
      `udp:127.0.0.1:${port}`,
    ],
    {
      env: { ...process.env, MIBS: '', SNMP_PERSISTENT_DIR: folder, SNMPCONFPATH: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    await listening(child);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    async close() {
      const ended = once(child, 'close');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** snmpd prints its version when it listens. */
function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('NET-SNMP version')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error('snmpd did not start')));
  });
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}
