// Rules stored by an older version get the fields of elements and modes, and keep their meaning.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestStore, storeKinds, type TestStore } from '../../test/support/test-store.ts';
import { migrations } from './migrations/all.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ids = ['0190a0a0-0000-7000-8000-000000000001', '0190a0a0-0000-7000-8000-000000000002'];
const time = '2026-01-02T03:04:05.000Z';

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null = null;
  beforeAll(async () => {
    store = await createTestStore(kind);
  });
  beforeEach((context) => {
    if (!store) context.skip();
  });
  afterAll(() => store?.remove());

  test('rules add to severities, once per message', async () => {
    const older = await store!.open({ migrations: migrations.filter(({ number }) => number < 47) });
    const bodies = [
      {
        flow: { steps: [] },
        eventParams: [
          { scopeId: ids[0], delta: 1 },
          { scopeId: ids[1], delta: -2 },
        ],
        conditionalEventParams: [{ attributes: [], delta: 3 }],
      },
      { flow: { steps: [] }, eventParams: [], conditionalEventParams: [] },
    ];
    await older.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
      [ids[0], time],
    );
    for (const [index, body] of bodies.entries())
      await older.query(
        `insert into resource (space_id, kind, id, body, created_at, updated_at) values ($1, 'rule', $2, $3, $4, $4)`,
        [ids[0], ids[index], JSON.stringify(body), time],
      );
    await older.close();

    const newer = await store!.open({ migrations });
    const { rows } = await newer.query<{ body: unknown }>('select body from resource order by id');
    await newer.close();
    const add = { mode: 'add', fingerprint: null };
    expect(rows.map(({ body }) => body)).toEqual([
      {
        flow: { steps: [] },
        forEach: null,
        eventParams: [
          { scopeId: ids[0], delta: 1, ...add },
          { scopeId: ids[1], delta: -2, ...add },
        ],
        conditionalEventParams: [{ attributes: [], delta: 3, ...add, scopeName: null, createScope: false }],
      },
      { flow: { steps: [] }, forEach: null, eventParams: [], conditionalEventParams: [] },
    ]);
  });
});
