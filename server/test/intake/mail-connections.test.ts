// Connections to the mail port beyond its limits.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
const open: Socket[] = [];

beforeAll(async () => {
  const env = {
    YAGURA_MAIL_PORT: '0',
    YAGURA_MAIL_CONNECTIONS: '3',
    YAGURA_MAIL_CONNECTIONS_PER_ADDRESS: '2',
  };
  server = (await startTestServer({ engine: 'embedded', env }))!;
}, 60_000);
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.stop();
});

/** A client whose `reply` resolves with the next line of the server. */
async function dial(localAddress: string) {
  const socket = connect({ port: server.mailPort!, host: '127.0.0.1', localAddress });
  open.push(socket);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const reply = async () => (await lines.next()).value as string;
  const ask = (line: string) => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  return { socket, greeting: await reply(), reply, ask };
}

test('an address gets its share, and idle clients give way to new ones while those with a mail stay', async () => {
  const busy = await dial('127.0.0.2');
  expect(busy.greeting).toMatch(/^220 /);
  await busy.ask('HELO here');
  expect(await busy.ask('MAIL FROM:<a@example.com>')).toMatch(/^250 /);
  const idle = await dial('127.0.0.2');
  expect(idle.greeting).toMatch(/^220 /);
  expect((await dial('127.0.0.2')).greeting).toBe('421 4.7.0 too many connections from your address');
  const other = await dial('127.0.0.3');
  expect(other.greeting).toMatch(/^220 /);

  const late = await dial('127.0.0.4');
  expect(late.greeting).toMatch(/^220 /);
  expect(await idle.reply()).toBe('421 4.4.2 other clients need the connection');
  await once(idle.socket, 'close');
  expect(await busy.ask('NOOP')).toMatch(/^250 /);
  expect(await other.ask('NOOP')).toMatch(/^250 /);
  expect(await late.ask('NOOP')).toMatch(/^250 /);
});
