// @vitest-environment node
// Runs the service worker in a scope of its own, with a server that is away for a time.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const code = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8');

interface FetchEvent {
  request: Request;
  respondWith(reply: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

/** Replies of the server, one for each request; afterwards it is there. */
let replies: (Response | Error)[];
let asked: number;
let kept: Map<string, Response>;

beforeEach(() => {
  vi.useFakeTimers();
  replies = [];
  asked = 0;
  kept = new Map();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets a page request a path; undefined if the service worker leaves it to the browser. */
function request(path: string): Promise<Response> | undefined {
  const listeners = new Map<string, (event: FetchEvent) => void>();
  const cache = {
    match: async ({ url }: Request) => kept.get(url),
    put: async ({ url }: Request, reply: Response) => void kept.set(url, reply),
  };
  runInNewContext(code, {
    self: {
      location: { origin: 'https://yagura.example' },
      addEventListener: (name: string, listener: (event: FetchEvent) => void) =>
        listeners.set(name, listener),
    },
    caches: { open: async () => cache },
    fetch: async () => {
      asked++;
      const reply = replies.shift() ?? new Response('code');
      if (reply instanceof Error) throw reply;
      return reply;
    },
    setTimeout,
    URL,
    Promise,
  });
  let reply: Promise<Response> | undefined;
  listeners.get('fetch')!({
    request: new Request(`https://yagura.example${path}`),
    respondWith: (given) => {
      reply = given;
    },
    waitUntil: () => {},
  });
  return reply;
}

it.each([
  ['nothing answers', () => new TypeError('Failed to fetch')],
  ['a proxy answers without a server behind it', () => new Response('', { status: 502 })],
])('a file is there once the server is back, when %s', async (_name, away) => {
  replies = [away(), away()];
  const reply = request('/assets/palette.js')!;
  await vi.advanceTimersByTimeAsync(6000);
  expect(await (await reply).text()).toBe('code');
  expect(asked).toBe(3);
});

it('a file that an older version had is missing at once', async () => {
  replies = [new Response('', { status: 404 })];
  expect((await request('/assets/palette.js')!).status).toBe(404);
  expect(asked).toBe(1);
});

it('ends when the server stays away', async () => {
  replies = Array.from({ length: 100 }, () => new TypeError('Failed to fetch'));
  const reply = expect(request('/assets/palette.js')).rejects.toThrow('Failed to fetch');
  await vi.runAllTimersAsync();
  await reply;
  expect(asked).toBe(31);
});

it('keeps files, and leaves pages and data to the browser', async () => {
  await request('/assets/palette.js');
  await vi.runAllTimersAsync();
  expect(await (await request('/assets/palette.js')!).text()).toBe('code');
  expect(asked).toBe(1);
  expect(request('/apps/alerthub/scopes.data')).toBeUndefined();
});
