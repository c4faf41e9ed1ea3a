// The limit on connections of one address applies to the public port, in both ways of receiving.
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

test.each(['thread', 'process'] as const)('received by the %s', async (receiver) => {
  const env = { YAGURA_CONNECTIONS_PER_ADDRESS: '3' };
  const server = (await startTestServer({ engine: 'embedded', receiver, env }))!;
  const port = Number(new URL(server.origin).port);
  const held: Socket[] = [];
  try {
    // Connections of the set-up may still be open, so that fewer than three fit.
    let answer = '';
    while (answer === '' && held.length < 5) answer = await hold();
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    const other = await statusFrom('127.0.0.9');
    expect(other).toContain('HTTP/1.1 200');
  } finally {
    for (const socket of held) socket.destroy();
    await server.stop();
  }

  /** Opens a connection and keeps it busy with half a request; returns what the server answers at once. */
  function hold() {
    return new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      held.push(socket);
      socket.on('error', () => undefined);
      // The first request is answered; the second is never finished.
      socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\n');
      socket.once('data', (chunk) => resolve(String(chunk).startsWith('HTTP/1.1 503') ? String(chunk) : ''));
    });
  }
  function statusFrom(localAddress: string) {
    return new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      held.push(socket);
      socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
      socket.once('data', (chunk) => resolve(String(chunk)));
    });
  }
});
