// No body of an unauthenticated request is read: every route rejects it based on the headers, even while the
// body is still arriving.
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The URL of a slot is its credential; the receiver has its own tests. */
const receivers = /^\/receive\//;
/**
 * Bytes in transit that are discarded so that the client can read the response, including socket buffers.
 */
const passedOver = 2 * 1024 * 1024;
const endless = 10 * 1024 * 1024;

let testServer: TestServer;
let app: FastifyInstance;

beforeAll(async () => {
  testServer = (await startTestServer({ engine: 'embedded' }))!;
  app = testServer.spaces()[0]!.app;
});
afterAll(() => testServer.stop());

test('no route reads the body of somebody unknown', { timeout: 180_000 }, async () => {
  const routes = routesOf(app).filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
  expect(routes.length).toBeGreaterThan(100);
  const failures: string[] = [];
  for (const { method, path } of routes) {
    if (receivers.test(path)) continue;
    const { status, bytes } = await flood(
      method,
      path.replace(/:\w+/g, 'x').replace(/^\*$/, '/x').replace('*', 'x'),
    );
    // Routes that accept small bodies from anyone, such as sign-in, respond that the body is too large.
    const isRefused = [401, 403, 404, 413].includes(status);
    if (!isRefused || bytes > passedOver) failures.push(`${method} ${path}: ${status} after ${bytes} bytes`);
  }
  expect(failures).toEqual([]);
});

test.each(['no credential', 'a wrong token'])('a chunked body without end and %s is cut off', async (who) => {
  const headers = who === 'a wrong token' ? ['x-authorization: Token nonsense'] : [];
  const { status, bytes } = await flood('POST', '/api/apps/alerthub/runbooks', headers, true);
  expect(status).toBe(401);
  expect(bytes).toBeLessThan(passedOver);
});

test('whoever is known but may not is refused before the body too', async () => {
  const headers = Object.entries((await testServer.transportAs(['alerthub:viewer']).headers?.()) ?? {});
  const { status, bytes } = await flood(
    'POST',
    '/api/apps/alerthub/runbooks',
    headers.map(([name, value]) => `${name}: ${value}`),
  );
  expect(status).toBe(403);
  expect(bytes).toBeLessThan(passedOver);
});

test('a body above the limit of its call is refused before it is read', async () => {
  const headers = Object.entries((await testServer.transportAs('privileged').headers?.()) ?? {});
  const { status, bytes } = await flood(
    'POST',
    '/api/apps/alerthub/scopes',
    headers.map(([name, value]) => `${name}: ${value}`),
  );
  expect(status).toBe(413);
  expect(bytes).toBeLessThan(passedOver);
});

test('a small body that is not read leaves the connection open', async () => {
  const socket = connect(Number(new URL(testServer.origin).port), '127.0.0.1');
  const post =
    'POST /api/apps/alerthub/scopes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
  let text = '';
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('close', () => reject(new Error(`closed after ${text}`)));
    socket.on('data', (chunk) => {
      text += chunk;
      const answers = text.split('HTTP/1.1 401').length - 1;
      if (answers === 1 && !text.includes('again')) {
        text += 'again';
        socket.write(post);
      } else if (answers === 2) resolve();
    });
    socket.write(post);
  });
  socket.removeAllListeners('close').destroy();
});

interface Route {
  method: string;
  path: string;
}

/** Read from the router itself, so that a new route cannot be missed. */
function routesOf(served: FastifyInstance): Route[] {
  const above: string[] = [];
  const found: Route[] = [];
  for (const line of served.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^((?:│ {3}| {4})*)(?:├── |└── )(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (!match) continue;
    const depth = match[1]!.length / 4;
    above.length = depth;
    above.push(match[2]!);
    for (const method of match[3]?.split(', ') ?? []) found.push({ method, path: above.join('') });
  }
  return found;
}

/**
 * Sends a request with an endless body until the server closes the connection; returns the status and the
 * number of bytes read.
 */
async function flood(method: string, path: string, headers: string[] = [], isChunked = false) {
  let bytes = 0;
  const count = (socket: { bytesRead: number; once(event: 'close', done: () => void): unknown }) => {
    socket.once('close', () => {
      bytes = socket.bytesRead;
      counted();
    });
  };
  let counted = () => {};
  const closed = new Promise<void>((resolve) => {
    counted = resolve;
  });
  const { server } = testServer.spaces()[0]!.app;
  server.once('connection', count);
  const socket = connect(Number(new URL(testServer.origin).port), '127.0.0.1');
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    'x-requested-with: XMLHttpRequest',
    'content-type: application/json',
    isChunked ? 'transfer-encoding: chunked' : `content-length: ${endless}`,
    ...headers,
  ];
  const piece = isChunked
    ? Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, '0'), Buffer.from('\r\n')])
    : Buffer.alloc(0x10000, '[');
  let answer = '';
  let isOpen = true;
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {
    isOpen = false;
  });
  socket.on('close', () => {
    isOpen = false;
  });
  const send = () => {
    while (isOpen && socket.write(piece));
    if (isOpen) socket.once('drain', send);
  };
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  send();
  await closed;
  socket.destroy();
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), bytes };
}
