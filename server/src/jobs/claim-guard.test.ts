import { expect, it } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import { ClaimGuard, type ClaimRange } from './claim-guard.ts';

/** A queue whose rows in `refused` cannot be claimed; `ended` lists what `end` was called with. */
function createQueue() {
  const clock = new ManualClock();
  const due = new Set<string>();
  const refused = new Set<string>();
  const ended: [id: string, attempts: number][] = [];
  const select = ({ max, only, except }: ClaimRange) =>
    [...due].filter((id) => !except.includes(id) && (!only || only.includes(id))).slice(0, max);
  const guard = new ClaimGuard<string>(
    { clock, log: () => {} },
    {
      queue: 'test',
      async claim(range) {
        const rows = select(range);
        if (rows.some((id) => refused.has(id))) throw new Error('refused');
        for (const id of rows) due.delete(id);
        return rows;
      },
      findDue: async (range) => select(range),
      async end(id, _error, attempts) {
        ended.push([id, attempts]);
        return false;
      },
    },
  );
  return { guard, clock, due, refused, ended };
}

it('leaves a row that cannot be claimed alone for a minute, then two, and claims the others', async () => {
  const { guard, clock, due, refused, ended } = createQueue();
  for (const id of ['first', 'bad', 'last']) due.add(id);
  refused.add('bad');
  expect(await guard.claim(10)).toEqual(['first', 'last']);
  expect(await guard.claim(10)).toEqual([]);
  expect(ended).toEqual([['bad', 1]]);
  clock.advance(60_000);
  await guard.claim(10);
  clock.advance(60_000);
  await guard.claim(10);
  expect(ended).toEqual([
    ['bad', 1],
    ['bad', 2],
  ]);
});

it('counts the attempts of a row anew once it was claimed', async () => {
  const { guard, clock, due, refused, ended } = createQueue();
  due.add('row');
  refused.add('row');
  await guard.claim(10);
  refused.clear();
  clock.advance(60_000);
  expect(await guard.claim(10)).toEqual(['row']);

  due.add('row');
  refused.add('row');
  await guard.claim(10);
  expect(ended).toEqual([
    ['row', 1],
    ['row', 1],
  ]);
});
