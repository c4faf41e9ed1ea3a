import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { weekDays } from '../time/week-day.ts';
import { offsetAt } from '../time/zone-clock.ts';
import { nextRun } from './next-run.ts';
import type { Recurrence, Timing } from './schedule.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const daily = (hour: number, minute: number, timeZone: string): Timing => ({
  recurrence: { frequency: 'day', hour, minute, timeZone },
});
const iso = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString().slice(0, 16);

function nextRuns(timing: Timing, after: number, count: number): number[] {
  const runs: number[] = [];
  for (let at = nextRun(timing, after); at !== undefined && runs.length < count; at = nextRun(timing, at))
    runs.push(at);
  return runs;
}

test.each<[string, Timing, string, string[]]>([
  ['oneshot', { oneshot: '2026-05-01T09:00:00+09:00' }, '2026-01-01', ['2026-05-01T00:00']],
  ['oneshot over', { oneshot: '2026-05-01T09:00:00+09:00' }, '2026-05-01', []],
  ['daily', daily(9, 0, 'Asia/Tokyo'), '2026-01-01', ['2026-01-02T00:00', '2026-01-03T00:00']],
  ['daily in an offset', daily(23, 59, 'UTC+9'), '2026-01-01', ['2026-01-01T14:59', '2026-01-02T14:59']],
  [
    'over a gap',
    daily(2, 30, 'Europe/Berlin'),
    '2026-03-28',
    ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
  ],
  [
    'over a repeated hour, once',
    daily(2, 30, 'Europe/Berlin'),
    '2026-10-24',
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'over a missing day, at the next instant there is',
    daily(12, 0, 'Pacific/Apia'),
    '2011-12-29',
    ['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00', '2011-12-31T22:00'],
  ],
  [
    'weekly',
    { recurrence: { frequency: 'week', hour: 0, minute: 0, timeZone: 'UTC', weekDay: 'monday' } },
    '2026-11-21',
    ['2026-11-23T00:00', '2026-11-30T00:00'],
  ],
  [
    'weekly on several days',
    {
      recurrence: {
        frequency: 'week',
        hour: 8,
        minute: 15,
        timeZone: 'UTC',
        weekDay: ['sunday', 'wednesday'],
      },
    },
    '2026-11-21',
    ['2026-11-22T08:15', '2026-11-25T08:15', '2026-11-29T08:15'],
  ],
  [
    'monthly',
    { recurrence: { frequency: 'month', hour: 0, minute: 0, timeZone: 'UTC', day: 15 } },
    '2026-01-15',
    ['2026-02-15T00:00', '2026-03-15T00:00'],
  ],
  [
    'last day',
    { recurrence: { frequency: 'month', hour: 0, minute: 0, timeZone: 'UTC', day: 31 } },
    '2028-01-31',
    ['2028-02-29T00:00', '2028-03-31T00:00', '2028-04-30T00:00'],
  ],
  [
    'a day that a month lacks',
    { recurrence: { frequency: 'month', hour: 0, minute: 0, timeZone: 'UTC', day: 30 } },
    '2026-01-31',
    ['2026-02-28T00:00', '2026-03-30T00:00'],
  ],
])('%s', (_, timing, after, runs) => {
  const found = nextRuns(timing, Date.parse(`${after}T00:00:00Z`), runs.length + (timing.oneshot ? 1 : 0));
  expect(found.map(iso)).toEqual(runs);
});

test('a run is strictly after', () => {
  const timing = daily(0, 0, 'UTC');
  const at = Date.UTC(2026, 0, 2);
  expect(nextRun(timing, at)).toBe(at + 86_400_000);
  expect(nextRun(timing, at - 1)).toBe(at);
  expect(nextRun({ oneshot: '2026-01-02T00:00:00Z' }, at - 1)).toBe(at);
  expect(nextRun({ oneshot: '2026-01-02T00:00:00Z' }, at)).toBeUndefined();
});

test('finds the next run where a zone repeats a day', () => {
  // Sitka moved from the Asian to the American side of the date line: midnight of the 18th came before noon
  // of the 17th.
  const midnight = Date.parse('1867-10-18T09:01:13Z');
  expect(nextRun(daily(0, 0, 'America/Sitka'), midnight - 1)).toBe(midnight);
});

