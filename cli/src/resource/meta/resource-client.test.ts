import { describe, expect, test } from 'vitest';
import { resourceClient, resourceNamed } from './resource-client.ts';

const replying = (body: unknown) => ({
  origin: 'https://space.example',
  fetch: async () => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
});

describe.each([{ ok: true }, [], 'text', null])('another server that replies %j', (body) => {
  test.each([
    ['message', 'why'],
    ['message', 'events'],
    ['session-log', 'log-parts'],
  ])('has no %s %s', async (resource, call) => {
    const client = resourceClient(resourceNamed(resource), replying(body));
    await expect(client.call(call, { id: 'i' })).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

test('a reply of the API is returned, and so is that of a call whose reply is not described', async () => {
  const page = { items: [], total: 0 };
  expect(await resourceClient(resourceNamed('message'), replying(page)).call('events', { id: 'i' })).toEqual(
    page,
  );
  const sessions = resourceClient(resourceNamed('session'), replying({ any: 1 }));
  expect(await sessions.call('leave', { id: 'i' })).toEqual({ any: 1 });
});
