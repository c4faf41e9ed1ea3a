// Limits on what unauthenticated clients and senders can make the receiver buffer and read, in its own thread
// and in the application's.
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';
interface Slot {
  receiveSlotId: string;
  primary: string;
  secondary: string;
}

/** Posts the given number of messages in sequence, from a thread that is not blocked by other work. */
const sender = `
const { parentPort, workerData: { url, count, done } } = require('node:worker_threads');
(async () => {
  const replies = [];
  for (let index = 0; index < count; index++) {
    const reply = await fetch(url, { method: 'POST', body: 'post ' + index, signal: AbortSignal.timeout(10000) });
    replies.push({ status: reply.status, ...(await reply.json()) });
  }
  return replies;
})().catch((error) => String(error)).then((outcome) => {
  parentPort.postMessage(outcome);
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});`;

describe.each(['thread', 'process'] as const)('received by the %s', (receiver) => {
  let server: TestServer;
  let callApi: ApiCall;
  beforeAll(async () => {
    const env = { YAGURA_MAIL_PORT: '0', YAGURA_SLOT_RATE: '50' };
    server = (await startTestServer({ engine: 'embedded', receiver, env }))!;
    callApi = createApiCall(server.transportAs('privileged'));
  });
  afterAll(() => server?.stop());

  const make = async (change = {}) => {
    const body = { displayName: `slot ${Math.random()}`, ...change };
    return (await callApi('POST', `${api}/receive-slots`, body)).data as Slot;
  };
  const total = async () => ((await callApi('GET', `${api}/message/list`)).data as { total: number }).total;

  /**
   * Sends raw bytes and returns the response once the connection has ended or the expected text has arrived;
   * nothing more is sent.
   */
  function raw(bytes: string, until?: string) {
    return new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        answer += chunk;
        if (until && answer.includes(until)) socket.destroy();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  }
  const head = (url: string, ...headers: string[]) =>
    [`POST ${new URL(url).pathname} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

  test('nobody is asked for a body that nobody wants', async () => {
    const slot = await make();
    const unknown = slot.primary.replace(/[^/]{43}$/, 'A'.repeat(43));
    const disabled = await make({ disabled: true });
    const large = 'Content-Length: 10485760';
    const tooLarge = 'Content-Length: 10485761';
    const expects = 'Expect: 100-continue';
    for (const [bytes, status] of [
      [head(unknown, large), 404],
      [head(unknown, large, expects), 404],
      [head(unknown, 'Transfer-Encoding: chunked'), 404],
      [head(disabled.primary, large, expects), 403],
      [head(slot.primary, tooLarge), 413],
      [head(slot.primary, tooLarge, expects), 413],
    ] as const) {
      // The complete response arrives and the connection ends, without a byte of the body.
      const reply = await raw(bytes);
      expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(reply).toContain('urn:yagura:problem:');
      expect(reply).toMatch(/connection: close/i);
    }
    const taken = head(slot.primary, 'Content-Length: 2', expects);
    expect(await raw(taken, 'HTTP/1.1 100')).toMatch(/^HTTP\/1\.1 100 /);
  });

  test('a chunked body over the limit is refused where it passes it', async () => {
    const slot = await make();
    const before = await total();
    const chunk = `${(1 << 20).toString(16)}\r\n${'x'.repeat(1 << 20)}\r\n`;
    const reply = await raw(head(slot.primary, 'Transfer-Encoding: chunked') + chunk.repeat(11));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(await total()).toBe(before);
  });

  test('a small body that is refused leaves the connection usable', async () => {
    const slot = await make({ disabled: true });
    const one = `${head(slot.primary, 'Content-Length: 5')}hello`;
    const reply = await raw(one + one.replace('Host', 'Connection: close\r\nHost'));
    expect(reply.match(/HTTP\/1\.1 403 /g)).toHaveLength(2);
  });

  test('bombs of headers are a 431', async () => {
    const slot = await make();
    const bomb = Array.from({ length: 10_000 }, (_, index) => `x-${index}: 1`);
    expect(await raw(head(slot.primary, ...bomb))).toMatch(/^HTTP\/1\.1 431 [\s\S]*problem:header-too-large/);
  });

  test('a change of a slot holds from its answer on', async () => {
    const slot = await make();
    const path = `${api}/receive-slots/${slot.receiveSlotId}`;
    const status = async (url: string) => (await post(url, String(Math.random()))).status;
    expect(await status(slot.primary)).toBe(202);
    for (let turn = 0; turn < 5; turn++) {
      const shown = (await callApi('GET', path)).data as Record<string, unknown>;
      expect((await callApi('PUT', path, { ...shown, disabled: true })).status).toBe(200);
      expect(await status(slot.primary)).toBe(403);
      expect((await callApi('PUT', path, { ...shown, disabled: false })).status).toBe(200);
      expect(await status(slot.primary)).toBe(202);
    }
    const renewed = (await callApi('POST', `${path}/regenerate`, { address: 'primary' })).data as Slot;
    expect([await status(slot.primary), await status(renewed.primary), await status(slot.secondary)]).toEqual(
      [404, 202, 202],
    );
    expect((await callApi('DELETE', path)).status).toBe(200);
    expect([await status(renewed.primary), await status(slot.secondary)]).toEqual([404, 404]);
  });

  test('a slot takes so many messages in a minute and no more', async () => {
    const slot = await make();
    const statuses: number[] = [];
    for (let index = 0; index < 60; index++) statuses.push((await post(slot.primary, String(index))).status);
    expect(statuses.slice(0, 50).every((status) => status === 202)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  test('a mail goes the same way', async () => {
    const slot = await make({ kind: 'email' });
    const client = createTransport({ host: '127.0.0.1', port: server.mailPort!, ignoreTLS: true });
    const sent = await client.sendMail({
      from: 'a@example.com',
      to: slot.primary,
      subject: 'by mail',
      text: 'x',
    });
    client.close();
    const messageId = /stored as (\S+)/.exec(sent.response)![1]!;
    const shown = await callApi('GET', `${api}/message/detail/${messageId}`);
    expect(shown.data).toMatchObject({ summary: 'by mail' });
  });

  if (receiver === 'process') return;

  test('posts are answered while the application is busy, and are in the store after it', async () => {
    const slot = await make();
    const done = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(sender, { eval: true, workerData: { url: slot.primary, count: 20, done } });
    const outcome = new Promise((resolve) => worker.once('message', resolve));
    // Blocks this thread, the application's, until all posts have been answered.
    expect(Atomics.wait(done, 0, 0, 30_000)).not.toBe('timed-out');
    const replies = (await outcome) as { status: number; messageId: string }[];
    expect(replies.map(({ status }) => status)).toEqual(new Array(20).fill(202));
    await worker.terminate();
    for (const { messageId } of replies)
      expect((await callApi('GET', `${api}/message/detail/${messageId}`)).status).toBe(200);
  });

  test('a server whose receiver is a thread stops and starts again', async () => {
    const own = (await startTestServer({ engine: 'embedded', receiver }))!;
    try {
      expect((await fetch(`${own.origin}/readyz`)).status).toBe(200);
      await own.restart();
      expect((await fetch(`${own.origin}/readyz`)).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  test('what was stored before a start is known: a repeat hears the id of the first', async () => {
    const own = (await startTestServer({ engine: 'embedded', receiver }))!;
    try {
      const list = createApiCall(own.transportAs('privileged'));
      const made = await list('POST', `${api}/receive-slots`, { displayName: 'repeated' });
      const { primary, secondary } = made.data as Slot;
      const send = async (url: string, body: string, headers = {}) => {
        const reply = await post(url, body, headers);
        expect(reply.status).toBe(202);
        return ((await reply.json()) as { messageId: string }).messageId;
      };
      const key = { 'idempotency-key': 'of a post whose answer was cut off' };
      const keyed = await send(primary, 'keyed', key);
      const duplicate = await send(primary, 'to both addresses');
      await own.settled();
      await own.restart();
      // The port has changed.
      const moved = (url: string) => own.origin + new URL(url).pathname;
      expect(await send(moved(primary), 'keyed', key)).toBe(keyed);
      expect(await send(moved(secondary), 'to both addresses')).toBe(duplicate);
      expect((await list('GET', `${api}/message/list`)).data).toMatchObject({ total: 2 });
    } finally {
      await own.stop();
    }
  });
});
