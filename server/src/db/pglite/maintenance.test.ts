import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts';
import { createTestStore, type TestStore } from '../../../test/support/test-store.ts';
import type { Database, Statement } from '../database.ts';
import { type Maintenance, type MaintenanceLimits, startMaintenance } from './maintenance.ts';

// Starting an engine takes seconds when the machine is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let store: TestStore;
let database: Database;
let clock: TestClock;
let ran: string[];
let uses: number;
let lastQuery: Promise<unknown> | undefined;
let maintenance: Maintenance | undefined;

/** What a checkpoint consists of. */
const checkpoint = ['files are flushed', 'CHECKPOINT'];

beforeEach(async () => {
  store = (await createTestStore('embedded'))!;
  database = await store.open();
  clock = createTestClock();
  ran = [];
  uses = 0;
}, 60_000);
afterEach(async () => {
  await maintenance?.stop();
  await store.remove();
});

/** Maintenance on the real database, recording its statements. */
function start(limits: Partial<MaintenanceLimits> = {}): Maintenance {
  const noted = {
    query: <Row>(statement: Statement, values?: unknown[]) => {
      uses += 1;
      if (typeof statement === 'string' && !/^(SELECT|SET|RESET) /.test(statement)) ran.push(statement);
      const result = database.query<Row>(statement, values);
      lastQuery = result;
      return result;
    },
  };
  const flushFiles = async () => void ran.push('files are flushed');
  maintenance = startMaintenance({
    store: noted,
    uses: () => uses,
    flushFiles,
    clock,
    log: () => {},
    limits,
  });
  const { runNow, stop } = maintenance;
  return {
    stop,
    // Twice: the first call may join a run that the timer started earlier.
    runNow: () => runNow().then(runNow),
  };
}

/** A client statement that counts as use. */
async function use(statement: string): Promise<void> {
  uses += 1;
  await database.query(statement);
}

async function walBytes(): Promise<number> {
  const { rows } = await database.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
  );
  return rows[0]!.bytes;
}

test('a checkpoint is written 60 s after the last one when something was written, else not', async () => {
  await use('CREATE TABLE row (id int)');
  const { runNow } = start();
  await runNow();
  expect(ran).toEqual([]);
  await clock.advance(60_000);
  await runNow();
  expect(ran).toEqual(checkpoint);
  await clock.advance(600_000);
  await runNow();
  expect(ran).toEqual(checkpoint);
  await use('INSERT INTO row VALUES (1)');
  await clock.advance(60_000);
  await runNow();
  expect(ran).toEqual([...checkpoint, ...checkpoint]);
});

test('a checkpoint is written at once when the log has grown by the limit, and shortens it', async () => {
  const { runNow } = start({ walBytes: 1_000_000, changedRows: 1e9 });
  await runNow();
  expect(ran).toEqual([]);
  await use("CREATE TABLE row AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 2000)");
  expect(await walBytes()).toBeGreaterThan(1_000_000);
  await runNow();
  expect(ran).toEqual(checkpoint);
  expect(await walBytes()).toBeLessThan(10_000);
});

test('tables with many dead rows are vacuumed, changed ones analysed, quiet ones left alone', async () => {
  await use('CREATE TABLE hot (id int)');
  await use('CREATE TABLE "Warm" (id int)');
  await use('CREATE TABLE cold (id int)');
  const { runNow } = start({ checkpointIntervalMs: 1e12 });
  await use('INSERT INTO hot SELECT generate_series(1, 5000)');
  await use('DELETE FROM hot WHERE id <= 4000');
  await use('INSERT INTO "Warm" SELECT generate_series(1, 5000)');
  await use('INSERT INTO cold VALUES (1)');
  await clock.advance(60_000);
  await runNow();
  expect(ran.filter((text) => text.includes('public.'))).toEqual([
    // Both have outgrown their missing statistics more than twofold.
    'ANALYZE public.hot',
    'ANALYZE public."Warm"',
    'VACUUM public.hot',
    'ANALYZE public.hot',
  ]);
  const { rows } = await database.query(
    "SELECT n_dead_tup::int AS dead FROM pg_stat_user_tables WHERE relname = 'hot'",
  );
  expect(rows).toEqual([{ dead: 0 }]);
  ran = [];
  await clock.advance(60_000);
  await runNow();
  expect(ran).toEqual([]);
});

