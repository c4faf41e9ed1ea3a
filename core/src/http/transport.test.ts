// Calls over a real connection: the request sent, and the result for every kind of response.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Problem } from './problem.ts';
import { type ConnectionFailure, type Fetch, send, type Transport, urlOf } from './transport.ts';

let server: Server;
let transport: Transport;
/** Requests received by the server, in order. */
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  transport = {
    fetch,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers: () => ({ authorization: 'Bearer secret' }),
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  asked = [];
  answer = (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
};

describe('what leaves', () => {
  it('marks calls of internal paths, and only those', async () => {
    json(200, {});
    for (const path of ['/api/internal/profile', '/api/space/users', '/x/api/internal/profile'])
      await send(transport, { method: 'GET', path });
    expect(asked.map(({ headers }) => headers['x-requested-with'])).toEqual([
      'XMLHttpRequest',
      undefined,
      undefined,
    ]);
  });

  it('carries the authorization, the body as JSON and the headers of the call', async () => {
    json(200, { ok: true });
    const { data } = await send(transport, {
      method: 'POST',
      path: '/x',
      query: { sort: '-a b', limit: 5, empty: '', none: undefined },
      body: { name: '監視' },
      headers: { 'idempotency-key': 'k' },
    });
    expect(data).toEqual({ ok: true });
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/x?sort=-a+b&limit=5',
        body: '{"name":"監視"}',
        headers: {
          authorization: 'Bearer secret',
          'content-type': 'application/json',
          'idempotency-key': 'k',
        },
      },
    ]);
    await send(transport, { method: 'GET', path: '/x' });
    expect(asked[1]!.headers['content-type']).toBeUndefined();
    expect(urlOf({ path: '/x' })).toBe('/x');
  });

  it('follows no redirect, so that the authorization goes nowhere else', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      json(status, {}, { location: '/elsewhere' });
      await expect(send(transport, { method: 'GET', path: '/x' })).rejects.toMatchObject({
        kind: 'unreachable',
      });
      expect(asked.map(({ url }) => url)).toEqual(['/x']);
    }
  });
});

describe('what comes back', () => {
  it.each([
    [403, { type: 'urn:yagura:problem:forbidden', title: 'No', detail: 'why' }, 'forbidden', 'why'],
    [404, 'plain words', 'not-found', undefined],
    [418, {}, 'invalid', undefined],
    [502, {}, 'internal', undefined],
  ])('a %i becomes a problem', async (status, body, kind, detail) => {
    json(status, body);
    const failure = await send(transport, { method: 'GET', path: '/x' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect(failure).toMatchObject({ kind, status, instance: '/x', ...(detail ? { detail } : {}) });
  });

  it.each([
    ['7', 7],
    ['Sat, 31 Jan 2026 10:00:00 GMT', 3600],
    ['Sat, 31 Jan 2026 08:00:00 GMT', undefined],
    ['soon', undefined],
    ['-3', undefined],
  ])('Retry-After %s', async (header, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-31T09:00:00Z') });
    try {
      json(503, {}, { 'retry-after': header });
      await expect(send(transport, { method: 'GET', path: '/x' })).rejects.toMatchObject({
        kind: 'unavailable',
        retryAfter: seconds,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('a connection that breaks is unreachable; one that the caller gave up stays an abort', async () => {
    answer = (_, response) => response.destroy();
    await expect(send(transport, { method: 'GET', path: '/x' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    const leaving = new AbortController();
    answer = () => leaving.abort(new Error('left'));
    await expect(send(transport, { method: 'GET', path: '/x', signal: leaving.signal })).rejects.toThrow(
      'left',
    );
  });

  it('a failure is described by the transport, with the timeout if that was the reason', async () => {
    const describeFailure = ({ reason, timeoutMs }: ConnectionFailure) =>
      timeoutMs === undefined ? `broken: ${reason}` : `late: ${timeoutMs}`;
    const failure = (timeoutMs: number) =>
      send({ ...transport, describeFailure, timeoutMs }, { method: 'GET', path: '/x' }).catch(
        (error: unknown) => error,
      );
    answer = (_, response) => response.destroy();
    expect(await failure(10_000)).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringMatching(/^broken: /),
    });
    // The body breaks off, then never ends.
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('1', () => response.destroy());
    };
    expect(await failure(10_000)).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringMatching(/^broken: /),
    });
    answer = (_, response) => void response.writeHead(200, { 'content-length': '9' }).write('1');
    expect(await failure(50)).toMatchObject({ kind: 'unreachable', detail: 'late: 50' });
    answer = () => undefined;
    expect(await failure(50)).toMatchObject({ kind: 'unreachable', detail: 'late: 50' });
  });

  it('keeps text as text, JSON that is none included', async () => {
    const reply = (type: string, body: string): Fetch => {
      return async () => new Response(body, { headers: { 'content-type': type } });
    };
    const of = (given: Fetch) => send({ fetch: given, origin: '' }, { method: 'GET', path: '/x' });
    expect((await of(reply('text/plain', '{"a":1}'))).data).toBe('{"a":1}');
    expect((await of(reply('application/json', '{broken'))).data).toBe('{broken');
    expect((await of(reply('application/json', ''))).data).toBe('');
  });
});

describe('an IP block', () => {
  it.each([
    ['forbidden', 'Your IP address is not permitted: 192.0.2.1', true],
    ['forbidden', 'needs another role', false],
    ['forbidden', undefined, false],
    ['invalid', 'Your IP address is not permitted', false],
    ['unavailable', 'Your IP address is not permitted', false],
  ] as const)('%s with %s', (kind, detail, blocked) => {
    expect(new Problem(kind, { detail }).ipBlocked).toBe(blocked);
  });
});
