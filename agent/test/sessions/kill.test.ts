// A gateway that is killed: what it recorded is uploaded by the next one and stays without an end.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamLimits } from '@yagura/core/greac/stream/frame';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { startAgent } from '../run-agent.ts';
import { afterTest, makeKroker } from './gateway-under-test.ts';
import { hasSshd, startRealSshd } from './real-sshd.ts';
import { startTestGatewayServer } from './test-gateway-server.ts';
import { TestViewer } from './test-viewer.ts';

/** Number of the last chunk in a folder up to the first that is not complete, which counts if it is not empty. */
function lastUsableChunk(folder: string): number {
  const chunks = readdirSync(folder)
    .filter((name) => name.endsWith('.age'))
    .sort();
  const sizeOf = (name: string) => statSync(join(folder, name)).size;
  const cut = chunks.findIndex((name) => sizeOf(name) < streamLimits.logChunk);
  if (cut < 0) return parseInt(chunks.at(-1)!, 10);
  return parseInt(chunks[cut]!, 10) - (sizeOf(chunks[cut]!) === 0 ? 1 : 0);
}

/** An agent of its own process with one ssh session, which is watched. */
async function startSession() {
  const sshd = await startRealSshd();
  const server = await startTestGatewayServer();
  const folder = mkdtempSync(join(tmpdir(), 'yagura-gateway-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  const kroker = await makeKroker(server.origin);
  write('kroker.json', JSON.stringify(kroker));
  write(
    'agent.toml',
    `url = "${server.origin}"\nstateFolder = "state"\n[gateway]\nkeyFile = "kroker.json"\n[sessions]\nallowed = ["127.0.0.1"]\nports = []\n`,
  );
  let agent: ReturnType<typeof startAgent>;
  const start = () => {
    agent = startAgent(['run', '--settings', join(folder, 'agent.toml')]);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (agent.exitCode !== null || agent.signalCode !== null) return;
    const exited = once(agent, 'exit');
    agent.kill(signal);
    await exited;
  };
  afterTest(async () => {
    await end('SIGTERM');
    await server.close();
    await sshd.close();
    rmSync(folder, { recursive: true, force: true });
  });
  start();
  const { signingKey } = await server.next('hello');
  const sessionId = randomUUID();
  const recording = {
    keyId: randomUUID(),
    publicKey: await identityToRecipient(await generateIdentity()),
    strict: true,
  };
  const to = { krokerId: kroker.krokerId, publicKey: kroker.privateKey };
  server.send({
    ...{ type: 'open', sessionId, protocol: 'ssh', host: '127.0.0.1', port: sshd.port, parameters: {} },
    ...{ hostKey: { policy: 'accept', pins: [] }, recording, fileTransfer: null },
    credential: await encryptCredential(sshd.credential, to),
  });
  const viewer = await TestViewer.attach(server, kroker, sessionId);
  await viewer.gets('state', { state: 'connected' });
  return { server, folder, sessionId, signingKey, viewer, start, end };
}

test.skipIf(!hasSshd)('a log is cut where its gateway was killed', { timeout: 120_000 }, async () => {
  const { server, folder, sessionId, signingKey, viewer, start, end } = await startSession();
  await viewer.type('yes | head -c 600000; echo done-$((6*7))\r');
  await viewer.sees('done-42');
  const partOf = (kind: string) => server.parts.get(`${sessionId} ${kind} 1`);
  await expect.poll(() => partOf('video')?.chunks.length, { timeout: 30_000 }).toBeGreaterThan(1);
  await end('SIGKILL');
  const last = lastUsableChunk(join(folder, 'state/session-logs', sessionId, 'video-1'));
  start();
  // The session is gone, the key of the seals is the same, and the rest of the part arrives.
  expect(await server.next('hello')).toMatchObject({ sessions: [], signingKey });
  await expect.poll(() => partOf('video')!.chunks.length, { timeout: 30_000 }).toBe(last + 1);
  expect(partOf('video')!.chunks.every((chunk) => chunk.length > 0)).toBe(true);
  expect(partOf('video')!.sealed).toBeUndefined();
  expect(server.ends.size).toBe(0);
});

test.skipIf(!hasSshd)(
  'the server and viewers are told that a gateway stops',
  { timeout: 120_000 },
  async () => {
    const { server, sessionId, viewer, end } = await startSession();
    await end('SIGTERM');
    expect(await server.next('ended')).toMatchObject({ sessionId, reason: 'disconnected' });
    await viewer.gets('state', { state: 'ended', code: 'disconnected' });
  },
);
