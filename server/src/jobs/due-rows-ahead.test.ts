import { expect, test } from 'vitest';
import { refuseRows } from '../../test/support/sql/refuse-rows.ts';
import { createStoreWithTables } from '../../test/support/test-store.ts';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import { DueRowsAhead } from './due-rows-ahead.ts';
import { JobQueue } from './job-queue.ts';

test('a row that cannot be corrected does not hold up the others, and leased ones are left', async () => {
  const store = (await createStoreWithTables('embedded'))!;
  const database = await store.open();
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const deps = { database, clock, instance: 'one', log: (line: LogLine) => void lines.push(line) };
  const queue = new JobQueue<{ n: number }>(deps, 'notice-mail');
  clock.jump(40 * 86_400_000);
  await queue.add(database, null, { n: 1 });
  await queue.claim(1);
  for (const n of [2, 3]) await queue.add(database, null, { n });
  clock.jump(-40 * 86_400_000);
  const end = await refuseRows(() => database, 'job', `new.payload->>'n' = '2'`, 'update');
  const ahead = new DueRowsAhead(deps, async () => {});
  await ahead.start();
  expect((await queue.claim(5)).map(({ payload }) => payload.n)).toEqual([3]);
  expect(lines).toMatchObject([{ level: 'error', message: 'a row could not be updated', table: 'job' }]);
  await end();
  await ahead.close();
  await store.remove();
}, 120_000);
