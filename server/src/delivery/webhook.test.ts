import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import type { Behaviour } from '@yagura/fixtures/sink/behaviour';
import { type HttpSink, startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { afterEach, expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveName } from './name-lookup.ts';
import type { DeliveryMeta } from './send-result.ts';
import { createWebhookSender, type WebhookRequest, type WebhookSenderOptions } from './webhook.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function sink(options?: Parameters<typeof startHttpSink>[0]): Promise<HttpSink> {
  const started = await startHttpSink(options);
  open.push(started);
  return started;
}

interface SenderChoices extends Partial<Omit<WebhookSenderOptions, 'guard'>> {
  allow?: string[];
  resolve?: ResolveName;
}

function sender({ allow = ['127.0.0.0/8'], resolve, ...options }: SenderChoices = {}) {
  const guard = createAddressGuard({ allow, resolve });
  const made = createWebhookSender({ guard, userAgent: 'Yagura/test', ...options });
  open.push(made);
  return made;
}

const meta: DeliveryMeta = {
  deliveryId: '0198c0de-0000-7000-8000-000000000001',
  timestamp: 1_767_225_600_500,
  attempt: 2,
};

function post(url: string, rest: Partial<WebhookRequest> = {}): WebhookRequest {
  return { url, method: 'POST', headers: {}, body: '{"a":"あ"}', ...rest };
}

test('delivers method, path, headers and body, and says who it is', async () => {
  const target = await sink({ behaviour: { kind: 'ok', body: 'taken' } });
  const request = post(`${target.url}/hook/あ?key=1#part`, {
    method: 'PUT',
    headers: { Authorization: 'Bearer s3cret', 'X-Where': '東京', 'X-Lines': 'a\r\nX-Evil: 1\n b\0' },
  });
  expect(await sender().sendWebhook(request, meta)).toEqual({
    outcome: 'succeeded',
    retry: false,
    statusCode: 200,
    reason: { word: 'delivery.sent', params: { statusCode: 200 } },
    reply: 'taken',
  });
  const [got] = target.requests;
  expect(got).toMatchObject({ method: 'PUT', url: '/hook/%E3%81%82?key=1', body: '{"a":"あ"}' });
  expect(got!.headers).toMatchObject({
    host: `127.0.0.1:${target.port}`,
    authorization: 'Bearer s3cret',
    'content-type': 'application/json',
    'content-length': '11',
    'user-agent': 'Yagura/test',
    'webhook-id': meta.deliveryId,
    'webhook-timestamp': '1767225600',
    'x-yagura-attempt': '2',
    'x-lines': 'a X-Evil: 1  b',
  });
  expect(Buffer.from(got!.headers['x-where']!, 'latin1').toString()).toBe('東京');
  expect(got!.headers).not.toHaveProperty('x-evil');
  expect(got!.headers).not.toHaveProperty('webhook-signature');
});

test.each(['GET', 'HEAD', 'DELETE', 'PATCH'] as const)('%s without a body', async (method) => {
  const target = await sink();
  expect(await sender().sendWebhook(post(target.url, { method, body: '' }), meta)).toMatchObject({
    outcome: 'succeeded',
  });
  expect(target.requests[0]).toMatchObject({ method, body: '' });
  expect(target.requests[0]!.headers).not.toHaveProperty('content-type');
});

test.each([
  ['{"a":1}', {}, 'application/json'],
  ['text', {}, 'text/plain; charset=utf-8'],
  ['{"a":1}', { 'Content-Type': 'application/vnd.x+json' }, 'application/vnd.x+json'],
])('a body %j with headers %j is announced as %s', async (body, headers, type) => {
  const target = await sink();
  await sender().sendWebhook(post(target.url, { body, headers }), meta);
  expect(target.requests[0]!.headers['content-type']).toBe(type);
});

test('signs with every secret over id, time and body', async () => {
  const target = await sink();
  const secrets = ['new', 'old'].map((text) => Buffer.from(text));
  await sender().sendWebhook(post(target.url), meta, { secrets });
  const { headers, body } = target.requests[0]!;
  const signed = Buffer.concat([
    Buffer.from(headers['webhook-id']!),
    Buffer.from('.'),
    Buffer.from(headers['webhook-timestamp']!),
    Buffer.from('.'),
    Buffer.from(body),
  ]);
  const wanted = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  expect(headers['webhook-signature']).toBe(wanted.join(' '));
});

const statuses: [number, 'succeeded' | 'failed', boolean][] = [
  [200, 'succeeded', false],
  [201, 'succeeded', false],
  [204, 'succeeded', false],
  [300, 'failed', false],
  [304, 'failed', false],
  [400, 'failed', false],
  [401, 'failed', false],
  [404, 'failed', false],
  [408, 'failed', true],
  [410, 'failed', false],
  [425, 'failed', true],
  [429, 'failed', true],
  [500, 'failed', true],
  [503, 'failed', true],
  [599, 'failed', true],
];
test.each(statuses)('status %i: %s, retry %s', async (status, outcome, retry) => {
  const target = await sink({ behaviour: { kind: 'status', status } });
  const result = await sender().sendWebhook(post(target.url), meta);
  expect(result).toMatchObject({
    outcome,
    retry,
    statusCode: status,
    reason: { params: { statusCode: status } },
  });
});

