import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { openSession } from '../signin/session.ts';
import { fetchReply } from './fetch-reply.ts';

let server: Server;
let env: Record<string, string>;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end('last'), 150);
    if (request.url === '/slow') response.write('first ');
  });
  env = { YAGURA_URL: await listenOnLoopback(server), YAGURA_TOKEN: 't' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a server that never replies is told, a slow body is waited for', async () => {
  const { transport, origin } = openSession((await testTerminal({ env })).terminal);
  await expect(fetchReply(transport, '/never', {}, 50)).rejects.toMatchObject({
    kind: 'unreachable',
    detail: `${origin}, from YAGURA_URL (no response within 0.05 s)`,
  });
  expect(await (await fetchReply(transport, '/slow', {}, 100)).text()).toBe('first last');
});

test('Ctrl-C stays an abort', async () => {
  const { transport } = openSession((await testTerminal({ env })).terminal);
  const stop = new AbortController();
  const waiting = fetchReply(transport, '/never', { signal: stop.signal }, 5000);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
