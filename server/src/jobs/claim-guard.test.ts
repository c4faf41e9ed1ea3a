import { expect, it } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import { ClaimGuard, type ClaimRange } from './claim-guard.ts';

/**
 * A queue whose rows in `refused` cannot be claimed; `ended` lists what `end` was called with. The store is away for
 * statements that `isAway` names.
 */
function createQueue() {
  const clock = new ManualClock();
  const due = new Set<string>();
  const refused = new Set<string>();
  /** Rows that cannot be ended. */
  const stubborn = new Set<string>();
  const lines: LogLine[] = [];
  const ended: [id: string, attempts: number][] = [];
  const isAway = new Set<'claim' | 'findDue' | 'end'>();
  const reach = (statement: 'claim' | 'findDue' | 'end') => {
    if (isAway.has(statement)) throw new StoreUnavailable('the store is away');
  };
  const select = ({ max, only, except }: ClaimRange) =>
    [...due].filter((id) => !except.includes(id) && (!only || only.includes(id))).slice(0, max);
  const guard = new ClaimGuard<string>(
    { clock, log: (line) => void lines.push(line) },
    {
      queue: 'test',
      async claim(range) {
        reach('claim');
        const rows = select(range);
        if (rows.some((id) => refused.has(id))) throw new Error('refused');
        for (const id of rows) due.delete(id);
        return rows;
      },
      async findDue(range) {
        reach('findDue');
        return select(range);
      },
      async end(id, _error, attempts) {
        reach('end');
        if (stubborn.has(id)) throw new Error('stubborn');
        ended.push([id, attempts]);
        return false;
      },
    },
  );
  return { guard, clock, due, refused, stubborn, ended, isAway, lines };
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

it('claims no more than asked for, and fills up in place of what was refused', async () => {
  const { guard, due, refused } = createQueue();
  for (const id of ['bad', 'first', 'second', 'third', 'fourth']) due.add(id);
  refused.add('bad');
  expect(await guard.claim(3)).toEqual(['first', 'second', 'third']);
  expect(await guard.claim(0)).toEqual([]);
  expect([...due]).toEqual(['bad', 'fourth']);
});

it('fails when the claim is refused and no row is to blame for it', async () => {
  const guard = new ClaimGuard<string>(
    { clock: new ManualClock(), log: () => {} },
    {
      queue: 'test',
      claim: () => Promise.reject(new Error('refused')),
      findDue: async () => [],
      end: async () => true,
    },
  );
  await expect(guard.claim(10)).rejects.toThrow('refused');
});

it('goes on in the next call when many rows are refused one after the other', async () => {
  const { guard, due, refused, lines } = createQueue();
  const ids = Array.from({ length: 150 }, (_, index) => `row ${index}`);
  for (const id of ids) {
    due.add(id);
    refused.add(id);
  }
  due.add('good');
  expect(await guard.claim(1)).toEqual([]);
  expect(lines).toHaveLength(100);
  expect(await guard.claim(1)).toEqual(['good']);
  expect(lines).toHaveLength(150);
});

it('leaves a row that cannot be ended either, and tells of both', async () => {
  const { guard, clock, due, refused, stubborn, lines } = createQueue();
  for (const id of ['bad', 'last']) due.add(id);
  refused.add('bad');
  stubborn.add('bad');
  expect(await guard.claim(10)).toEqual(['last']);
  expect(lines).toMatchObject([
    {
      level: 'error',
      message: 'a row could not be claimed',
      queue: 'test',
      id: 'bad',
      attempts: 1,
      error: 'refused',
    },
    {
      message: 'a row that cannot be claimed could not be ended',
      queue: 'test',
      id: 'bad',
      error: 'stubborn',
    },
  ]);
  refused.clear();
  clock.advance(59_999);
  expect(await guard.claim(10)).toEqual([]);
  clock.advance(1);
  expect(await guard.claim(10)).toEqual(['bad']);
});

it('counts the attempts of a row anew once it was ended, and leaves it alone no longer', async () => {
  const ended: number[] = [];
  let isDue = true;
  const guard = new ClaimGuard<string>(
    { clock: new ManualClock(), log: () => {} },
    {
      queue: 'test',
      async claim({ except }) {
        if (isDue && !except.includes('row')) throw new Error('refused');
        return [];
      },
      findDue: async () => ['row'],
      async end(_id, _error, attempts) {
        ended.push(attempts);
        isDue = false;
        return true;
      },
    },
  );
  expect(await guard.claim(1)).toEqual([]);
  isDue = true;
  expect(await guard.claim(1)).toEqual([]);
  expect(ended).toEqual([1, 1]);
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

it.each(['claim', 'findDue', 'end'] as const)('fails when the store is away for %s', async (statement) => {
  const { guard, due, refused, isAway } = createQueue();
  due.add('bad');
  refused.add('bad');
  isAway.add(statement);
  await expect(guard.claim(10)).rejects.toThrow(StoreUnavailable);
});

it('hands out what it has claimed when the store is away afterwards', async () => {
  const { guard, due, refused, isAway } = createQueue();
  for (const id of ['first', 'bad', 'last']) due.add(id);
  refused.add('bad');
  isAway.add('end');
  expect(await guard.claim(10)).toEqual(['first']);
  isAway.clear();
  expect(await guard.claim(10)).toEqual(['last']);
});
