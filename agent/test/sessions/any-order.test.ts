// Server, gateway, host and viewer of a recorded session are killed, each time in another order and in the middle of
// output: what was recorded is readable without a gap, the verdict tells the truth, and the next session works.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeLog } from '@yagura/core/greac/log-judgement';
import type { SessionLogParts } from '@yagura/core/greac/session';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { callApi, type Item } from '@yagura/fixtures/testbed/api';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { StreamViewer } from '@yagura/fixtures/testbed/stream-viewer';
import { createUserToken } from '@yagura/fixtures/testbed/user-token';
import { Decrypter } from 'age-encryption';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startAgent } from '../run-agent.ts';
import { hasSshd, type RealSshd, startRealSshd } from './real-sshd.ts';

const isBuilt = existsSync(fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url)));
const canRun = hasSshd && isBuilt;
if (!canRun) console.info('skipped: sshd or server/dist/main.js is missing');
const token = 't'.repeat(48);
const password = 'Kept-through-restarts-1';
const within = { timeout: 120_000 };
type Part = 'server' | 'gateway' | 'host' | 'viewer';
const orders: Part[][] = [
  ['server', 'gateway', 'host', 'viewer'],
  ['gateway', 'host', 'viewer', 'server'],
  ['host', 'viewer', 'server', 'gateway'],
  ['viewer', 'server', 'host', 'gateway'],
];

let folder: string;
let sshd: RealSshd;
let server: ServerProcess;
let agent: ChildProcess;
let krokerId: string;
let destinationId: string;
let identity: string;
const startOn = (port: number) =>
  startServer({
    ...{ data: join(folder, 'data'), port },
    env: { YAGURA_BOOTSTRAP_TOKEN: token, YAGURA_ADMIN_PASSWORD: password },
  });
const get = (path: string) => callApi(server, 'GET', path);
const post = (path: string, body: Item = {}) => callApi(server, 'POST', path, body);

beforeAll(async () => {
  if (!canRun) return;
  folder = mkdtempSync(join(tmpdir(), 'yagura-any-order-'));
  sshd = await startRealSshd();
  server = await startOn(await freePort());
  const headers = () => ({ 'x-authorization': `Token ${server.token}` });
  const machine = await setUpKroker({ fetch, origin: server.origin, headers }, { displayName: 'Site' });
  krokerId = machine.krokerId;
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', machine.privateKey);
  const key = { url: server.origin, krokerId, token: machine.token, privateKey: { kty, crv, x, y, d } };
  writeFileSync(join(folder, 'kroker.json'), JSON.stringify(key), { mode: 0o600 });
  writeFileSync(
    join(folder, 'agent.toml'),
    `url = "${server.origin}"\nstateFolder = "state"\n[gateway]\nkeyFile = "kroker.json"\n[sessions]\nallowed = ["127.0.0.1"]\nports = []\n`,
    { mode: 0o600 },
  );
  agent = startAgent(['run', '--settings', join(folder, 'agent.toml')]);
  await isConnected();
  const { credentialId } = await post(`/api/apps/kroker/krokers/${krokerId}/credentials`, {
    ...{ displayName: 'test user', credentialType: 'private-key' },
    encryptedData: await encryptCredential(sshd.credential, { krokerId, publicKey: machine.publicKey }),
  });
  const logKey = await post('/api/apps/greac/log-keys/refresh');
  identity = String((await get(`/api/apps/greac/log-keys/${logKey.keyId}/private-key`)).privateKey);
  ({ destinationId } = (await post('/api/apps/greac/destinations', {
    ...{ displayName: 'loopback', protocol: 'ssh', host: '127.0.0.1', port: sshd.port, krokerId },
    ...{ credentialId, hostKeyPolicy: 'accept', strictRecording: true },
  })) as { destinationId: string });
}, 240_000);

afterAll(async () => {
  if (!canRun) return;
  await kill(agent);
  await server.stop();
  await sshd.close();
  rmSync(folder, { recursive: true, force: true });
});

