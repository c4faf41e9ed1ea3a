import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { continueWhenRead } from './continue-when-read.ts';

let server: Server;

beforeEach(async () => {
  server = createServer(async (request, response) => {
    if (request.headers.authorization === undefined)
      return response.writeHead(401, { connection: 'close', 'content-length': 0 }).end();
    response.end(`took ${await text(request)}`);
  });
  server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What the server says to a client that sends its body once it is asked for it. */
function post(headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (part) => {
      if (!heard.includes(' 100 ') && `${heard}${part}`.includes(' 100 ')) socket.write('body');
      heard += part;
      if (heard.includes('took body')) socket.end();
    });
    socket.on('close', () => resolve(heard));
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n${headers}\r\n`);
  });
}

test('a caller who is rejected by the headers is not asked for a body', async () => {
  expect(await post('')).toMatch(/^HTTP\/1\.1 401 /);
});

test('a body that is read is asked for, once', async () => {
  const heard = await post('Authorization: a\r\n');
  expect(heard).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  expect(heard).toContain('took body');
});
