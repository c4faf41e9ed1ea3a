// The export of a space is complete on a server without developer mode, while items are added, and after its token has expired.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const count = 20_000;
let server: TestServer;
let clock: ManualClock;
let scopeId: string;

beforeAll(async () => {
  // Access tokens are issued by the system clock.
  clock = new ManualClock(Date.now());
  server = (await startTestServer({ engine: 'embedded', clock, env: { YAGURA_DEVELOPER_MODE: 'off' } }))!;
  scopeId = await addScope();
  await addEvents(count, '2025-12-01T00:00:00Z');
}, 120_000);
afterAll(() => server?.stop());

async function addScope(): Promise<string> {
  const { origin, fetch, headers } = server.transportAs('privileged');
  const reply = await fetch(`${origin}/api/apps/alerthub/scopes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await headers?.()) },
    body: JSON.stringify({ displayName: 'many' }),
  });
  return ((await reply.json()) as { scopeId: string }).scopeId;
}

/** Twenty of each second from `since` on. */
async function addEvents(number: number, since: string): Promise<void> {
  const { database, spaceId } = server.services;
  await database.query(
    `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before,
       status, source, triggers, created_at)
     select gen_random_uuid(), $1, $2, 'default', 1, 0, 1, 'normal', 'warning', 'rule', '[]',
       $3::timestamptz + (n / 20) * interval '1 second'
     from generate_series(1, ${number}) n`,
    [spaceId, scopeId, since],
  );
}

test('has every item once, and all kinds', async () => {
  const { origin, headers } = await server.signedIn('privileged');
  const reply = await fetch(`${origin}/api/internal/space/export`, {
    headers: { 'x-requested-with': 'XMLHttpRequest', ...(await headers?.()) },
  });
  expect(reply.status).toBe(200);
  let text = '';
  let added = false;
  for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (added || !text.includes('"resource":"event"')) continue;
    added = true;
    clock.advance(15 * 60_000);
    await addEvents(30, '2026-01-01T00:00:00Z');
  }
  const lines = text.trimEnd().split('\n');
  const things = lines.map((one) => JSON.parse(one) as { resource: string; item: Record<string, string> });
  const ids = things.filter(({ resource }) => resource === 'event').map(({ item }) => item.eventId);
  expect(ids.length).toBeGreaterThanOrEqual(count);
  expect(new Set(ids).size).toBe(ids.length);
  const kinds = new Set(things.map(({ resource }) => resource));
  expect([...kinds]).toEqual(expect.arrayContaining(['scope', 'event', 'line', 'user', 'audit-record']));
  expect(kinds).not.toContain('mock-phone');
}, 120_000);
