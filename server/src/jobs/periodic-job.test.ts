import { describe, expect, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import type { LogLine } from '../common/log.ts';
import { PeriodicJob } from './periodic-job.ts';

function start(work: () => Promise<void>, intervalMs = 1000) {
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const log = (line: LogLine) => void lines.push(line);
  const rounds = new PeriodicJob({ clock, log, intervalMs, failureMessage: 'not done', work });
  rounds.start();
  return { clock, lines, rounds };
}

test('works on the beat and when asked, and no more once closed', async () => {
  let done = 0;
  const { clock, rounds } = start(async () => void done++);
  clock.advance(999);
  expect(done).toBe(0);
  clock.advance(1);
  expect(done).toBe(1);
  await rounds.runNow();
  expect(done).toBe(2);
  expect(rounds.closed).toBe(false);
  await rounds.close();
  expect(clock.timerCount).toBe(0);
  clock.advance(5000);
  await rounds.runNow();
  expect(done).toBe(2);
});

test('a job with a long interval runs first after five minutes, and not at all when closed before', async () => {
  const minute = 60_000;
  let done = 0;
  const { clock, rounds } = start(async () => void done++, 60 * minute);
  clock.advance(5 * minute - 1);
  expect(done).toBe(0);
  clock.advance(1);
  expect(done).toBe(1);
  await rounds.idle();
  clock.advance(55 * minute);
  expect(done).toBe(2);
  await rounds.close();
  const early = start(async () => void done++, 60 * minute);
  await early.rounds.close();
  early.clock.advance(120 * minute);
  expect(done).toBe(2);
  expect(early.clock.timerCount).toBe(0);
});

test('logs a failure, and goes on', async () => {
  const answers = [new Error('the store is away'), undefined];
  let done = 0;
  const { lines, rounds } = start(async () => {
    const failure = answers.shift();
    if (failure) throw failure;
    done++;
  });
  await rounds.runNow();
  expect(lines).toMatchObject([{ level: 'warn', message: 'not done', error: 'the store is away' }]);
  await rounds.runNow();
  expect(done).toBe(1);
});

test('what is asked for while a round runs is done after it, and closing waits for what runs', async () => {
  const ends: (() => void)[] = [];
  const { rounds } = start(() => new Promise((resolve) => ends.push(resolve)));
  const first = rounds.runNow();
  const second = rounds.runNow();
  expect(ends).toHaveLength(1);
  ends[0]!();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  let closed = false;
  const closing = rounds.close().then(() => {
    closed = true;
  });
  expect(rounds.closed).toBe(true);
  await Promise.resolve();
  expect(closed).toBe(false);
  ends[1]!();
  await Promise.all([second, closing]);
});

test('a round that waited for another is left out when it is closed meanwhile', async () => {
  const ends: (() => void)[] = [];
  const { rounds } = start(() => new Promise((resolve) => ends.push(resolve)));
  const asked = [rounds.runNow(), rounds.runNow()];
  const closing = rounds.close();
  ends[0]!();
  await Promise.all([...asked, closing]);
  expect(ends).toHaveLength(1);
});

describe('a failure that goes on', () => {
  const outage = () => new Error('the store is away');

  test('is logged once, and its repeats as debug', async () => {
    const { lines, rounds } = start(() => Promise.reject(outage()));
    for (let run = 0; run < 3; run++) await rounds.runNow();
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'debug', 'debug']);
  });

  test('is logged again after five minutes, with the number of repeats', async () => {
    const { clock, lines, rounds } = start(() => Promise.reject(outage()));
    await rounds.runNow();
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1000);
        await rounds.idle();
      }
    };
    await pass(299);
    expect(lines.filter(({ level }) => level !== 'debug')).toHaveLength(1);
    await pass(1);
    expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'not done', repeated: 299 });
  });

  test('is logged at once after two minutes without one', async () => {
    const { clock, lines, rounds } = start(() => Promise.reject(outage()));
    for (const pause of [0, 119_999, 119_999, 120_000]) {
      // Without the runs of that time, as if nothing had been done.
      clock.sleep(pause);
      await rounds.runNow();
    }
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'debug', 'debug', 'warn']);
  });

  test('is logged at once when the reason changes, or when work has succeeded in between', async () => {
    const answers = [outage(), new Error('no such table'), undefined, new Error('no such table')];
    const { lines, rounds } = start(async () => {
      const failure = answers.shift();
      if (failure) throw failure;
    });
    for (let run = 0; run < 4; run++) await rounds.runNow();
    expect(lines.map(({ level, error }) => [level, error])).toEqual([
      ['warn', 'the store is away'],
      ['warn', 'no such table'],
      ['warn', 'no such table'],
    ]);
  });
});
