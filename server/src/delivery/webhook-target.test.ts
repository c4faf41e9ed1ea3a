import { expect, test } from 'vitest';
import { answers, meta, post, sender, sink } from '../../test/support/webhook-harness.ts';

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