const now = meta.timestamp;
test.each([
  [429, '7', 7],
  [503, new Date(now + 90_000).toUTCString(), 90],
  [503, new Date(now - 90_000).toUTCString(), 0],
  [503, '999999', 3600],
  [503, 'soon', undefined],
  [503, '-1', undefined],
  [404, '7', undefined],
])('status %i with Retry-After %j asks for %s s', async (status, header, seconds) => {
  const target = await sink({ behaviour: { kind: 'status', status, headers: { 'retry-after': header } } });
  const result = await sender().sendWebhook(post(target.url), meta);
  if (header === '-1') expect(result.retryAfterSeconds ?? 0).toBe(0);
  else expect(result.retryAfterSeconds).toBe(seconds);
});

test.each([
  ['https://evil.example/a?token=s3cret#x', 'https://evil.example/a'],
  ['http://user:s3cret@10.0.0.1/', 'http://10.0.0.1/'],
  ['/other?s3cret', '/other'],
  ['//u:s3cret@h/p', '//h/p'],
])('a redirect to %s is refused and not followed', async (to, location) => {
  const target = await sink({ behaviour: { kind: 'redirect', to, status: 307 } });
  const result = await sender().sendWebhook(post(target.url), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: false,
    statusCode: 307,
    reason: { word: 'delivery.redirectRefused', params: { statusCode: 307, location } },
  });
  expect(target.requests).toHaveLength(1);
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test('a redirect to a forbidden address is not followed', async () => {
  const inside = await sink();
  const target = await sink({ behaviour: { kind: 'redirect', to: inside.url } });
  await sender({ allow: [`127.0.0.1:${target.port}`] }).sendWebhook(post(target.url), meta);
  expect(inside.requests).toHaveLength(0);
});

test.each([
  ['', 'invalid'],
  ['hook', 'invalid'],
  ['http://', 'invalid'],
  ['http://1.2.3.4.5/', 'invalid'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:25/x', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['http://user:s3cret@example.com/', 'userinfo'],
  ['http://s3cret@example.com/', 'userinfo'],
  ['http://example.com@127.0.0.1/', 'userinfo'],
  ['http://example.com:0/', 'port'],
  ['http://example.com:65536/', 'port'],
  ['http://example.com:99999/a:1', 'port'],
])('the URL %j is refused: %s', async (url, detail) => {
  const result = await sender().sendWebhook(post(url), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: false,
    statusCode: null,
    reason: { word: 'delivery.blockedUrl', params: { detail } },
  });
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test.each([
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '017700000001',
  '2130706433',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0',
  'localhost',
])('without permission nothing reaches %s', async (host) => {
  const target = await sink({ host: host === '[::1]' ? '::1' : '127.0.0.1' });
  const url = `http://${host}:${target.port}/`;
  const result = await sender({ allow: [] }).sendWebhook(post(url), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: false,
    reason: { word: 'delivery.blockedAddress' },
  });
  expect(target.connections).toBe(0);
});

test.each(['169.254.169.254', '[fd00:ec2::254]', '10.1.2.3', '[fe80::1]'])('%s is refused', async (host) => {
  const result = await sender().sendWebhook(post(`http://${host}/latest/meta-data`), meta);
  expect(result.reason).toEqual({
    word: 'delivery.blockedAddress',
    params: { address: host.replace(/[[\]]/g, '') },
  });
});

function answers(...lists: string[][]): { resolve: ResolveName; asked: () => number } {
  let turn = 0;
  return {
    asked: () => turn,
    resolve: async () => {
      const list = lists[Math.min(turn, lists.length - 1)]!;
      turn += 1;
      return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

test('a name that resolves to a private address is refused', async () => {
  const target = await sink();
  const { resolve } = answers(['127.0.0.1', '::1']);
  const result = await sender({ allow: [], resolve }).sendWebhook(
    post(`http://inside.example:${target.port}/`),
    meta,
  );
  expect(result).toMatchObject({
    retry: false,
    reason: { word: 'delivery.blockedAddress', params: { address: '127.0.0.1' } },
  });
  expect(target.connections).toBe(0);
});

test('of a mixed name the permitted address is dialled, with the name as host', async () => {
  const target = await sink();
  const { resolve } = answers(['10.0.0.1', '169.254.169.254', '127.0.0.1']);
  const result = await sender({ resolve }).sendWebhook(post(`http://mixed.example:${target.port}/`), meta);
  expect(result.outcome).toBe('succeeded');
  expect(target.requests[0]!.headers.host).toBe(`mixed.example:${target.port}`);
});

test('rebinding: each dial uses the one answer that was judged', async () => {
  const permitted = await sink();
  const { resolve, asked } = answers(['127.0.0.1'], ['127.0.0.2']);
  const rebinding = sender({ allow: ['127.0.0.1'], resolve, connectionsPerOrigin: 1 });
  const url = `http://rebind.example:${permitted.port}/`;
  expect((await rebinding.sendWebhook(post(url), meta)).outcome).toBe('succeeded');
  expect(asked()).toBe(1);
  permitted.behave({ kind: 'status', status: 200, headers: { connection: 'close' } });
  expect((await rebinding.sendWebhook(post(url), meta)).outcome).toBe('succeeded');
  expect(asked()).toBe(1);
  const after = await rebinding.sendWebhook(post(url), meta);
  expect(asked()).toBe(2);
  expect(after.reason).toEqual({ word: 'delivery.blockedAddress', params: { address: '127.0.0.2' } });
  expect(permitted.requests).toHaveLength(2);
});

test.each([
  ['a permitted name', (port: number) => `gate.example:${port}`, true],
  ['the same name on another port', (port: number) => `gate.example:${port === 1 ? 2 : 1}`, false],
])('%s', async (_, entry, permitted) => {
  const target = await sink();
  const { resolve } = answers(['127.0.0.1']);
  const result = await sender({ allow: [entry(target.port)], resolve }).sendWebhook(
    post(`http://gate.example:${target.port}/`),
    meta,
  );
  expect(result.outcome).toBe(permitted ? 'succeeded' : 'failed');
});

test.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'Connection',
  'Upgrade',
  'TE',
  'Proxy-Authorization',
  'Webhook-Signature',
  'webhook-id',
  'bad name',
  'x\r\ny',
  '',
])('the header %j is refused', async (name) => {
  const target = await sink();
  const result = await sender().sendWebhook(post(target.url, { headers: { [name]: 's3cret' } }), meta);
  expect(result).toMatchObject({
    retry: false,
    reason: { word: 'delivery.blockedHeader', params: { name } },
  });
  expect(JSON.stringify(result)).not.toContain('s3cret');
  expect(target.requests).toHaveLength(0);
});

const cut: [string, Behaviour, object][] = [
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

/** A server that takes connections and speaks as told. */
async function rawServer(speak: (write: (text: string) => void) => void, greeting = ''): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    const timers: NodeJS.Timeout[] = [];
    socket.write(greeting);
    socket.once('close', () => timers.forEach(clearInterval));
    speak((text) => timers.push(setInterval(() => socket.write(text), 20)));
    open.push({ close: async () => socket.destroy() });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
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

test('TLS: the certificate must be for the name, and be trusted', async () => {
  const target = await sink({ tls: true });
  const { resolve } = answers(['127.0.0.1']);
  const trusting = sender({ resolve, authorities: [target.certificate!] });
  expect((await trusting.sendWebhook(post(`https://localhost:${target.port}/`), meta)).outcome).toBe(
    'succeeded',
  );
  expect((await trusting.sendWebhook(post(`https://127.0.0.1:${target.port}/`), meta)).outcome).toBe(
    'succeeded',
  );
  const wrongName = await trusting.sendWebhook(post(`https://other.example:${target.port}/`), meta);
  expect(wrongName.reason).toEqual({
    word: 'delivery.connection',
    params: { detail: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  });
  const untrusted = await sender({ resolve }).sendWebhook(post(`https://localhost:${target.port}/`), meta);
  expect(untrusted.reason).toEqual({
    word: 'delivery.connection',
    params: { detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  });
  expect(target.requests).toHaveLength(2);
});

test('one connection serves one request after the other', async () => {
  const target = await sink();
  const one = sender();
  for (let turn = 0; turn < 20; turn += 1) await one.sendWebhook(post(target.url), meta);
  expect(target.requests).toHaveLength(20);
  // The second one may open while the first is still being handed back.
  expect(target.connections).toBeLessThanOrEqual(2);
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

test('after a lost connection the next request makes a new one', async () => {
  const target = await sink({
    behaviour: { kind: 'sequence', steps: [{ kind: 'close', when: 'before' }, { kind: 'ok' }] },
  });
  const one = sender();
  expect((await one.sendWebhook(post(target.url), meta)).retry).toBe(true);
  expect((await one.sendWebhook(post(target.url), meta)).outcome).toBe('succeeded');
});

test.each([
  ['text/plain; charset=Shift_JIS', 'status', '障害'],
  ['text/plain; charset=none-such', 'status', '障害'],
])('an answer of type %s is read', async (type) => {
  const target = await sink({
    behaviour: { kind: 'status', status: 200, body: '障害', headers: { 'content-type': type } },
  });
  const { reply } = await sender().sendWebhook(post(target.url), meta);
  expect(reply).toBe(
    new TextDecoder(type.includes('JIS') ? 'shift_jis' : 'utf-8').decode(Buffer.from('障害')),
  );
});

test('a packed answer is not shown as text', async () => {
  const target = await sink({
    behaviour: { kind: 'ok', body: 'x', headers: { 'content-encoding': 'gzip' } },
  });
  expect((await sender().sendWebhook(post(target.url), meta)).reply).toBe('');
});

test('signs that a store or a terminal can not take are taken out of the answer', async () => {
  const target = await sink({ behaviour: { kind: 'ok', body: 'a\0b\x1b[31mc\r\nd\te😀' } });
  expect((await sender().sendWebhook(post(target.url), meta)).reply).toBe('a\ufffdb\ufffd[31mc\nd\te😀');
});
