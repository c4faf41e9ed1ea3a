import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { inProcessFetch } from './in-process-fetch.ts';

const origin = 'https://watch.example';

/** Echoes the request's body and caller. */
function echo() {
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post('/echo', async (request) => {
    let text = '';
    for await (const chunk of request.body as AsyncIterable<Buffer>) text += chunk.toString();
    const { 'content-type': type, 'user-agent': userAgent } = request.headers;
    return { text, ip: request.ip, type, userAgent };
  });
  return inProcessFetch(app, origin)({ address: '192.0.2.7', userAgent: 'Browser/1' });
}

const pieces = () =>
  new ReadableStream({
    start(controller) {
      for (const piece of ['a,b\n', '1,2\n']) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

test.each([
  ['a text', () => 'a,b\n1,2\n'],
  ['a stream', pieces],
])('%s arrives whole, from the caller', async (_, body) => {
  const reply = await echo()(`${origin}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: body(),
    duplex: 'half',
  } as RequestInit);
  expect(await reply.json()).toEqual({
    text: 'a,b\n1,2\n',
    ip: '192.0.2.7',
    type: 'text/csv',
    userAgent: 'Browser/1',
  });
});

test('a reply is produced no faster than it is read', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  const total = 200;
  let produced = 0;
  const app = Fastify();
  app.get('/file', (_request, reply) =>
    reply.send(
      new Readable({
        read() {
          this.push(produced < total ? chunk : null);
          produced += 1;
        },
      }),
    ),
  );
  const call = inProcessFetch(app, origin)({ address: '192.0.2.7', userAgent: '' });
  const reader = (await call(`${origin}/file`, {})).body!.getReader();
  let length = (await reader.read()).value!.length;
  // All that flows on without a further read has done so when the event loop has turned often enough.
  for (let turn = 0; turn < 10 * total; turn++) await new Promise(setImmediate);
  expect(produced).toBeLessThan(10);
  for (let read = await reader.read(); !read.done; read = await reader.read()) length += read.value.length;
  expect(length).toBe(total * chunk.length);
});
