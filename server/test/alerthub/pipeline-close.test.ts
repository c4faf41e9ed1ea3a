// A closed pipeline has ended its writes and looks for nothing any more, so that the database can be closed.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pipeline } from '../../src/alerthub/pipeline/pipeline.ts';
import { isoTime, type ManualClock } from '../../src/common/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { createTestPipeline } from '../pipeline/start-pipeline.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let database: Database;
let clock: ManualClock;
let pipeline: Pipeline;

beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  ({ pipeline, clock } = createTestPipeline(database));
}, 120_000);
afterEach(() => store?.remove());

test('waits for a write between batches', async () => {
  pipeline.start();
  await pipeline.idle();
  const order: string[] = [];
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  const write = pipeline.withPipelineLock(
    'state',
    () => held,
    () => void order.push('written'),
  );
  const closed = pipeline.close().then(() => order.push('closed'));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  order.push('freed');
  free();
  await Promise.all([write, closed]);
  expect(order).toEqual(['freed', 'written', 'closed']);
});

test('leaves no timer behind', async () => {
  const scopeId = '0190a0a0-4444-7000-8000-000000000009';
  await database.query(
    `insert into scope_state (scope_id, space_id, status, severity, recovery_at) values ($1, $1, 'warning', 2, $2)`,
    [scopeId, isoTime(clock.now() + 1000)],
  );
  pipeline.start();
  await pipeline.idle();
  // Looking for messages, for scopes to audit, for the recovery, and for due rows of three kinds.
  await expect.poll(() => clock.timerCount).toBe(6);
  await pipeline.close();
  expect(clock.timerCount).toBe(0);
});
