// Scopes and acknowledgements of an earlier version after the upgrade.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import { toStoreJson } from '../../src/db/store-json.ts';
import { createTestStore, featureStores, type TestStore } from '../support/test-store.ts';

describe.each(featureStores)('on %s', (kind) => {
  let store: TestStore | null = null;
  beforeEach(async (context) => {
    store = await createTestStore(kind);
    if (!store) context.skip();
  }, 60_000);
  afterEach(async () => store?.remove());

  test('a raised scope knows since when, and what callees acknowledged is kept', async () => {
    const clock = new ManualClock();
    const nextId = createIdSource(clock);
    const spaceId = nextId();
    const time = (minute: number) => isoTime(clock.now() + minute * 60_000);
    const old = await store!.open({ migrations: migrations.filter(({ number }) => number < 84) });
    await old.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
      [spaceId, time(0)],
    );
    const addScope = async (status: string, lastEventAt: string | null): Promise<string> => {
      const scopeId = nextId();
      await old.query(
        `insert into scope_state (scope_id, space_id, status, severity, last_event_at) values ($1, $2, $3, 1, $4)`,
        [scopeId, spaceId, status, lastEventAt],
      );
      return scopeId;
    };
    const addEvent = async (
      scopeId: string,
      [before, after]: [string, string],
      minute: number,
      acknowledgements: object[] = [],
    ): Promise<string> => {
      const eventId = nextId();
      await old.query(
        `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before,
           status, source, triggers, acknowledgements, created_at)
         values ($1, $2, $3, 'default', 1, 0, 1, $4, $5, 'api', '[]', $6, $7)`,
        [eventId, spaceId, scopeId, before, after, toStoreJson(acknowledgements), time(minute)],
      );
      return eventId;
    };
    const called = {
      name: 'Ann',
      contactId: null,
      resultId: nextId(),
      keyInput: '1',
      acknowledgedAt: time(2),
    };
    const raised = await addScope('warning', time(4));
    await addEvent(raised, ['normal', 'warning'], 1);
    await addEvent(raised, ['warning', 'incident'], 2);
    const eventId = await addEvent(raised, ['incident', 'warning'], 3, [called, { ...called, name: 'Ben' }]);
    await addEvent(raised, ['warning', 'warning'], 4);
    // Its events are gone.
    const unexplained = await addScope('incident', time(5));
    const normal = await addScope('normal', time(6));
    await old.close();

    const database = await store!.open({ migrations });
    const { rows } = await database.query<{ scope_id: string; raised_at: string | null }>(
      'select scope_id, raised_at from scope_state',
    );
    expect(new Map(rows.map(({ scope_id, raised_at }) => [scope_id, raised_at]))).toEqual(
      new Map([
        [raised, time(2)],
        [unexplained, time(5)],
        [normal, null],
      ]),
    );
    const { rows: events } = await database.query<{ event_id: string; acknowledgements: object[] }>(
      'select event_id, acknowledgements from event order by created_at',
    );
    const kept = { ...called, userId: null, note: '' };
    expect(events.filter(({ acknowledgements }) => acknowledgements.length > 0)).toEqual([
      { event_id: eventId, acknowledgements: [kept, { ...kept, name: 'Ben' }] },
    ]);
    await database.close();
  });
});