const zones = Intl.supportedValuesOf('timeZone');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('every change of the clocks in ten years, in every zone', () => {
  const from = Date.UTC(2025, 0, 1);
  const to = Date.UTC(2035, 0, 1);

  test('agrees with a minute-by-minute reading of the wall clock', () => {
    let changes = 0;
    const wrong: unknown[] = [];
    for (const timeZone of zones) {
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
      for (const change of changesOf(timeZone, from, to)) {
        changes += 1;
        const size = Math.abs(offsetAt(change, timeZone) - offsetAt(change - 1, timeZone)) / minuteMs;
        // The local time of each minute around the change, and when it first occurs.
        const reach = (2 * size + 5) * minuteMs;
        const begin = change - reach;
        const shown: [string, number][] = [];
        const firstShown = new Map<string, number>();
        for (let at = begin; at <= change + reach; at += minuteMs) {
          const text = clock.format(at);
          shown.push([text, at]);
          if (!firstShown.has(text)) firstShown.set(text, at);
        }
        for (const minutes of [-size - 1, -size, -size / 2, -1, 0, 1, size / 2, size - 1, size, size + 1]) {
          const wall = wallTime(clock.format(change - minuteMs), Math.round(minutes) + 1);
          const expected =
            firstShown.get(wall) ?? shown.find(([text, at]) => at >= change && text > wall)![1];
          const timing = daily(Number(wall.slice(11, 13)), Number(wall.slice(14)), timeZone);
          const next = nextRun(timing, begin - 1);
          if (next !== expected) wrong.push({ timeZone, wall, expected, next });
        }
      }
    }
    expect(wrong).toEqual([]);
    // There are thousands of changes in ten years; far fewer would mean that this test misses them.
    expect(changes).toBeGreaterThan(2000);
  }, 120_000);
});

/** Instants at which a zone's offset changes, found in steps of five days and then by bisection. */
function changesOf(timeZone: string, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 120 * hourMs) {
    let [low, high] = [at, at + 120 * hourMs];
    if (offsetAt(low, timeZone) === offsetAt(high, timeZone)) continue;
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle, timeZone) === offsetAt(low, timeZone)) low = middle;
      else high = middle;
    }
    found.push(high);
  }
  return found;
}

/** A local time moved by minutes as if the offset never changed. */
function wallTime(text: string, minutes: number): string {
  const at = Date.parse(`${text.replace(' ', 'T')}:00Z`) + minutes * minuteMs;
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

const recurrences = fc.record({
  frequency: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  timeZone: fc.constantFrom(...zones, 'UTC+9', 'UTC-12'),
  weekDay: fc.subarray([...weekDays], { minLength: 1 }),
  day: fc.integer({ min: 1, max: 31 }),
});
const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2050, 0, 1) });

test('no run is skipped: the first one after any instant before a run is that run', () => {
  fc.assert(
    fc.property(recurrences, instants, fc.double({ min: 0, max: 1, noNaN: true }), (recurrence, at, part) => {
      const run = nextRun({ recurrence }, at)!;
      expect(run).toBeGreaterThan(at);
      expect(nextRun({ recurrence }, at + Math.floor((run - at - 1) * part))).toBe(run);
      expect(nextRun({ recurrence }, run - 1)).toBe(run);
      expect(nextRun({ recurrence }, run)).toBeGreaterThan(run);
    }),
    { numRuns: 1000 },
  );
}, 60_000);

test('agrees with luxon, day by day, where no clock changes', () => {
  fc.assert(
    fc.property(recurrences, instants, (recurrence, after) => {
      const expected = slowNext(recurrence, after);
      fc.pre(expected !== undefined);
      expect(nextRun({ recurrence }, after)).toBe(expected);
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** Checks every day with luxon; undefined if the offset changes on the way, which the scan above covers. */
function slowNext(recurrence: Recurrence, after: number): number | undefined {
  const { hour, minute, timeZone } = recurrence;
  let day = DateTime.fromMillis(after, { zone: timeZone }).startOf('day').minus({ days: 1 });
  for (let count = 0; count < 40; count += 1, day = day.plus({ days: 1 })) {
    const run = day.set({ hour, minute });
    if (run.hour !== hour || run.minute !== minute || run.getPossibleOffsets().length > 1) return undefined;
    const wanted =
      recurrence.frequency === 'day' ||
      (recurrence.frequency === 'week' &&
        (recurrence.weekDay as string[]).includes(run.setLocale('en').weekdayLong!.toLowerCase())) ||
      (recurrence.frequency === 'month' &&
        (run.day === recurrence.day || (run.day === run.daysInMonth && recurrence.day! > run.day)));
    if (wanted && run.toMillis() > after) return run.toMillis();
  }
  return undefined;
}
