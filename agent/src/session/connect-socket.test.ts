import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectSocket } from './connect-socket.ts';

/** Kind and hundredths of a second of the timer that a connection waits for (proc_pid_net(5)). */
function timerOf(localPort: number): { kind: string; hundredths: number } | undefined {
  const suffix = `:${localPort.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const columns = rows.map((row) => row.trim().split(/\s+/));
  const [kind, when] = columns.find(([, local]) => local!.endsWith(suffix))?.[5]?.split(':') ?? [];
  return kind === undefined ? undefined : { kind, hundredths: Number.parseInt(when!, 16) };
}

test.skipIf(process.platform !== 'linux')(
  'the system probes whether an idle host is still there',
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const socket = await connectSocket('127.0.0.1', port, new AbortController().signal);
    onTestFinished(() => void socket.destroy());
    const timer = timerOf(socket.localPort!);
    // 02 is the timer of keepalive probes.
    expect(timer?.kind).toBe('02');
    expect(timer?.hundredths).toBeLessThanOrEqual(3000);
  },
);