async function isConnected(): Promise<void> {
  const state = async () => (await get(`/api/apps/kroker/krokers/${krokerId}`)).connectionState;
  await vi.waitUntil(async () => (await state()) === 'connected', within);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** The process of sshd that serves one connection; it ends by itself when the gateway is gone. */
function killConnection(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function openSession(): Promise<{ sessionId: string; viewer: StreamViewer }> {
  const { sessionId } = (await post('/api/apps/greac/sessions', { destinationId })) as { sessionId: string };
  const viewer = new StreamViewer(server, sessionId);
  await viewer.until(() => viewer.received > 0);
  return { sessionId, viewer };
}

/** Reads what belongs to the logs of a session, as its user. */
async function readLogs(sessionId: string, path: string, userToken: string): Promise<Response> {
  const headers = { authorization: `Bearer ${userToken}`, 'x-requested-with': 'XMLHttpRequest' };
  const response = await fetch(`${server.origin}/api/internal/apps/greac/sessions/${sessionId}/${path}`, {
    headers,
  });
  expect(response.status, path).toBe(200);
  return response;
}

async function decryptText(response: Response): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const reader = (await decrypter.decrypt(response.body!)).getReader();
  let text = '';
  const decoder = new TextDecoder();
  // A part without its end is readable up to its last complete block.
  for (;;) {
    const read = await reader.read().catch(() => ({ done: true as const, value: undefined }));
    if (read.done) return text;
    text += decoder.decode(read.value, { stream: true });
  }
}

test.skipIf(!canRun).each(orders)(
  'killed in this order: %s, %s, %s, %s',
  { timeout: 400_000 },
  async (...order) => {
    const { sessionId, viewer } = await openSession();
    const pidFile = join(folder, 'pid');
    viewer.type(
      `stty -echo; PS1=; echo $PPID > ${pidFile}; pad=$(printf %0200d 0); ` +
        'n=0; while :; do n=$((n+1)); echo "mark-$n-end $pad"; done\r',
    );
    await viewer.until(() => viewer.received > 2_000_000);
    const killPart: Record<Part, () => Promise<unknown>> = {
      server: () => server.kill(),
      gateway: () => kill(agent),
      host: async () => killConnection(Number(readFileSync(pidFile, 'utf8'))),
      viewer: async () => viewer.kill(),
    };
    for (const part of order) await killPart[part]();
    viewer.kill();
    server = await startOn(Number(new URL(server.origin).port));
    agent = startAgent(['run', '--settings', join(folder, 'agent.toml')]);
    await isConnected();

    const session = () => get(`/api/apps/greac/sessions/${sessionId}`);
    await expect.poll(async () => (await session()).status, within).toBe('closed');
    const user = await createUserToken(server.origin, { email: server.adminEmail, password });
    const logParts = async () =>
      (await (await readLogs(sessionId, 'log-parts', user)).json()) as SessionLogParts;
    // The gateway of before wrote it; the one of now uploads it.
    await expect
      .poll(async () => (await logParts()).items.find(({ kind }) => kind === 'text')?.bytes ?? 0, within)
      .toBeGreaterThan(100_000);
    for (const kind of ['text', 'video'] as const)
      expect(['cut', 'complete'], kind).toContain((await judgeLog(kind, await logParts())).verdict);
    // A gateway that was killed during the session has signed no end.
    if (order.indexOf('gateway') < order.indexOf('host'))
      expect((await judgeLog('text', await logParts())).verdict).toBe('cut');
    const marks = [
      ...(await decryptText(await readLogs(sessionId, 'text-log?part=1', user))).matchAll(
        /\tmark-(\d+)-end 0{200}$/gm,
      ),
    ].map(([, number]) => Number(number));
    expect(marks.length).toBeGreaterThan(100);
    expect(marks).toEqual(marks.map((_, index) => index + 1));

    const next = await openSession();
    next.viewer.type('echo works-$((6*7))\r');
    await next.viewer.sees('works-42');
    next.viewer.leave();
    await post(`/api/apps/greac/sessions/${next.sessionId}/close`);
  },
);
