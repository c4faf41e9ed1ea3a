import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentLimits, readAgentMessage } from '@yagura/core/ksocket/agent-protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendRequest } from './http-request.ts';

let server: Server;
let port: number;
let received: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ method: request.method, url: request.url, headers: request.headers, body });
    switch (request.url) {
      case '/redirect':
        return response.writeHead(302, { location: '/elsewhere' }).end();
      case '/long':
        return response.end('x'.repeat(agentLimits.answer * 4));
      case '/headers':
        return response
          .writeHead(200, { 'x-long': 'y'.repeat(15_000), 'set-cookie': ['a=1', 'b=2'] })
          .end('é');
      case '/silent':
        return;
      case '/switch':
        return request.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        );
      case '/cut':
        return response.destroy();
      default:
        return response.writeHead(201).end('ok');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
});

const policy = { allowed: ['127.0.0.1'], forbidden: [], ports: [] as number[] };
const send = (
  url: string,
  {
    seconds = 20,
    ...more
  }: { seconds?: number; policy?: typeof policy; addresses?: string[]; timeout?: AbortSignal } = {},
) =>
  sendRequest(
    {
      type: 'request',
      requestId: randomUUID(),
      url,
      method: 'POST',
      headers: { 'x-a': 'b' },
      body: 'bödy',
      seconds,
    },
    more.policy ?? policy,
    new AbortController().signal,
    {
      lookup: async () => more.addresses ?? ['127.0.0.1'],
      ...(more.timeout ? { timeout: more.timeout } : {}),
    },
  );

test.each([
  ['/', { statusCode: 201, body: 'ok', tooLong: false }],
  ['/redirect', { statusCode: 302, headers: { location: '/elsewhere' } }],
  ['/long', { statusCode: 200, tooLong: true, body: 'x'.repeat(agentLimits.answer) }],
  [
    '/headers',
    { statusCode: 200, headers: { 'x-long': 'y'.repeat(15_000), 'set-cookie': 'a=1, b=2' }, body: 'é' },
  ],
  ['/cut', { type: 'unanswered', code: 'ECONNRESET' }],
  ['/switch', { type: 'unanswered', code: 'INVALID_ANSWER' }],
])('%s', async (path, expected) => {
  const answer = await send(`http://127.0.0.1:${port}${path}`);
  expect(answer).toMatchObject(expected);
  expect(readAgentMessage(answer, 2)).toHaveProperty('message');
  expect(received).toMatchObject([{ method: 'POST', url: path, headers: { 'x-a': 'b' }, body: 'bödy' }]);
});

test('a request that waited until its deadline is not sent', async () => {
  const timeout = AbortSignal.abort();
  expect(await send(`http://127.0.0.1:${port}/`, { timeout })).toMatchObject({ code: 'TIMEOUT' });
  expect(received).toEqual([]);
});

test('a target that does not answer in time', async () => {
  expect(await send(`http://127.0.0.1:${port}/silent`, { seconds: 1 })).toMatchObject({ code: 'TIMEOUT' });
});

test.each([
  ['an address outside the policy', 'http://127.0.0.2:PORT/', {}],
  ['a name with such an address', 'http://inside.example:PORT/', { addresses: ['127.0.0.2'] }],
  ['IPv6', 'http://[::1]:PORT/', {}],
  ['an address in another notation', 'http://0x7f000002:PORT/', {}],
  ['a port outside the policy', 'http://127.0.0.1:PORT/', { policy: { ...policy, ports: [443] } }],
  ['a policy that names nothing', 'http://127.0.0.1:PORT/', { policy: { ...policy, allowed: [] } }],
  [
    'a policy that names everything but loopback',
    'http://127.0.0.1:PORT/',
    { policy: { ...policy, allowed: ['0.0.0.0/0'] } },
  ],
])('%s is refused without a connection', async (_, url, more) => {
  expect(await send(url.replace('PORT', String(port)), more)).toMatchObject({
    type: 'unanswered',
    code: 'NOT_ALLOWED_BY_SITE',
  });
  expect(received).toEqual([]);
});

test('the connection goes to the address that was checked', async () => {
  const answer = await send(`http://inside.example:${port}/`, { addresses: ['127.0.0.2', '127.0.0.1'] });
  expect(answer).toMatchObject({ statusCode: 201 });
  expect(received[0]?.headers.host).toBe(`inside.example:${port}`);
});

test.each([['ftp://127.0.0.1/'], ['not a URL'], ['file:///etc/passwd']])(
  '%s is no URL to send to',
  async (url) => {
    expect(await send(url)).toMatchObject({ type: 'unanswered', code: 'INVALID_URL' });
  },
);