test('a table that has outgrown its statistics is analysed at once, and again only when it has doubled', async () => {
  await use('CREATE TABLE growing (id int, text text)');
  const grow = (rows: number) =>
    use(`INSERT INTO growing SELECT n, repeat('x', 100) FROM generate_series(1, ${rows}) n`);
  const { runNow } = start({ checkpointIntervalMs: 1e12, vacuumIntervalMs: 1e12, insertedRows: 1e12 });
  await grow(500);
  await runNow();
  expect(ran).toEqual([]);
  await grow(4500);
  await runNow();
  expect(ran).toEqual(['ANALYZE public.growing']);
  const { rows } = await database.query(
    "SELECT array_length(histogram_bounds::text::int[], 1) AS bounds, current_setting('default_statistics_target') AS target FROM pg_stats WHERE tablename = 'growing' AND attname = 'id'",
  );
  expect(rows).toEqual([{ bounds: 11, target: '30' }]);
  await grow(3000);
  await runNow();
  expect(ran).toHaveLength(1);
  await grow(4000);
  await runNow();
  expect(ran).toHaveLength(2);
});

test('a table that only grows is vacuumed in small steps, unless all of an index would be read each time', async () => {
  await use('CREATE TABLE growing (id int PRIMARY KEY)');
  await use('CREATE TABLE searched (terms tsvector)');
  await use('CREATE INDEX ON searched USING gin (terms)');
  await use('CREATE TABLE replaced (id int PRIMARY KEY)');
  const grow = async (from: number, to: number) => {
    await use(`INSERT INTO growing SELECT generate_series(${from}, ${to})`);
    await use(`INSERT INTO searched SELECT to_tsvector(n::text) FROM generate_series(${from}, ${to}) n`);
    await use(`INSERT INTO replaced SELECT generate_series(${from}, ${to})`);
    await use('DELETE FROM replaced');
  };
  const { runNow } = start({ checkpointIntervalMs: 1e12, vacuumIntervalMs: 1e12, insertedRows: 4000 });
  const vacuumed = () => ran.filter((text) => text.startsWith('VACUUM'));
  await grow(1, 3999);
  await runNow();
  expect(vacuumed()).toEqual([]);
  await grow(4000, 8000);
  await runNow();
  expect(vacuumed()).toEqual(['VACUUM public.growing']);
  const { rows } = await database.query(
    "SELECT relallvisible = relpages AS visible FROM pg_class WHERE relname = 'growing'",
  );
  expect(rows).toEqual([{ visible: true }]);
  await grow(8001, 8100);
  await runNow();
  expect(vacuumed()).toHaveLength(1);
});

test('a table that loses many rows is vacuumed in small steps, the larger it is the fewer', async () => {
  await use('CREATE TABLE shrinking (id int PRIMARY KEY)');
  await use('INSERT INTO shrinking SELECT generate_series(1, 20000)');
  await use('SELECT pg_stat_force_next_flush()');
  await use('VACUUM shrinking');
  await use('CREATE TABLE queue (id int PRIMARY KEY)');
  const { runNow } = start({
    ...{ checkpointIntervalMs: 1e12, vacuumIntervalMs: 1e12, insertedRows: 1e12 },
    ...{ changedRows: 1e12, manyDeadRows: 500 },
  });
  const shrinkTo = async (rows: number) => {
    await use(`DELETE FROM shrinking WHERE id > ${rows}`);
    await use('INSERT INTO queue SELECT generate_series(1, 2000)');
    await use('DELETE FROM queue');
    await runNow();
  };
  await shrinkTo(18_800);
  expect(ran).toEqual([]);
  await shrinkTo(18_000);
  expect(ran).toEqual(['VACUUM public.shrinking']);
  await shrinkTo(17_000);
  expect(ran).toHaveLength(1);
  await shrinkTo(16_000);
  expect(ran).toHaveLength(2);
});

