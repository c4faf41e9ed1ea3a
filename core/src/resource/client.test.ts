import { describe, expect, test } from 'vitest';
import { scope } from '../alerthub/scope.ts';
import type { Transport } from '../http/transport.ts';
import { profile } from '../space/profile.ts';
import { callStandalone } from '../standalone-calls.ts';
import { createClient } from './client.ts';

const scopeId = '01a1fea7-056f-700d-b199-539c2daf013a';

/** A transport to a server that replies to everything with this. */
const replying = (body: object | null): Transport => ({
  origin: 'http://space.example',
  fetch: async () => (body ? Response.json(body) : new Response(null, { status: 204 })),
  describeForeignReply: () => 'not of the API',
});

const foreign = { kind: 'unreachable', detail: 'not of the API' };

describe.each([{ status: 'ok' }, { items: 'none' }, []])('a server that replies %j to everything', (body) => {
  const client = createClient(scope, replying(body));

  test.each([
    ['lists', () => client.list()],
    ['lists all', () => client.fetchAll().next()],
    ['shows', () => client.show(scopeId)],
    ['creates', () => client.create({ displayName: 'a' } as never)],
    ['deletes', () => client.remove(scopeId)],
    ['exports', () => callStandalone(replying({}), 'bulk-export-create', { params: { kind: 'scope' } })],
  ])('%s nothing', async (_what, call) => {
    await expect(call()).rejects.toMatchObject(foreign);
  });
});

test('a reply of the API is accepted, with and without items, an id or a body', async () => {
  expect((await createClient(scope, replying({ items: [], total: 0 })).list()).items).toEqual([]);
  expect((await createClient(scope, replying({ scopeId })).show(scopeId)).scopeId).toBe(scopeId);
  await createClient(scope, replying(null)).remove(scopeId);
  // There is one only, which has no id.
  await createClient(profile, replying({ displayName: 'Ann' })).show();
});

test('a signal ends the list of all items while a server does not reply', async () => {
  const interruption = new AbortController();
  const silent: Transport = {
    ...replying(null),
    fetch: (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        interruption.abort(new Error('interrupted'));
      }),
  };
  const items = createClient(scope, silent).fetchAll({}, {}, interruption.signal);
  await expect(items.next()).rejects.toThrow('interrupted');
});

test('only the list of all items leaves uncounted what is beyond a page', async () => {
  const asked: unknown[] = [];
  const transport: Transport = {
    ...replying(null),
    fetch: async (url, init) => {
      asked.push([new URL(url).search, new Headers(init?.headers).get('prefer')]);
      return Response.json({ items: [], total: 0 });
    },
  };
  await createClient(scope, transport).list({ limit: 10 });
  await createClient(scope, transport).fetchAll().next();
  expect(asked).toEqual([
    ['?limit=10', null],
    ['?limit=200&offset=0', 'count=page'],
  ]);
});
