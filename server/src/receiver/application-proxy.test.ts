// Requests through the receiver's proxy: the application sees what the client sent, and vice versa.
import { mkdtempSync, rmSync } from 'node:fs';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApplicationProxy } from './application-proxy.ts';
import { restoreClientAddress } from './client-address.ts';

let folder: string;
let inner: Server;
let outer: Server;
let port: number;
/** Handler of the application; the client's address has been restored by then. */
let serve: (request: IncomingMessage, response: ServerResponse) => void;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-proxy-'));
  const socketPath = join(folder, 's');
  inner = createServer((request, response) => {
    restoreClientAddress(request);
    serve(request, response);
  });
  await new Promise<void>((resolve) => inner.listen(socketPath, resolve));
  const proxy = new ApplicationProxy(socketPath, { 'x-every': 'reply' });
  outer = createServer((request, response) => proxy.request(request, response));
  outer.on('checkContinue', (request, response) => proxy.request(request, response, true));
  outer.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head));
  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
  port = (outer.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of [outer, inner]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

/** A connection that writes the given bytes unchanged. */
function open(bytes: string) {
  let text = '';
  const waiting: { part: string; resolve: () => void }[] = [];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes));
  sockets.push(socket);
  socket.setEncoding('latin1').on('error', () => undefined);
  socket.on('data', (part) => {
    text += part;
    for (const one of waiting) if (text.includes(one.part)) one.resolve();
  });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  socket.on('end', () => socket.end());
  return {
    socket,
    closed,
    text: () => text,
    until: (part: string) =>
      new Promise<string>((resolve) => {
        const done = () => resolve(text);
        if (text.includes(part)) done();
        else waiting.push({ part, resolve: done });
      }),
  };
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

test('method, path, headers and body arrive as they were sent, and so does the reply', async () => {
  let seen: unknown;
  serve = async (request, response) => {
    const { method, url, rawHeaders } = request;
    seen = { method, url, rawHeaders, body: await bodyOf(request) };
    response.writeHead(207, 'Odd One', [
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-Case', 'Kept'],
    ] as never);
    response.end('the reply');
  };
  const head =
    'PATCH /a%20b/..;x?q=%00&q=2 HTTP/1.1\r\nHost: some.example\r\nX-One: 1\r\nx-one: 2\r\nAuthorization: t\r\n';
  const { until } = open(
    `${head}Connection: keep-alive, X-Mine\r\nX-Mine: gone\r\nContent-Length: 4\r\n\r\nbody`,
  );
  const reply = await until('the reply');
  expect(seen).toEqual({
    method: 'PATCH',
    url: '/a%20b/..;x?q=%00&q=2',
    rawHeaders: [
      ...['Host', 'some.example', 'X-One', '1', 'x-one', '2', 'Authorization', 't', 'Content-Length', '4'],
      ...['Connection', 'keep-alive'],
    ],
    body: 'body',
  });
  expect(reply).toMatch(/^HTTP\/1\.1 207 Odd One\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Case: Kept\r\n/);
});

test('what a proxy adds about the client stays, whatever the client names in Connection', async () => {
  serve = (request, response) => response.end(JSON.stringify(request.headers));
  const added = 'X-Forwarded-For: 192.0.2.9\r\nX-Forwarded-Host: a.example\r\nX-Forwarded-Proto: https\r\n';
  const named = 'close, x-forwarded-for, X-Forwarded-Host, x-forwarded-proto, x-mine';
  const { until } = open(`GET / HTTP/1.1\r\nHost: a\r\nConnection: ${named}\r\n${added}X-Mine: gone\r\n\r\n`);
  const { connection: _, ...seen } = JSON.parse(/\{.*\}/.exec(await until('}'))![0]);
  expect(seen).toEqual({
    ...{ host: 'a', 'x-forwarded-for': '192.0.2.9', 'x-forwarded-host': 'a.example' },
    'x-forwarded-proto': 'https',
  });
});

test.each([
  [
    'a chunked body with trailers',
    'POST',
    'Transfer-Encoding: chunked\r\nTrailer: x-sum\r\n',
    '3\r\nabc\r\n0\r\nx-sum: 7\r\n\r\n',
    'abc',
    '7',
  ],
  ['a POST without any', 'POST', '', '', '', undefined],
  ['a DELETE with one', 'DELETE', 'Content-Length: 2\r\n', 'ab', 'ab', undefined],
])('%s', async (_name, method, headers, bytes, body, sum) => {
  serve = async (request, response) => {
    const got = await bodyOf(request);
    response.writeHead(200, { trailer: 'x-end' });
    response.write(JSON.stringify({ got, sum: request.trailers['x-sum'] }));
    response.addTrailers({ 'x-end': 'done' });
    response.end();
  };
  const { until } = open(`${method} / HTTP/1.1\r\nHost: a\r\n${headers}\r\n${bytes}`);
  const reply = await until('x-end: done');
  expect(reply).toContain(JSON.stringify({ got: body, sum }));
});

