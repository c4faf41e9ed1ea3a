// An ssh connection for a session against an ssh server: what it hands to the network, and which host keys it accepts.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, onTestFinished, test, vi } from 'vitest';
import { generateHostKey, oldAlgorithms, startSshHost } from '../../../test/ssh-host.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { connectSsh } from './connect-ssh.ts';
import { HostKeyFile } from './host-keys.ts';

const { utils } = ssh2;
const rsaKey = utils.generateKeyPairSync('rsa', { bits: 2048 }).private;
const ed25519Key = generateHostKey();

function fingerprint(privateKey: string): string {
  const parsed = utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return fingerprintOf([parsed].flat()[0]!.getPublicSSH());
}

async function startHost(options: Parameters<typeof startSshHost>[0] = {}) {
  const host = await startSshHost(options);
  onTestFinished(() => host.close());
  return host;
}

/** A gateway, which keeps the host keys that it has accepted. */
async function makeGateway({ isLegacy = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-connect-ssh-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = new HostKeyFile(folder);
  return {
    file,
    folder,
    async connect(port: number, pins: string[] = [], ask?: () => Promise<boolean>) {
      const endpoint = { host: '127.0.0.1', port };
      const connection = await connectSsh({
        endpoint,
        address: endpoint.host,
        credential: { credentialType: 'password', username: 'ops', password: 'right' },
        judge: {
          endpoint,
          rules: { policy: ask ? 'ask' : 'accept', pins },
          file,
          ask: ask ?? (async () => false),
        },
        isLegacy,
        serverAliveInterval: 0,
        signal: new AbortController().signal,
      });
      onTestFinished(() => void connection.client.destroy());
      return connection;
    },
  };
}

test('the parts of a packet go to the network in one piece', async () => {
  const host = await startHost();
  const { client } = await (await makeGateway()).connect(host.port);
  /** Number of parts of each piece. */
  const pieces: number[] = [];
  const prototype = Socket.prototype as unknown as {
    _write(...given: unknown[]): void;
    _writev(parts: unknown[], ...given: unknown[]): void;
  };
  const { _write, _writev } = prototype;
  const isToHost = (socket: Socket) => socket.remotePort === host.port;
  vi.spyOn(prototype, '_write').mockImplementation(function (this: Socket, ...given) {
    if (isToHost(this)) pieces.push(1);
    return _write.apply(this as never, given);
  });
  vi.spyOn(prototype, '_writev').mockImplementation(function (this: Socket, parts, ...given) {
    if (isToHost(this)) pieces.push(parts.length);
    return _writev.call(this as never, parts, ...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await new Promise<void>((resolve, reject) => {
    client.exec('true', (error, channel) => (error ? reject(error) : channel.on('close', resolve).resume()));
  });
  expect(pieces.length).toBeGreaterThan(0);
  // Length, content and tag of each packet.
  expect(pieces.every((parts) => parts % 3 === 0)).toBe(true);
});

test('a known key is accepted at once after the host has received one of another type', async () => {
  const gateway = await makeGateway();
  const before = await startHost({ key: rsaKey });
  const { port } = before;
  expect((await gateway.connect(port)).hostKey).toBe(fingerprint(rsaKey));
  await before.close();
  const host = await startHost({ port, key: ed25519Key, moreKeys: [rsaKey] });
  expect((await gateway.connect(port)).hostKey).toBe(fingerprint(rsaKey));
  expect(host.connections()).toBe(1);
});

test('a known key of which the type is not known is found among those of the host', async () => {
  const gateway = await makeGateway();
  const host = await startHost({ key: ed25519Key, moreKeys: [rsaKey] });
  const { hostKey } = await gateway.connect(host.port, [fingerprint(rsaKey)]);
  expect(hostKey).toBe(fingerprint(rsaKey));
  // Stored without its type.
  await writeFile(gateway.file.path, JSON.stringify({ [`127.0.0.1:${host.port}`]: [fingerprint(rsaKey)] }));
  expect((await gateway.connect(host.port)).hostKey).toBe(fingerprint(rsaKey));
  // Each of the two sessions was shown the other key first.
  expect(host.connections()).toBe(4);
});

test('a host that shows no known key of any type is refused before the sign-in', async () => {
  const gateway = await makeGateway();
  const host = await startHost({ key: ed25519Key, moreKeys: [rsaKey] });
  const expected = fingerprint(generateHostKey());
  await expect(gateway.connect(host.port, [expected])).rejects.toMatchObject({
    code: 'HOST_KEY_CHANGED',
    params: { expected, found: fingerprint(ed25519Key) },
  });
  expect(host.attempts).toEqual([]);
  // The third one asked for other types, of which the host has none.
  expect(host.connections()).toBe(3);
});

test('a session fails with a reason of the gateway if its known host keys cannot be read or written', async () => {
  const gateway = await makeGateway();
  const host = await startHost();
  const failure = { code: 'SERVER_ERROR', params: { reason: 'HOST_KEY_FILE' } };
  const becomesUnwritable = async () => {
    await rm(gateway.folder, { recursive: true });
    await writeFile(gateway.folder, '');
    return true;
  };
  const cause = { code: 'ENOTDIR' };
  await expect(gateway.connect(host.port, [], becomesUnwritable)).rejects.toMatchObject({
    ...failure,
    cause,
  });
  await rm(gateway.folder);
  await mkdir(gateway.file.path, { recursive: true });
  const attempts = host.attempts.length;
  await expect(gateway.connect(host.port)).rejects.toMatchObject({ ...failure, cause: { code: 'EISDIR' } });
  expect(host.attempts).toHaveLength(attempts);
});

async function listen(server: Pick<Server, 'listen' | 'address' | 'once' | 'close'>): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server as Server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('a host that closes the connection or has other algorithms says so', async () => {
  const gateway = await makeGateway();
  const closing = await listen(createServer((socket) => socket.end()));
  await expect(gateway.connect(closing)).rejects.toMatchObject({
    ...{ code: 'UNREACHABLE', params: { reason: 'CONNECTION_CLOSED' } },
  });
  const resetting = await listen(
    createServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
  );
  await expect(gateway.connect(resetting)).rejects.toMatchObject({
    ...{ code: 'UNREACHABLE', params: { reason: expect.stringMatching(/^(ECONNRESET|CONNECTION_CLOSED)$/) } },
  });
  const old = await startHost({ key: rsaKey, algorithms: oldAlgorithms });
  await expect(gateway.connect(old.port)).rejects.toMatchObject({
    ...{ code: 'PROTOCOL', params: { reason: 'NO_COMMON_ALGORITHM' } },
  });
  const permitting = await makeGateway({ isLegacy: true });
  expect((await permitting.connect(old.port)).hostKey).toBe(old.hostKey);
});
