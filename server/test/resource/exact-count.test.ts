// Lists that count all matches: beyond 10,000 they count in several statements, on both database engines.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const events = 20_050;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let caller: AlertClient;
  let scopeId: string;

  beforeAll(async () => {
    const clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    ({ scopeId } = await caller.make<{ scopeId: string }>('scopes', { displayName: 'many' }));
    const { database, spaceId } = server.services;
    // Twenty share each time, so that chunks begin and end between events of one time. Every second one has delta 2.
    await database.query(
      `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before,
         status, source, triggers, created_at)
       select gen_random_uuid(), $1, $2, 'default', 1 + n % 2, 0, 1, 'normal', 'warning', 'rule', '[]',
         '2025-12-01T00:00:00Z'::timestamptz + (n / 20) * interval '1 second'
       from generate_series(1, ${events}) n`,
      [spaceId, scopeId],
    );
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  test.each([
    ['', events],
    ['&filter=delta eq 2', events / 2],
    ['&filter=delta eq 2&sort=createdAt', events / 2],
    // Twenty events in each of 600 seconds.
    ['&sinceAt=2025-12-01T00:01:00Z&untilAt=2025-12-01T00:11:00Z', 12_000],
    ['&sinceAt=2025-12-01T00:01:00Z&untilAt=2025-12-01T00:11:00Z&filter=delta eq 2', 6000],
  ])('"%s" counts %i', async (query, count) => {
    const reply = await caller.callApi('GET', `${api}/scopes/${scopeId}/events?limit=10${query}`);
    expect(reply.status, reply.text).toBe(200);
    const { total, totalIsLeast, items } = reply.data as {
      total: number;
      totalIsLeast?: true;
      items: unknown[];
    };
    expect({ total, totalIsLeast, items: items.length }).toEqual({
      total: count,
      totalIsLeast: undefined,
      items: 10,
    });
  });

  test.each(['', '&filter=delta eq 2'])(
    '"%s" counts no further than the page where asked to',
    async (query) => {
      const path = `${api}/scopes/${scopeId}/events?limit=10&offset=20${query}`;
      const reply = await caller.callApi('GET', path, undefined, {
        headers: { prefer: 'respond-async, count=page' },
      });
      const whole = await caller.callApi('GET', path);
      const { items } = whole.data as { items: unknown[] };
      expect(reply.data).toEqual({ items, total: 31, totalIsLeast: true, limit: 10, offset: 20 });
    },
  );
});
