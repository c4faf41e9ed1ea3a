// Finds the faulty row in few turns, and distinguishes row errors from database failures.
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { LogLine } from '../common/log.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import {
  faultText,
  type GuardedQueue,
  isRowFault,
  OutdatedBatch,
  PoisonRowGuard,
  retryDelayAfter,
  runIsolatingFaults,
} from './poison-row-guard.ts';

const storeError = (code: string) => Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code });

test.each<[unknown, boolean]>([
  [storeError('22P02'), true],
  [storeError('23502'), true],
  [storeError('54000'), true],
  [storeError('21000'), true],
  [storeError('XX001'), true],
  [storeError('40001'), false],
  [storeError('42703'), false],
  [storeError('55P03'), false],
  [new StoreUnavailable('away'), false],
  [new OutdatedBatch('decided elsewhere'), false],
  [new RangeError('Invalid time value'), true],
  ['text', true],
])('%o is to blame on a row: %s', (error, expected) => {
  expect(isRowFault(error)).toBe(expected);
});

test('a row that was set aside comes back after a minute, two, and a day at most', () => {
  expect([0, 1, 2, 3, 50].map(retryDelayAfter)).toEqual([60_000, 60_000, 120_000, 240_000, 86_400_000]);
});

test('the text of a fault is its message or what was thrown, 200 characters at most', () => {
  expect(faultText(new RangeError('Invalid time value'))).toBe('Invalid time value');
  expect(faultText('text')).toBe('text');
  expect(faultText(new Error(`${'a'.repeat(200)}b`))).toBe('a'.repeat(200));
});

describe('rows in memory', () => {
  test('are not worked on when there are none', async () => {
    const work = () => Promise.reject(new Error('called'));
    await expect(runIsolatingFaults([], work, work)).resolves.toBeUndefined();
  });

  test('are all done but those to blame, in few calls', async () => {
    const rows = Array.from({ length: 256 }, (_, index) => index);
    const done: number[] = [];
    const failed: number[] = [];
    let calls = 0;
    await runIsolatingFaults(
      rows,
      async (some) => {
        calls += 1;
        if (some.includes(17) || some.includes(200)) throw new Error('poison');
        done.push(...some);
      },
      async (row) => void failed.push(row),
    );
    expect(failed).toEqual([17, 200]);
    expect(done).toEqual(rows.filter((row) => row !== 17 && row !== 200));
    expect(calls).toBeLessThan(40);
  });

  test('are not blamed for the store', async () => {
    const work = () => Promise.reject(new StoreUnavailable('away'));
    const failed: number[] = [];
    await expect(runIsolatingFaults([1, 2], work, async (row) => void failed.push(row))).rejects.toThrow(
      'away',
    );
    expect(failed).toEqual([]);
  });
});

describe('a queue', () => {
  /**
   * Rows from 0; those in `poison` cannot be processed, those in `stubborn` cannot even be marked as failed.
   */
  function queueOf(
    count: number,
    { poison = [], stubborn = [], silent = [] }: Partial<Record<'poison' | 'stubborn' | 'silent', number[]>>,
  ) {
    let rows = Array.from({ length: count }, (_, index) => index);
    const seen = { done: [] as number[], failed: [] as number[], aside: [] as number[], turns: 0 };
    const gone = (row: number) => {
      rows = rows.filter((one) => one !== row);
    };
    const guard = new PoisonRowGuard<number>(() => {}, {
      label: 'test',
      maxBatchSize: 64,
      async work(size, onFirst) {
        seen.turns += 1;
        const some = rows.slice(0, size);
        if (some.length === 0) return false;
        onFirst(some[0]!);
        if (some.some((row) => silent.includes(row))) throw new StoreUnavailable('too slow');
        if (some.some((row) => poison.includes(row) || stubborn.includes(row))) throw new Error('poison');
        for (const row of some) gone(row);
        seen.done.push(...some);
        return some.length === size;
      },
      firstKey: async () => rows[0],
      async failRow(row) {
        if (stubborn.includes(row)) throw new Error('not even that');
        seen.failed.push(row);
        gone(row);
      },
      async postpone(row) {
        seen.aside.push(row);
        gone(row);
      },
      isStoreResponsive: async () => true,
    });
    return { guard, seen, left: () => rows };
  }

  test('goes on without the rows to blame', async () => {
    const { guard, seen, left } = queueOf(300, { poison: [5, 6, 200], stubborn: [90] });
    for (let turns = 0; left().length > 0; turns += 1) {
      expect(turns).toBeLessThan(120);
      await guard.runBatch();
    }
    expect(seen.failed).toEqual([5, 6, 200]);
    expect(seen.aside).toEqual([90]);
    expect(seen.done).toHaveLength(296);
    expect(seen.done).toEqual([...seen.done].sort((a, b) => a - b));
  });

  test('sets a row aside that the store never answers about, and ends none for it', async () => {
    const { guard, seen, left } = queueOf(10, { silent: [3] });
    let errors = 0;
    for (let turns = 0; left().length > 0; turns += 1) {
      expect(turns).toBeLessThan(60);
      await guard.runBatch().catch((error) => {
        expect(error).toBeInstanceOf(StoreUnavailable);
        errors += 1;
      });
    }
    expect(seen).toMatchObject({ aside: [3], failed: [] });
    expect(seen.done).toHaveLength(9);
    expect(errors).toBeGreaterThan(1);
  });

  test('has more to do after a row that it ended, but not after one that it set aside', async () => {
    const ended = queueOf(1, { poison: [0] });
    const postponed = queueOf(1, { stubborn: [0] });
    for (const { guard, left } of [ended, postponed]) {
      let hasMore = true;
      while (left().length > 0) hasMore = await guard.runBatch();
      expect(hasMore).toBe(left === ended.left);
    }
  });
});