test("the client's address is the connection's, whatever the client says, for every request on it", async () => {
  const seen: unknown[] = [];
  serve = (request, response) => {
    seen.push([request.socket.remoteAddress, request.socket.remotePort, request.headers['x-yagura-peer']]);
    response.end('ok');
  };
  const forged =
    'GET / HTTP/1.1\r\nHost: a\r\nX-Yagura-Peer: 10.0.0.1 1\r\nx-yagura-peer: 10.0.0.2 2\r\n\r\n';
  const { socket, until } = open(forged);
  await until('ok');
  socket.write(forged.replace('GET /', 'GET /again'));
  await expect.poll(() => seen.length).toBe(2);
  const own = ['127.0.0.1', socket.localPort, undefined];
  expect(seen).toEqual([own, own]);
});

test.each(['content-length', 'keep-alive, Content-Length', 'content-length, x-own'])(
  'a body is no second request when the client says Connection: %s',
  async (connection) => {
    const paths: string[] = [];
    serve = async (request, response) => {
      paths.push(`${request.url} ${request.headers['x-own']} ${await bodyOf(request)}`);
      response.end('done');
    };
    const body = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
    const client = open(
      `GET /shown HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nX-Own: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect((await client.closed).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    const own = connection.includes('x-own') ? undefined : '1';
    expect(paths).toEqual([`/shown ${own} ${body}`, '/next undefined ']);
  },
);

test('a body is asked for only when the application wants it', async () => {
  serve = () => undefined;
  inner.on('checkContinue', async (request, response) => {
    if (request.url === '/no') return response.writeHead(403, { connection: 'close' }).end('refused');
    response.writeContinue();
    response.end(`took ${await bodyOf(request)}`);
  });
  const head = 'HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n';
  const refused = open(`POST /no ${head}`);
  expect(await refused.closed).toMatch(/^HTTP\/1\.1 403 [\s\S]*refused/);
  const taken = open(`POST /yes ${head}`);
  expect(await taken.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 /);
  taken.socket.write('x'.repeat(100_000));
  await taken.until(`took ${'x'.repeat(100_000)}`);
});

test('a socket is handed over with what was said before and after, and ends on both sides', async () => {
  let ended = false;
  serve = () => undefined;
  inner.on('upgrade', (request, socket, head) => {
    restoreClientAddress(request);
    socket.write(
      `HTTP/1.1 101 Switching\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n${request.socket.remoteAddress} ${head}`,
    );
    socket.on('data', (part: Buffer) => socket.write(part));
    socket.on('end', () => {
      ended = true;
    });
  });
  const { socket, until } = open(
    'GET /s HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nfirst',
  );
  await until('127.0.0.1 first');
  socket.write('second');
  await until('second');
  socket.destroy();
  await expect.poll(() => ended).toBe(true);
});

test('events are told as they come, and a client that leaves ends them', async () => {
  let left = false;
  serve = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setImmediate(() => response.write('data: 1\n\n'));
    response.on('close', () => {
      left = true;
    });
  };
  const { socket, until } = open('GET /events HTTP/1.1\r\nHost: a\r\n\r\n');
  await until('data: 1');
  expect(left).toBe(false);
  socket.destroy();
  await expect.poll(() => left).toBe(true);
});

test('an upload that breaks off breaks off for the application', async () => {
  let outcome: string | undefined;
  let got = '';
  serve = (request) => {
    request.on('data', (part) => {
      got += part;
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      outcome = error.code;
    });
  };
  const { socket } = open('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\npart');
  await expect.poll(() => got).toBe('part');
  socket.destroy();
  await expect.poll(() => outcome).toBe('ECONNRESET');
});

test('a reply that breaks off breaks off for the client', async () => {
  serve = (_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half', () => response.destroy());
  };
  const { closed } = open('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await closed).toMatch(/half$/);
});

test('a client that does not read holds the application back', async () => {
  let written = 0;
  let isHeld = false;
  serve = (_request, response) => {
    const chunk = Buffer.alloc(1 << 20);
    const write = () => {
      while (written < 500) {
        written++;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
    isHeld = true;
  };
  const client = httpRequest({ port, host: '127.0.0.1', agent: new Agent() }, (reply) => reply.pause());
  client.on('error', () => undefined).end();
  await expect.poll(() => isHeld).toBe(true);
  let before = -1;
  while (before !== written) {
    before = written;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(100);
  client.destroy();
});

test('while the application is away everybody is asked to come again', async () => {
  inner.close();
  const { until } = open('POST /api/x?secret=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
  const reply = await until('}');
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(reply).toMatch(/retry-after: 2/i);
  expect(reply).toMatch(/content-type: application\/problem\+json/i);
  expect(reply).toMatch(/x-every: reply/i);
  expect(reply).not.toContain('secret');
});

test('HTTP/1.0 without the name of a host is answered, and its connection closed', async () => {
  serve = (request, response) => response.end(`host ${JSON.stringify(request.headers.host)}`);
  const { closed } = open('GET / HTTP/1.0\r\n\r\n');
  expect(await closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*host ""$/);
});

test('requests sent at once on one connection are answered in their order', async () => {
  serve = (request, response) => void setImmediate(() => response.end(`[${request.url}]`));
  const { until } = open(
    ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
  );
  const reply = await until('[/3]');
  expect(reply.match(/\[\/\d\]/g)).toEqual(['[/1]', '[/2]', '[/3]']);
});