test('while a table grows fast, it is looked at every second instead of every five', async () => {
  await use('CREATE TABLE growing (id int PRIMARY KEY)');
  start({ checkpointIntervalMs: 1e12, vacuumIntervalMs: 1e12, insertedRows: 1000 });
  const grow = () =>
    use('INSERT INTO growing SELECT n + (SELECT count(*) FROM growing) FROM generate_series(1, 2000) n');
  const vacuums = () => ran.filter((text) => text.startsWith('VACUUM')).length;
  /** Advances the clock and waits for what that starts; resolves with the number of its statements. */
  const pass = async (milliseconds: number) => {
    const before = uses;
    await clock.advance(milliseconds);
    let awaited: Promise<unknown> | undefined;
    while (awaited !== lastQuery) {
      awaited = lastQuery;
      await awaited;
      await new Promise(setImmediate);
    }
    return uses - before;
  };
  await grow();
  expect(await pass(1000)).toBe(0);
  await pass(4000);
  expect(vacuums()).toBe(1);
  await grow();
  await pass(1000);
  expect(vacuums()).toBe(2);
  // Nothing new: back to five seconds.
  await use('SELECT 1');
  await pass(1000);
  await grow();
  expect(await pass(1000)).toBe(0);
  expect(vacuums()).toBe(2);
  await pass(5000);
  expect(vacuums()).toBe(3);
});

test('a plan made for a small table gives way when the table has grown', async () => {
  await use('CREATE TABLE item (id int PRIMARY KEY, text text)');
  const { runNow } = start({ checkpointIntervalMs: 1e12, vacuumIntervalMs: 1e12 });
  await use("INSERT INTO item SELECT n, 'x' FROM generate_series(1, 100) n");
  await use('ANALYZE item');
  await use('PREPARE items AS SELECT i.* FROM generate_series(1, 3) n JOIN item i ON i.id = n');
  const plan = async () => JSON.stringify((await database.query('EXPLAIN EXECUTE items')).rows);
  await use('SET plan_cache_mode = force_generic_plan');
  expect(await plan()).toContain('Seq Scan');
  await use("INSERT INTO item SELECT n, 'x' FROM generate_series(101, 50000) n");
  expect(await plan()).toContain('Seq Scan');
  await runNow();
  expect(await plan()).not.toContain('Seq Scan on item');
});

test('old tables are frozen before transaction numbers run out', async () => {
  await use('CREATE TABLE old (id int)');
  for (let id = 0; id < 20; id += 1) await use('INSERT INTO old VALUES (1)');
  const age = async () =>
    (
      await database.query<{ age: number }>(
        "SELECT age(relfrozenxid)::int AS age FROM pg_class WHERE relname = 'old'",
      )
    ).rows[0]!.age;
  const aged = await age();
  expect(aged).toBeGreaterThanOrEqual(20);
  const { runNow } = start({ freezeAge: 20 });
  // System tables are just as old and take their turn, twenty per run.
  for (let round = 0; round < 10 && !ran.includes('VACUUM (FREEZE) public.old'); round += 1) {
    await use('SELECT 1');
    await clock.advance(60_000);
    await runNow();
  }
  expect(ran).toContain('VACUUM (FREEZE) public.old');
  expect(await age()).toBeLessThan(aged);
});

test('the timer does all this by itself, and stops', async () => {
  await use('CREATE TABLE row (id int)');
  const { runNow, stop } = start({ walBytes: 0 });
  await clock.advance(5_000);
  await runNow();
  expect(ran).toEqual(checkpoint);
  await use('INSERT INTO row VALUES (1)');
  await stop();
  await clock.advance(60_000);
  expect(ran).toEqual(checkpoint);
});
