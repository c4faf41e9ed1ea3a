import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuseRows } from '../../../test/support/sql/refuse-rows.ts';
import { createStoreWithTables, type TestStore } from '../../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import type { LogLine } from '../../common/log.ts';
import type { Database } from '../../db/database.ts';
import { type Job, JobQueue } from '../job-queue.ts';
import { AbandonedLeases, deadAfterMs } from './abandoned-leases.ts';

let store: TestStore | null;
let clock: ManualClock;
let lines: LogLine[];

beforeEach(async (context) => {
  store = await createStoreWithTables('postgresql');
  if (!store) return context.skip();
  clock = new ManualClock();
  lines = [];
}, 120_000);
afterEach(() => store?.remove());

/** A server process with a queue, announced to the others. */
async function startProcess(instance: string) {
  const database = await store!.open();
  const deps = { database, clock, instance, log: (line: LogLine) => void lines.push(line) };
  const leases = new AbandonedLeases(deps);
  await leases.start();
  return { database, leases, queue: new JobQueue<{ n: number }>(deps, 'notice-mail') };
}

const numbersOf = (jobs: readonly Job<{ n: number }>[]) => jobs.map(({ payload }) => payload.n).sort();
const spaceId = '0199c0de-0000-7000-8000-000000000001';

async function addLeasedExport(database: Database, owner: string): Promise<void> {
  const at = isoTime(clock.now());
  const until = isoTime(clock.now() + 3_600_000);
  await database.query(
    `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
    [spaceId, at],
  );
  await database.query(
    `insert into bulk_export (export_id, space_id, kind, status, file_name, requested_at, owner, lease_until)
     values (gen_random_uuid(), $1, 'scopes', 'processing', 'scopes.csv', $2, $3, $4)`,
    [spaceId, at, owner, until],
  );
}

/** The server notices the end of a connection a moment later. */
function untilPresent(database: Database, processes: number): Promise<void> {
  return vi.waitFor(async () => {
    const { rows } = await database.query<{ count: number }>(
      `select count(distinct pid)::int as count from pg_locks
       where locktype = 'advisory' and mode = 'ShareLock'
         and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(rows[0]!.count).toBe(processes);
  });
}

test('what a dead process had leased is released ten seconds later, and nothing of a living one', async () => {
  const dead = await startProcess('dead');
  const living = await startProcess('living');
  const other = await startProcess('other');
  for (const n of [1, 2, 3]) await dead.queue.add(dead.database, null, { n });
  expect(numbersOf(await dead.queue.claim(1))).toEqual([1]);
  expect(numbersOf(await living.queue.claim(1))).toEqual([2]);
  await addLeasedExport(dead.database, 'dead');
  const leasedExports = async () =>
    (await other.database.query('select 1 from bulk_export where lease_until is not null')).rowCount;

  await other.leases.runNow();
  clock.advance(deadAfterMs);
  await other.leases.runNow();
  expect(numbersOf(await other.queue.claim(5))).toEqual([3]);

  await dead.leases.close();
  await dead.database.close();
  await untilPresent(other.database, 2);
  await other.leases.runNow();
  clock.advance(deadAfterMs - 1);
  await other.leases.runNow();
  expect(await other.queue.claim(5)).toEqual([]);
  expect(await leasedExports()).toBe(1);

  clock.advance(1);
  await other.leases.runNow();
  expect(numbersOf(await other.queue.claim(5))).toEqual([1]);
  expect(await leasedExports()).toBe(0);
  // Each server that looks reports it, and the living one looks by itself when time passes.
  expect(new Set(lines.map(({ instance }) => instance))).toEqual(new Set(['dead']));
});

test('processes that look at the same moment take nobody dead for alive', async () => {
  const dead = await startProcess('dead');
  await dead.queue.add(dead.database, null, { n: 1 });
  expect(numbersOf(await dead.queue.claim(1))).toEqual([1]);
  const others = await Promise.all(['a', 'b', 'c', 'd'].map(startProcess));
  await dead.leases.close();
  await dead.database.close();
  await untilPresent(others[0]!.database, others.length);
  for (const milliseconds of [0, deadAfterMs]) {
    clock.advance(milliseconds);
    await Promise.all(others.map(({ leases }) => leases.runNow()));
  }
  expect(numbersOf(await others[0]!.queue.claim(5))).toEqual([1]);
  expect(new Set(lines.map(({ instance }) => instance))).toEqual(new Set(['dead']));
});

test('a row that cannot be released holds up no other, and is reported once', async () => {
  const process = await startProcess('process');
  for (const n of [1, 2, 3]) await process.queue.add(process.database, null, { n });
  // A process that has never announced itself is dead.
  const { database } = process;
  await database.query(`update job set locked_by = 'gone', run_at = $1`, [isoTime(clock.now() + 3_600_000)]);
  const end = await refuseRows(() => database, 'job', `new.payload->>'n' = '2'`, 'update');
  for (let check = 0; check < 4; check++) {
    await process.leases.runNow();
    clock.advance(deadAfterMs);
  }
  expect(numbersOf(await process.queue.claim(5))).toEqual([1, 3]);
  expect(lines.filter(({ message }) => message === 'a row could not be updated')).toHaveLength(1);
  await end();
});
