// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onConnectionChange, retryIntervalMs, watchConnection } from './watch-connection.ts';

let replies: (Response | Error)[];
const own = globalThis.fetch;
beforeEach(() => {
  vi.useFakeTimers();
  replies = [];
  window.fetch = async (_input, init) => {
    init?.signal?.throwIfAborted();
    const reply = replies.shift() ?? new Response('fine');
    if (reply instanceof Error) throw reply;
    return reply;
  };
  watchConnection(window as unknown as Window & typeof globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  window.fetch = own;
});

it.each([
  ['nothing answers', () => new TypeError('Failed to fetch')],
  ['a proxy answers for the console', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
])('asks again when %s, and tells of it until it is over', async (_name, failure) => {
  const told: boolean[] = [];
  const stop = onConnectionChange((isOffline) => told.push(isOffline));
  replies = [failure(), failure()];
  const reply = window.fetch('/scopes.data?_routes=list');
  await vi.advanceTimersByTimeAsync(retryIntervalMs * 2);
  expect(await (await reply).text()).toBe('fine');
  expect(told).toEqual([false, true, false]);
  stop();
});

it('stops asking for what is no longer wanted', async () => {
  const told: boolean[] = [];
  const stop = onConnectionChange((isOffline) => told.push(isOffline));
  replies = [new TypeError('Failed to fetch')];
  const left = new AbortController();
  const reply = window.fetch('/scopes.data', { signal: left.signal });
  const refused = expect(reply).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1);
  left.abort();
  await refused;
  expect(told).toEqual([false, true, false]);
  stop();
});

it('refuses a form, once, as an action of the console would', async () => {
  replies = [new TypeError('Failed to fetch')];
  const reply = await window.fetch('/scopes/new.data', { method: 'POST', body: 'displayName=web' });
  expect(reply.status).toBe(503);
  const parts = JSON.parse(await reply.text()) as unknown[];
  expect(unflatten(parts, 0)).toMatchObject({
    data: { problem: { kind: 'unreachable', status: 503 }, errors: {}, values: {} },
  });
});

it('leaves alone what the console says itself, and what is no data of a page', async () => {
  const busy = () => new Response('', { status: 503, headers: { 'x-remix-response': 'yes' } });
  replies = [busy()];
  expect((await window.fetch('/scopes.data')).status).toBe(503);
  replies = [new Response('', { status: 503 })];
  expect((await window.fetch('/api/space')).status).toBe(503);
  replies = [new TypeError('Failed to fetch')];
  await expect(window.fetch('/assets/a.js')).rejects.toThrow('Failed to fetch');
});

/** Decodes the response as `turbo-stream` would. */
function unflatten(parts: unknown[], index: number): unknown {
  const part = parts[index];
  if (typeof part !== 'object' || part === null) return part;
  const read = ([key, inner]: [string, unknown]) => [
    parts[Number(key.slice(1))],
    unflatten(parts, Number(inner)),
  ];
  return Object.fromEntries(Object.entries(part).map(read));
}
