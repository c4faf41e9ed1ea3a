import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { CompressedDocument } from './compressed-document.ts';

const text = 'the same for everybody '.repeat(1000);

function serve() {
  let written = 0;
  const file = new CompressedDocument('text/plain; charset=utf-8', () => {
    written += 1;
    return text;
  });
  const app = Fastify();
  app.get('/', (request, reply) => file.send(request, reply));
  return { written: () => written, get: (headers = {}) => app.inject({ url: '/', headers }) };
}

test('is written once, whoever asks', async () => {
  const { written, get } = serve();
  const replies = await Promise.all([get(), get({ 'accept-encoding': 'gzip' }), get()]);
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(written()).toBe(1);
  expect(replies[0]!.body).toBe(text);
  expect(replies[0]!.headers).toMatchObject({
    vary: 'Accept-Encoding',
    'content-type': 'text/plain; charset=utf-8',
  });
  expect(replies[0]!.headers['content-encoding']).toBeUndefined();
  expect(replies[1]!.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(replies[1]!.rawPayload).toString()).toBe(text);
});

test('is not sent again to who has it', async () => {
  const { get } = serve();
  const etag = String((await get()).headers.etag);
  for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const reply = await get({ 'if-none-match': known });
    expect([reply.statusCode, reply.body, reply.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test('is not compressed for who refuses that', async () => {
  const reply = await serve().get({ 'accept-encoding': 'gzip;q=0, br' });
  expect(reply.headers['content-encoding']).toBeUndefined();
});
