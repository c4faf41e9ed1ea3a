import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acceptWebSocketUpgrades } from './websocket-upgrades.ts';

let server: Server;
let requests: IncomingMessage[];

beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    requests.push(request);
    response.end(`${request.method} ${request.url} ${await text(request)}`);
  });
  acceptWebSocketUpgrades(server, (_request, socket, head) => socket.end(`socket ${head}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What the server sends until it ends the connection. */
function exchange(head: string, ...rest: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${head.replaceAll('\n', '\r\n')}\r\n\r\n`, 'latin1');
  for (const part of rest) setImmediate(() => socket.write(part));
  return text(socket);
}

const http2 = 'Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAARAAAAA';

test('a request that offers HTTP/2 is answered without', async () => {
  const reply = await exchange(
    `POST /receive?a=1 HTTP/1.1\nHost: a\nX-Own: \u00fc\n${http2}\nContent-Length: 9`,
    'body ',
    'here',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 200 [\s\S]*POST \/receive\?a=1 body here/);
  expect(requests[0]!.headers).toEqual({
    connection: 'close',
    host: 'a',
    'x-own': '\u00fc',
    'content-length': '9',
  });
});

test('what follows on the connection is not read as a request', async () => {
  await exchange(`GET / HTTP/1.1\nHost: a\n${http2}`, 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(requests.map(({ url }) => url)).toEqual(['/']);
});

test('a WebSocket is handed over', async () => {
  expect(await exchange('GET / HTTP/1.1\nHost: a\nConnection: Upgrade\nUpgrade: WebSocket', 'x')).toMatch(
    /^socket/,
  );
  expect(requests).toEqual([]);
});