describe('a turn', () => {
  /** A queue that answers as the test says, and tells what was asked of it. */
  function answering(answers: Partial<GuardedQueue<string>> & { turns?: (boolean | Error)[] }) {
    const calls: string[] = [];
    const lines: LogLine[] = [];
    const { turns = [], ...others } = answers;
    const guard = new PoisonRowGuard<string>((line) => void lines.push(line), {
      label: 'testing',
      maxBatchSize: 8,
      async work(size, onFirst) {
        calls.push(`work ${size}`);
        const answer = turns.shift() ?? false;
        if (size === 1) onFirst('first');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      firstKey: async () => 'found',
      failRow: async (key) => void calls.push(`fail ${key}`),
      postpone: async (key, error) => void calls.push(`postpone ${key} ${(error as Error).message}`),
      isStoreResponsive: async () => true,
      ...others,
    });
    return { guard, calls, lines };
  }
  const fault = new Error('fault');
  const away = new StoreUnavailable('away');

  test('takes half as many rows after a fault, and twice as many after each that went well', async () => {
    const { guard, calls } = answering({ turns: [fault, fault, fault, fault] });
    for (let turn = 0; turn < 8; turn++) await guard.runBatch();
    expect(calls).toEqual([
      ...['work 8', 'work 4', 'work 2', 'work 1', 'fail first'],
      ...['work 1', 'work 2', 'work 4', 'work 8'],
    ]);
    await guard.runBatch();
    expect(calls.at(-1)).toBe('work 8');
  });

  test('has more to do when more are waiting, or when it took fewer rows than it may', async () => {
    const { guard } = answering({ turns: [true, false, fault, false, true, false] });
    const more: boolean[] = [];
    for (let turn = 0; turn < 6; turn++) more.push(await guard.runBatch());
    expect(more).toEqual([true, false, true, true, true, false]);
  });

  test('suspects a row when the store failed three times in a row and otherwise responds', async () => {
    const { guard, calls, lines } = answering({
      turns: [away, away, true, away, away, away, away, away, away],
    });
    const turn = () => guard.runBatch().catch((error: Error) => error.message);
    const twice = ['away', 'away'];
    expect([await turn(), await turn(), await turn()]).toEqual([...twice, true]);
    expect([await turn(), await turn(), await turn()]).toEqual([...twice, true]);
    expect(calls).toEqual(Array(6).fill('work 8'));
    expect([await turn(), await turn(), await turn()]).toEqual([...twice, false]);
    expect(calls.slice(6)).toEqual(['work 1', 'work 1', 'work 1', 'postpone first away']);
    expect(lines).toMatchObject([
      { level: 'error', message: 'testing: a row could not be done', id: 'first', error: 'away' },
    ]);
  });

  test.each([
    ['is away for every statement', away, { isStoreResponsive: async () => false }],
    ['does not answer at all', away, { isStoreResponsive: () => Promise.reject(away) }],
    ['says that what was read is outdated', new OutdatedBatch('decided elsewhere'), {}],
  ])('blames no row when the store %s', async (_what, error, answers) => {
    const { guard, calls } = answering({ turns: Array(6).fill(error), ...answers });
    for (let turn = 0; turn < 6; turn++) await expect(guard.runBatch()).rejects.toBe(error);
    expect(calls).toEqual(Array(6).fill('work 8'));
  });

  test('suspects no row when the disk of the database is full', async () => {
    const full = new StoreUnavailable('No space left on device', { cause: storeError('53100') });
    const lines: LogLine[] = [];
    const postponed: number[] = [];
    const guard = new PoisonRowGuard<number>((line) => void lines.push(line), {
      label: 'rows',
      maxBatchSize: 1,
      work: () => Promise.reject(full),
      firstKey: async () => 1,
      failRow: async () => {},
      postpone: async (row) => void postponed.push(row),
      isStoreResponsive: async () => true,
    });
    for (let turn = 0; turn < 10; turn += 1) await expect(guard.runBatch()).rejects.toBe(full);
    expect([lines, postponed]).toEqual([[], []]);
  });

  test('looks for the first row when it could not be read, and fails when there is none', async () => {
    const unreadable = async () => {
      throw fault;
    };
    const failed: string[] = [];
    const answers = {
      maxBatchSize: 1,
      work: unreadable,
      failRow: async (key: string) => void failed.push(key),
    };
    expect(await answering(answers).guard.runBatch()).toBe(true);
    expect(failed).toEqual(['found']);
    const none = answering({ ...answers, firstKey: async () => undefined });
    await expect(none.guard.runBatch()).rejects.toBe(fault);
  });

  test('puts a row off that cannot be ended, but not when the store is away for that', async () => {
    const one = { maxBatchSize: 1, turns: [fault] };
    const refused = answering({ ...one, failRow: () => Promise.reject(new Error('refused')) });
    expect(await refused.guard.runBatch()).toBe(false);
    expect(refused.calls).toEqual(['work 1', 'postpone first fault']);
    expect(refused.lines).toMatchObject([
      { message: 'testing: a row could not be done', error: 'fault' },
      { message: 'testing: a row could not be ended', error: 'refused' },
    ]);
    const unanswered = answering({ ...one, turns: [fault], failRow: () => Promise.reject(away) });
    await expect(unanswered.guard.runBatch()).rejects.toBe(away);
    expect(unanswered.calls).toEqual(['work 1']);
    const postpone = () => Promise.reject(away);
    const stuck = answering({ ...one, turns: [fault], failRow: () => Promise.reject(fault), postpone });
    await expect(stuck.guard.runBatch()).rejects.toBe(away);
  });
});
