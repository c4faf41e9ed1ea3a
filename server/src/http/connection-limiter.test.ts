// Limits on connections, with real sockets on loopback addresses and a simulated clock.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import { limitConnections } from './connection-limiter.ts';

const sockets: Socket[] = [];
let server: Server;
let port: number;
let clock: ManualClock;
let lines: LogLine[];
/** Paths that the handler received; those with `/wait` are answered by the test. */
let received: string[];
let waiting: ServerResponse[];
/** The server's ends of the connections. */
let accepted: Socket[];

async function start(limits: {
  connections: number;
  connectionsPerAddress: number;
  trustedProxies?: string[];
}) {
  clock = new ManualClock();
  lines = [];
  received = [];
  waiting = [];
  accepted = [];
  server = createServer((request, response) => {
    received.push(request.url!);
    if (request.url === '/wait') waiting.push(response);
    else response.end('served');
  });
  server.on('connection', (socket) => accepted.push(socket));
  limitConnections(server, {
    ...{ trustedProxies: [], headers: { 'x-content-type-options': 'nosniff' } },
    ...limits,
    ...{ clock, log: (line) => lines.push(line) },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
}
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** A client; `send` resolves with what has arrived once it contains the text or the connection is closed. */
async function open(localAddress = '127.0.0.1', allowHalfOpen = false) {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen });
  sockets.push(socket);
  let text = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const arrived = (part: string) =>
    new Promise<string>((resolve) => {
      const check = () => text.includes(part) && resolve(text);
      socket.on('data', check);
      socket.once('close', () => resolve(text));
      check();
    });
  socket.on('data', (chunk) => (text += chunk)).on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    socket,
    closed,
    send(path: string, part: string) {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      return arrived(part);
    },
    arrived,
  };
}

test('one address gets a 503 beyond its limit, others are served, and it is served again later', async () => {
  await start({ connections: 100, connectionsPerAddress: 2 });
  const first = await open();
  const second = await open();
  await first.send('/1', 'served');
  await second.send('/2', 'served');

  const third = await open();
  const answer = await third.send('/refused', '}');
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toContain('retry-after: 5\r\n');
  expect(answer).toContain('too many connections');
  expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n');
  const other = await open('127.0.0.2');
  expect(await other.send('/other', 'served')).toContain('200 OK');

  first.socket.destroy();
  await once(accepted[0]!, 'close');
  expect(await (await open()).send('/again', 'served')).toContain('200 OK');
  expect(received).toEqual(['/1', '/2', '/other', '/again']);
});

test('a trusted proxy carries many clients', async () => {
  await start({ connections: 100, connectionsPerAddress: 1, trustedProxies: ['127.0.0.0/24'] });
  for (const path of ['/1', '/2', '/3'])
    expect(await (await open()).send(path, 'served')).toContain('200 OK');
});

test('at the total limit idle connections give way, busy ones do not', async () => {
  await start({ connections: 2, connectionsPerAddress: 2 });
  const busy = await open();
  const answered = busy.send('/wait', 'late');
  const idle = await open('127.0.0.2');
  await idle.send('/idle', 'served');

  const third = await open('127.0.0.3');
  const waits = third.send('/wait', 'late');
  await idle.closed;
  while (waiting.length < 2) await once(server, 'request');
  const fourth = await open('127.0.0.4');
  expect(await fourth.arrived('}')).toContain('503');
  for (const response of waiting) response.end('late');
  expect(await answered).toContain('late');
  expect(await waits).toContain('late');
});

test('refusals are logged once a minute with their number, and close after a second', async () => {
  await start({ connections: 100, connectionsPerAddress: 1 });
  await (await open()).send('/1', 'served');
  // The clients do not close their side.
  const refused = [await open(undefined, true), await open(undefined, true), await open(undefined, true)];
  for (const one of refused) await one.arrived('}');
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'a connection was refused: too many are open',
      limit: 'connectionsPerAddress',
      address: '127.0.0.1',
    },
  ]);
  const closed = accepted.slice(1).map((socket) => once(socket, 'close'));
  clock.advance(1000);
  await Promise.all(closed);
  clock.advance(60_000);
  expect(lines.slice(1)).toEqual([
    { level: 'warn', message: 'connections were refused: too many are open', count: 2 },
  ]);
});
