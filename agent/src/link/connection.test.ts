import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { systemTiming } from '../pace.ts';
import { keepConnected } from './connection.ts';

test('a stop while the token is read opens no connection', async () => {
  const opened: unknown[] = [];
  const server = createServer((socket) => {
    opened.push(socket);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = new AbortController();
  const deps = {
    url: `http://127.0.0.1:${port}`,
    readToken: async () => {
      stop.abort();
      return 'token';
    },
    ...{ log: () => {}, timing: systemTiming, random: () => 0, now: Date.now },
  };
  const begin = () => ({ opened: () => {}, received: () => {}, ended: () => false });
  await keepConnected(deps, { path: '/', silenceMs: 1000, connectMs: 1000, begin }, stop.signal);
  expect(opened).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});
