// Connections that send no complete request in time.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClientErrorHandler } from './client-error.ts';

let server: Server;
beforeEach(async () => {
  server = createServer({ headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10 });
  server.on('clientError', createClientErrorHandler({ 'x-content-type-options': 'nosniff' }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What the server sends until it closes the connection. */
function received(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

test('one that has sent nothing is closed without a response', async () => {
  expect(await received('')).toBe('');
});

test('one that has sent a part of the headers gets a 400', async () => {
  const response = await received('GET / HTTP/1.1\r\nhost: a\r\nx-');
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('\r\nx-content-type-options: nosniff\r\n');
});
