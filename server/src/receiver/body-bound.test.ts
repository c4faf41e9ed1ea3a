// One memory limit for all bodies being received: posts and mails beyond it are rejected, and finished ones
// release their share.
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SlotFinder, SlotOptions } from '../alerthub/slots/slot-directory.ts';
import { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import { ManualClock } from '../common/clock.ts';
import { BodyBudget } from '../http/body/body-budget.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { ReceiveHandler } from './receive-handler.ts';
import { RefusalLog } from './refusal-log.ts';
import { startSmtpServer } from './smtp-server.ts';

const bound = 1000;
/** Of the bound, of a space alone. */
const share = 750;
const spaceId = '00000000-0000-7000-8000-000000000001';
const options: SlotOptions = {
  answer: 'accepted',
  allowPut: false,
  allowGet: false,
  deliveryIdPath: null,
  confirmSubscriptions: false,
};
const slots: SlotFinder = {
  find: (token) => {
    const kind = token.startsWith('mail') ? 'email' : 'webhook';
    return { spaceId, receiveSlotId: token, kind, endpoint: 'primary', disabled: false, options };
  },
};

let budget: BodyBudget;
/** Messages waiting to be durable; each is acknowledged by calling its function. */
let waiting: (() => void)[];
let url: string;
let mailPort: number;
let closing: (() => unknown)[];

beforeEach(async () => {
  budget = new BodyBudget(bound);
  waiting = [];
  const deps = {
    slots,
    budget,
    rateLimiter: new SlotRateLimiter(new ManualClock(), 0),
    log: () => undefined,
    refusals: new RefusalLog({
      clock: new ManualClock(),
      log: () => undefined,
      onRefused: () => undefined,
    }),
    sink: {
      receive: () => new Promise<string>((resolve) => waiting.push(() => resolve('the-id'))),
    },
  };
  const space = { spaceId, origin: 'http://localhost', host: null } as HostedSpace;
  const handler = new ReceiveHandler({
    ...deps,
    maxMailBytes: bound * 2,
    headers: {},
    addressOf: () => '127.0.0.1',
    spaceOf: () => space,
  });
  const server = createServer((request, response) => handler.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/receive/webhook/hook`;
  const mails = await startSmtpServer(deps, {
    ...{ name: 'localhost', host: '127.0.0.1', port: 0, size: bound * 2 },
    ...{ connections: 10, connectionsPerAddress: 10, tls: undefined },
  });
  mailPort = mails.port;
  closing = [() => server.close(), () => server.closeAllConnections(), () => mails.close()];
});
afterEach(async () => {
  for (const answer of waiting) answer();
  for (const close of closing) await close();
});

const post = (size: number) => fetch(url, { method: 'POST', body: 'x'.repeat(size) });
async function mail(size: number): Promise<string> {
  const client = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true });
  try {
    const to = 'mail@localhost';
    return (await client.sendMail({ from: 'a@example.com', to, text: 'x'.repeat(size) })).response;
  } finally {
    client.close();
  }
}

test('a body for which no memory is left is a 503, until those before it are on disk', async () => {
  const first = post(600);
  await expect.poll(() => waiting.length).toBe(1);
  expect(budget.usedBytes).toBe(600);
  const refused = await post(share - 600 + 1);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(await refused.json()).toMatchObject({ type: 'urn:yagura:problem:unavailable', status: 503 });
  await expect(mail(600)).rejects.toMatchObject({ responseCode: 452 });
  await expect.poll(() => budget.usedBytes).toBe(600);
  const second = post(share - 600);
  await expect.poll(() => budget.usedBytes).toBe(share);
  await expect.poll(() => waiting.length).toBe(2);
  for (const answer of waiting.splice(0)) answer();
  expect([(await first).status, (await second).status]).toEqual([202, 202]);
  expect(budget.usedBytes).toBe(0);
});

test('mails are held within the same bound', async () => {
  const stored = mail(300);
  await expect.poll(() => waiting.length).toBe(1);
  const held = budget.usedBytes;
  expect(held).toBeGreaterThan(300);
  expect((await post(share - held + 1)).status).toBe(503);
  waiting.pop()!();
  expect(await stored).toContain('the-id');
  expect(budget.usedBytes).toBe(0);
});

test('a body that breaks off, or is too large, leaves nothing behind', async () => {
  const { port } = new URL(url);
  const upload = send({
    port,
    method: 'POST',
    path: '/receive/webhook/hook',
    headers: { 'content-length': 900 },
  });
  upload.on('error', () => undefined);
  upload.write('x'.repeat(500));
  await expect.poll(() => budget.usedBytes).toBe(500);
  upload.destroy();
  await expect.poll(() => budget.usedBytes).toBe(0);
  await expect(mail(bound * 3)).rejects.toMatchObject({ responseCode: 552 });
  await expect.poll(() => budget.usedBytes).toBe(0);
  expect(waiting).toEqual([]);
});
