import { expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import { ClockDifference } from './clock-difference.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';

const minute = 60_000;

/** `ahead` is how far this server is ahead of the database, `takes` how long an answer takes, both in milliseconds. */
function create() {
  const clock = new ManualClock();
  const given = { ahead: 0, takes: 0, away: false };
  const lines: LogLine[] = [];
  const metrics = new ServerMetrics('1');
  const query = async () => {
    if (given.away) throw new StoreUnavailable('away');
    const now = clock.now() - given.ahead;
    clock.advance(given.takes);
    return { rows: [{ now }], rowCount: 1 };
  };
  const difference = new ClockDifference({
    database: { kind: 'postgresql', query: query as unknown as Database['query'] },
    clock,
    log: (line) => lines.push(line),
    onMeasured: (seconds) => metrics.setClockDifference(seconds),
  });
  const metric = async () =>
    /^yagura_clock_difference_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1];
  return { clock, given, lines, metric, difference };
}

test.each([
  [30_000, 'the clock of this server is ahead of that of the database'],
  [-30_000, 'the clock of this server is behind that of the database'],
])('warns of a difference of %d ms once an hour, until it is gone', async (ahead, message) => {
  const { clock, given, lines, metric, difference } = create();
  given.ahead = ahead;
  await difference.runNow();
  clock.advance(59 * minute);
  await difference.runNow();
  expect(lines).toEqual([{ level: 'warn', message: expect.stringContaining(message), seconds: 30 }]);
  clock.advance(minute);
  await difference.runNow();
  expect(lines).toHaveLength(2);
  given.ahead = 1_000;
  await difference.runNow();
  expect(await metric()).toBe('1');
  given.ahead = ahead;
  await difference.runNow();
  expect(lines).toHaveLength(3);
});

test('a slow answer says nothing of the clocks', async () => {
  const { given, lines, difference } = create();
  given.takes = 10_000;
  await difference.runNow();
  expect(lines).toEqual([]);
});

test('is not told while the database is away', async () => {
  const { given, metric, difference } = create();
  given.ahead = 5_000;
  await difference.runNow();
  expect(await metric()).toBe('5');
  given.away = true;
  await difference.runNow();
  expect(await metric()).toBeUndefined();
  given.away = false;
  await difference.runNow();
  expect(await metric()).toBe('5');
});

test('does not wake the embedded engine', () => {
  const clock = new ManualClock();
  const database = { kind: 'embedded', query: () => Promise.reject(new Error('asked')) } as const;
  new ClockDifference({ database, clock, log: () => undefined, onMeasured: () => undefined }).start();
  expect(clock.timerCount).toBe(0);
});
