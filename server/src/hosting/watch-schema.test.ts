import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestStore, type TestStore } from '../../test/support/test-store.ts';
import { ManualClock } from '../common/clock.ts';
import type { Database } from '../db/database.ts';
import { watchSchema } from './watch-schema.ts';

let store: TestStore | null = null;
let database: Database;
beforeAll(async () => {
  store = await createTestStore('postgresql');
  const migrations = [{ number: 1, name: 'first', up: 'CREATE TABLE row (id int)' }];
  if (store) database = await store.open({ migrations });
}, 60_000);
afterAll(() => store?.remove());

test('tells once that a newer version has migrated the database, and looks no further', async (context) => {
  if (!store) return context.skip();
  const clock = new ManualClock();
  let looks = 0;
  let answer: Promise<unknown> | undefined;
  const { outdated } = watchSchema({
    database: {
      kind: database.kind,
      query: (statement, values) => {
        looks += 1;
        answer = database.query(statement, values);
        return answer as never;
      },
    },
    clock,
    latestMigration: 1,
  });
  let told: string | undefined;
  void outdated.then((message) => {
    told = message;
  });
  clock.advance(5_000);
  await answer;
  await new Promise(setImmediate);
  expect({ looks, told }).toEqual({ looks: 1, told: undefined });
  const newer = [
    { number: 1, name: 'first', up: 'CREATE TABLE row (id int)' },
    { number: 2, name: 'second', up: 'ALTER TABLE row ADD name text' },
  ];
  await (await store.open({ migrations: newer })).close();
  clock.advance(5_000);
  expect(await outdated).toBe(
    'A newer version has migrated the database to 2; this one knows migrations up to 1. Start the newer version here too.',
  );
  expect(clock.timerCount).toBe(0);
  expect(looks).toBe(2);
});

test('does not wake the embedded engine, which no other server can use', () => {
  const clock = new ManualClock();
  watchSchema({ database: { ...database, kind: 'embedded' }, clock, latestMigration: 1 });
  expect(clock.timerCount).toBe(0);
});

test('does not look again while the database has not answered', () => {
  const clock = new ManualClock();
  let looks = 0;
  const query = () => {
    looks += 1;
    return new Promise<never>(() => {});
  };
  watchSchema({ database: { kind: 'postgresql', query }, clock, latestMigration: 1 });
  clock.advance(24 * 3_600_000);
  expect(looks).toBe(1);
});
