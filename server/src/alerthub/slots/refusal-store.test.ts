import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import type { LogLine } from '../../common/log.ts';
import { RefusalStore } from './refusal-store.ts';

test('a database that stores nothing for a while is logged once', async () => {
  const lines: LogLine[] = [];
  const clock = new ManualClock();
  const database = { transaction: () => Promise.reject(new Error('No space left on device')) };
  const store = new RefusalStore({ database, clock, log: (line) => void lines.push(line) });
  for (let second = 0; second < 60; second += 1) {
    await store.add([]);
    clock.advance(1000);
  }
  expect(lines.filter(({ level }) => level !== 'debug')).toEqual([
    expect.objectContaining({ level: 'warn', error: 'No space left on device' }),
  ]);
});
