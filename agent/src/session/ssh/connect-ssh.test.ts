// What an ssh connection hands to the network, against an ssh server.
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSshHost } from '../../../test/ssh-host.ts';
import { connectSsh } from './connect-ssh.ts';
import { HostKeyFile } from './host-keys.ts';

test('the parts of a packet go to the network in one piece', async () => {
  const host = await startSshHost();
  const folder = await mkdtemp(join(tmpdir(), 'yagura-connect-ssh-'));
  onTestFinished(async () => {
    await host.close();
    await rm(folder, { recursive: true });
  });
  const endpoint = { host: '127.0.0.1', port: host.port };
  const { client } = await connectSsh({
    endpoint,
    address: endpoint.host,
    credential: { credentialType: 'password', username: 'ops', password: 'right' },
    judge: {
      endpoint,
      rules: { policy: 'accept', pins: [] },
      file: new HostKeyFile(folder),
      ask: async () => false,
    },
    serverAliveInterval: 0,
    signal: new AbortController().signal,
  });
  onTestFinished(() => void client.destroy());
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
