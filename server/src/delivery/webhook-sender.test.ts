import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { answers, meta, post, sender, sink } from '../../test/support/webhook-harness.ts';

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
  // The second connection may open while the first is still being returned to the pool.
  expect(target.connections).toBeLessThanOrEqual(2);
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
