import { createServer, type Server, type Socket } from 'node:net';
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import type { SinkBehaviour } from '@yagura/fixtures/sink/sink-behaviour';
import { expect, test } from 'vitest';
import { answers, closeAfterTest, meta, post, sender, sink } from '../../test/support/webhook-harness.ts';

const cut: [string, SinkBehaviour, object][] = [
  [
    'never answers',
    { kind: 'silent' },
    {
      outcome: 'failed',
      retry: true,
      statusCode: null,
      reason: { word: 'delivery.timeout', params: { seconds: 0.3 } },
    },
  ],
  [
    'answers too late',
    { kind: 'delay', milliseconds: 60_000 },
    { outcome: 'failed', retry: true, reason: { word: 'delivery.timeout' } },
  ],
  [
    'drips after 200',
    { kind: 'drip', everyMilliseconds: 10 },
    { outcome: 'succeeded', statusCode: 200, reply: expect.stringMatching(/^\.+$/) },
  ],
  [
    'drips after 500',
    { kind: 'drip', everyMilliseconds: 10, status: 500 },
    { outcome: 'failed', retry: true, statusCode: 500 },
  ],
  [
    'answers for ever after 200',
    { kind: 'endless' },
    {
      outcome: 'succeeded',
      statusCode: 200,
      reason: { word: 'delivery.tooLong', params: { bytes: 2000 } },
      reply: 'x'.repeat(1000),
    },
  ],
  [
    'answers for ever after 400',
    { kind: 'endless', status: 400 },
    { outcome: 'failed', retry: false, statusCode: 400, reply: 'x'.repeat(1000) },
  ],
  [
    'closes before an answer',
    { kind: 'close', when: 'before' },
    {
      outcome: 'failed',
      retry: true,
      statusCode: null,
      reason: { word: 'delivery.connection', params: { detail: 'UND_ERR_SOCKET' } },
    },
  ],
  [
    'closes midway after 200',
    { kind: 'close', when: 'midway' },
    { outcome: 'succeeded', statusCode: 200, reply: 'half!' },
  ],
  [
    'closes midway after 502',
    { kind: 'close', when: 'midway', status: 502 },
    { outcome: 'failed', retry: true, statusCode: 502 },
  ],
];
test.each(cut)('a target that %s', async (_, behaviour, expected) => {
  const target = await sink({ behaviour });
  const hasty = sender({ timeouts: { whole: 300 }, maxReplyBytes: 2000 });
  expect(await hasty.sendWebhook(post(target.url), meta)).toMatchObject(expected);
});

/** A server that accepts connections and sends scripted responses. */
async function rawServer(speak: (write: (text: string) => void) => void, greeting = ''): Promise<string> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    const timers: NodeJS.Timeout[] = [];
    socket.write(greeting);
    socket.once('close', () => timers.forEach(clearInterval));
    speak((text) => timers.push(setInterval(() => socket.write(text), 20)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTest({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
}

test.each([
  ['says nothing', ''],
  ['drips its headers', 'x'],
])('a target that takes the request and %s is cut by the time for headers', async (_, text) => {
  let started = false;
  const url = await rawServer((write) => {
    write(text);
    started = true;
  }, 'HTTP/1.1 200 OK\r\nx-a: ');
  const result = await sender({ timeouts: { headers: 100, whole: 20_000 } }).sendWebhook(post(url), meta);
  expect(started).toBe(true);
  expect(result).toMatchObject({
    retry: true,
    reason: { word: 'delivery.timeout', params: { seconds: 0.1 } },
  });
});

test('a target with endless headers is cut', async () => {
  const url = await rawServer((write) => write(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}`));
  const result = await sender({ timeouts: { headers: 5000, whole: 5000 } }).sendWebhook(post(url), meta);
  expect(result).toMatchObject({
    retry: true,
    reason: { word: 'delivery.connection', params: { detail: 'UND_ERR_HEADERS_OVERFLOW' } },
  });
});

test('of the headers of an answer that is kept, those beyond 16 KiB are left out', async () => {
  const kept = { 'x-a': 'a'.repeat(8000), 'x-b': 'b'.repeat(8000) };
  const headers = { ...kept, 'x-c': 'c'.repeat(8000) };
  const target = await sink({ behaviour: { kind: 'ok', headers } });
  const { answer } = await sender().sendWebhook(post(target.url), { ...meta, keepAnswer: true });
  expect(answer).toMatchObject({ statusCode: 200, headers: kept });
  expect(answer!.headers).not.toHaveProperty('x-c');
});

test('a target that does not speak HTTP', async () => {
  const url = await rawServer((write) => write('220 mail ready\r\n'));
  const result = await sender().sendWebhook(post(url), meta);
  expect(result).toMatchObject({
    retry: true,
    reason: { word: 'delivery.connection', params: { detail: 'INVALID_RESPONSE' } },
  });
});

test('a target whose name never resolves is cut by the time to connect', async () => {
  const hasty = sender({ resolve: () => new Promise(() => {}), timeouts: { connect: 100 } });
  const result = await hasty.sendWebhook(post('http://slow.example/'), meta);
  expect(result).toMatchObject({
    retry: true,
    reason: { word: 'delivery.timeout', params: { seconds: 0.1 } },
  });
});

test('nobody listening, and no such name', async () => {
  const gone = await startHttpSink();
  await gone.close();
  const refused = await sender().sendWebhook(post(gone.url), meta);
  expect(refused).toMatchObject({
    retry: true,
    reason: { word: 'delivery.connection', params: { detail: 'ECONNREFUSED' } },
  });
  const { resolve } = answers([]);
  const unknown = await sender({ resolve }).sendWebhook(post('http://none.example/?s3cret'), meta);
  expect(unknown).toMatchObject({
    retry: true,
    reason: { word: 'delivery.connection', params: { detail: 'ENOTFOUND' } },
  });
  expect(JSON.stringify(unknown)).not.toContain('s3cret');
});

test('the first address that answers is used when another one of the name is dead', async () => {
  const target = await sink();
  const { resolve } = answers(['127.0.0.9', '127.0.0.1']);
  const result = await sender({ resolve }).sendWebhook(post(`http://two.example:${target.port}/`), meta);
  expect(result.outcome).toBe('succeeded');
});

test('connections to one target are bounded, and its waiting requests are cut like any other', async () => {
  const dead = await sink({ behaviour: { kind: 'silent' } });
  const healthy = await sink();
  const bounded = sender({ connectionsPerOrigin: 2, timeouts: { whole: 1000 } });
  const results = Array.from({ length: 10 }, () => bounded.sendWebhook(post(dead.url), meta));
  await dead.waitFor(2);
  await bounded.sendWebhook(post(healthy.url), meta);
  expect(dead.connections).toBe(2);
  expect((await Promise.all(results)).map((one) => one.reason.word)).toEqual(
    Array(10).fill('delivery.timeout'),
  );
});

test('a dead target does not delay a healthy one', async () => {
  const dead = await sink({ behaviour: { kind: 'silent' } });
  const healthy = await sink();
  const both = sender({ timeouts: { headers: 3000, whole: 3000 } });
  let deadEnded = 0;
  const stuck = Array.from({ length: 50 }, () =>
    both.sendWebhook(post(dead.url), meta).then(() => {
      deadEnded += 1;
    }),
  );
  await dead.waitFor(16);
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await both.sendWebhook(post(healthy.url), meta)).outcome).toBe('succeeded');
  }
  expect(deadEnded).toBe(0);
  expect(healthy.requests).toHaveLength(20);
  await both.close();
  await Promise.all(stuck);
});
