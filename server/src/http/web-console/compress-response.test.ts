import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressResponse } from './compress-response.ts';

const page = '<p>the same again</p>'.repeat(200);
const reply = (type: string) => new Response(page, { headers: { 'content-type': type, vary: 'Cookie' } });

test.each([
  ['text/html; charset=utf-8', 'gzip, deflate, br', true],
  ['text/x-script; charset=utf-8', 'br;q=1, GZIP;q=0.5', true],
  ['application/json; charset=utf-8', 'gzip', true],
  ['text/html; charset=utf-8', 'gzip;q=0, br', false],
  ['text/html; charset=utf-8', undefined, false],
  ['text/event-stream', 'gzip', false],
  ['text/csv', 'gzip', false],
])('%s for somebody who accepts %s: packed is %s', async (type, accepted, wanted) => {
  const { body, headers } = compressResponse(reply(type), accepted);
  expect(headers['content-encoding']).toBe(wanted ? 'gzip' : undefined);
  if (typeof body === 'string') throw new Error('the body is missing');
  const sent = Buffer.concat(await body.map((part: Uint8Array) => Buffer.from(part)).toArray());
  expect(String(wanted ? gunzipSync(sent) : sent)).toBe(page);
  if (wanted) expect(sent.length).toBeLessThan(page.length / 10);
});

test('what can be packed says that it depends on who asks', () => {
  expect(compressResponse(reply('text/html'), undefined).headers.vary).toBe('Cookie, Accept-Encoding');
  expect(compressResponse(reply('text/csv'), undefined).headers.vary).toBeUndefined();
});

test('a reply without a body stays without one', () => {
  expect(compressResponse(new Response(null, { status: 304 }), 'gzip')).toEqual({ body: '', headers: {} });
});

test('a page that breaks off breaks off packed as well', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(page));
      controller.error(new Error('gone'));
    },
  });
  const { body } = compressResponse(
    new Response(broken, { headers: { 'content-type': 'text/html' } }),
    'gzip',
  );
  await expect(text(body as NodeJS.ReadableStream)).rejects.toThrow('gone');
});
