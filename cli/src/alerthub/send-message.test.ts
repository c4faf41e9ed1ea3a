import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { sendMessage } from './send-message.ts';

const receiveSlotId = '01a22803-838d-706a-b1fb-d4f412ffa38e';
let slot: string;
let received: { body: string; headers: IncomingHttpHeaders }[];
let answer: { status: number; body: string };

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { url } = request;
    if (url?.startsWith('/api/')) {
      const mailSlot = {
        receiveSlotId,
        displayName: 'Mails',
        kind: 'email',
        primary: 'a@alerts.example.com',
      };
      const body = url.endsWith(receiveSlotId) ? mailSlot : { items: [mailSlot], total: 1 };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    received.push({ body: Buffer.concat(parts).toString(), headers: request.headers });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
});
beforeAll(async () => {
  slot = `${await listenOnLoopback(server)}/receive/webhook/x`;
});
beforeEach(() => {
  received = [];
  answer = { status: 202, body: '{"messageId":"m-1"}' };
});
afterAll(() => server.close());

async function send(input: string, options: { header?: string[]; contentType?: string } = {}) {
  const { terminal, out } = await testTerminal({ input });
  await sendMessage(terminal, { slot, ...options });
  return out();
}

test.each([
  ['{"a":1}', {}, 'application/json'],
  ['disk full', {}, 'text/plain; charset=utf-8'],
  ['<a/>', { contentType: 'application/xml' }, 'application/xml'],
])('sends %s as it is, and prints the id', async (input, options, type) => {
  expect(await send(input, { ...options, header: ['x-from: cron'] })).toBe('m-1\n');
  expect(received).toMatchObject([{ body: input, headers: { 'content-type': type, 'x-from': 'cron' } }]);
});

test.each([
  ['an answer without an id', 200, '{"ok":true}', { kind: 'internal' }],
  ['an answer that is no JSON', 200, 'It works!', { kind: 'internal' }],
  ['a refusal', 404, '{"title":"Not found","status":404}', { status: 404 }],
])('%s is a failure', async (_what, status, body, failure) => {
  answer = { status, body };
  await expect(send('x')).rejects.toMatchObject(failure);
});

test('a receive slot for email is told its address', async () => {
  const { terminal } = await testTerminal({
    input: 'x',
    env: { YAGURA_URL: new URL(slot).origin, YAGURA_TOKEN: 't' },
  });
  await expect(sendMessage(terminal, { slot: 'Mails' })).rejects.toMatchObject({
    messageKey: 'cli.usage.mail-slot',
    params: { slot: 'Mails', address: 'a@alerts.example.com' },
  });
  expect(received).toEqual([]);
});
