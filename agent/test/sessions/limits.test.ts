// What a site runs out of: room for recordings, and sessions.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest, type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasSshd } from './real-sshd.ts';
import { signingKey, silence, startRecordedSession } from './recorded-session.ts';
import { isSealValid } from './test-gateway-server.ts';

const within = { timeout: 60_000 };
const spoolBytes = 512 * 1024;
const isRoot = process.getuid!() === 0;

const spoolOf = ({ stateFolder }: GatewayUnderTest) => join(stateFolder, 'session-logs');

/** A file system of its own for the recordings. Only root may mount it. */
function limitSpool(gateway: GatewayUnderTest): void {
  const folder = spoolOf(gateway);
  mkdirSync(folder, { recursive: true });
  if (!isRoot) return;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${spoolBytes}`, 'tmpfs', folder], { stdio: 'pipe' });
  afterTest(() => execFileSync('umount', ['-l', folder]));
}

/** Others have no file system to fill: they lose the right to write to its folders. */
function denySpool(gateway: GatewayUnderTest, sessionId: string): void {
  if (isRoot) return;
  const folder = join(spoolOf(gateway), sessionId);
  for (const part of readdirSync(folder)) chmodSync(join(folder, part), 0o500);
}

/** Fills the spool, whose content the server does not take. */
async function fillSpool(strict: boolean) {
  const { gateway, sessionId, viewer } = await startRecordedSession(
    { server: { storesLogs: false }, prepare: limitSpool },
    strict,
  );
  await silence(viewer);
  denySpool(gateway, sessionId);
  await viewer.type(`head -c ${3 * spoolBytes} /dev/zero | tr '\\0' x; echo; echo filled-$((6*7))\r`);
  return { gateway, sessionId, viewer };
}

test.skipIf(!hasSshd)('a session that must be recorded ends when the disk is full', within, async () => {
  const { gateway, sessionId, viewer } = await fillSpool(true);
  expect(await gateway.server.next('failed')).toMatchObject({ sessionId, code: 'RECORDING_FAILED' });
  await viewer.gets('state', { state: 'failed', code: 'RECORDING_FAILED' });
  await viewer.isEnded('end');
  expect(gateway.lines).toContainEqual(
    expect.objectContaining({
      message: 'a session cannot be recorded',
      sessionId,
      reason: isRoot ? 'ENOSPC' : 'EACCES',
    }),
  );
});

test.skipIf(!hasSshd)(
  'another session goes on when the disk is full, with a log that is cut',
  within,
  async () => {
    const { gateway, sessionId, viewer } = await fillSpool(false);
    await viewer.gets('recording', { isRecording: false });
    await viewer.sees('filled-42');
    const late = await gateway.attach(sessionId, { mode: 'watch' });
    await late.gets('recording', { isRecording: false });
    gateway.server.storesLogs = true;
    gateway.server.drop();
    await gateway.server.next('hello');
    const parts = () => [...gateway.server.parts].filter(([key]) => key.startsWith(sessionId));
    await expect
      .poll(
        () =>
          parts()
            .map(([key]) => key.split(' ')[1])
            .sort(),
        within,
      )
      .toEqual(['text', 'video']);
    const back = await gateway.attach(sessionId);
    await back.type('exit\r');
    await gateway.server.next('ended');
    // Neither log has an end: what followed is in none of them.
    for (const [, part] of parts()) expect(isSealValid(part, signingKey(gateway))).toBe(false);
    const ends = gateway.server.messages.filter(({ type }) => type === 'sealed' || type === 'log-end');
    expect(ends).toEqual([]);
  },
);

test('of 100 sessions asked for at once, those above the limit are refused', within, async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  afterTest(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const maxSessions = 30;
  const gateway = await startGatewayUnderTest({ sessions: { maxSessions } });
  const { port } = silent.address() as { port: number };
  const credential = await gateway.credential({
    ...{ credentialType: 'password', username: 'nobody', password: 'secret' },
  });
  const asked = Array.from({ length: 100 }, () => gateway.open({ port, credential }));
  const refused = [];
  for (let count = maxSessions; count < asked.length; count++)
    refused.push(await gateway.server.next('failed'));
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CONNECTION_LIMIT_REACHED']));
  expect(new Set(refused.map(({ sessionId }) => sessionId))).toEqual(new Set(asked.slice(maxSessions)));
  await expect.poll(() => sockets.size, within).toBe(maxSessions);
  // A session that has ended makes room for one more.
  gateway.server.send({ type: 'close', sessionId: asked[0]! });
  gateway.open({ port, credential });
  await expect.poll(() => sockets.size, within).toBe(maxSessions + 1);
});

test('a session that is over does not come back', within, async () => {
  const gateway = await startGatewayUnderTest();
  const host = createServer((socket) => socket.end());
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  afterTest(() => host.close());
  const { port } = host.address() as AddressInfo;
  // The server has not heard that it has failed, and orders it again.
  const order = { protocol: 'rdp', port } as const;
  const sessionId = gateway.open(order);
  expect(await gateway.server.next('failed')).toMatchObject({ sessionId, code: 'UNREACHABLE' });
  gateway.open({ ...order, sessionId });
  expect(await gateway.server.next('failed')).toMatchObject({ sessionId, code: 'SESSION_CLOSED' });
});
