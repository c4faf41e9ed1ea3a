import { clockNumber, localTimeAt, localTimeToInstant } from '@yagura/core/time/zone-clock';
import { describe, expect, test } from 'vitest';
import { expectNextArrival, type HourlyCount } from './arrival-baseline.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** A Wednesday. */
const now = Date.parse('2026-03-04T10:20:00.000Z');

/** Counts of the last `days` before `until`; `received` returns the messages of an hour. */
function past(days: number, received: (at: Date) => number, until = now): HourlyCount[] {
  const last = Math.floor(until / hour) * hour;
  return Array.from({ length: days * 24 }, (_, index) => last - index * hour)
    .map((at) => ({ at, received: received(new Date(at)) }))
    .filter((one) => one.received > 0);
}

const office = (at: Date) =>
  at.getUTCHours() >= 9 && at.getUTCHours() < 18 && at.getUTCDay() % 6 !== 0 ? 5 : 0;
const nightly = (at: Date) => (at.getUTCHours() === 2 ? 1 : 0);
/** Intervals that vary irregularly. */
const strewn = (at: Date) => ([0, 13, 40, 47].includes(Math.floor(at.getTime() / hour) % 101) ? 1 : 0);

describe('when the next message is due', () => {
  test.each<[string, HourlyCount[], string, string | null, string]>([
    ['nothing ever', [], '', null, 'learning'],
    ['every hour for two days', past(2, () => 9), '', null, 'learning'],
    ['every hour for two weeks', past(14, () => 9), '', '2026-03-04T13:00', 'expected'],
    [
      'every night for three weeks',
      past(21, nightly, Date.parse('2026-03-04T02:10Z')),
      '2026-03-04T02:10Z',
      '2026-03-05T09:00',
      'expected',
    ],
    ['office hours, in the morning', past(28, office), '', '2026-03-04T13:00', 'expected'],
    [
      'office hours, on Friday evening',
      past(33, office, Date.parse('2026-03-06T17:30Z')),
      '2026-03-06T17:30Z',
      '2026-03-09T11:00',
      'expected',
    ],
    ['office hours for two weeks only', past(14, office), '', null, 'learning'],
    ['at odd times', past(28, strewn), '', null, 'irregular'],
    [
      'office hours, two of whose days were quiet once',
      past(28, office).filter(({ at }) => at < now - 12 * day || at > now - 5 * day),
      '',
      '2026-03-06T13:00',
      'expected',
    ],
  ])('%s', (_, hours, base, due, state) => {
    const found = expectNextArrival(hours, base ? Date.parse(base) : now);
    expect(found.state).toBe(state);
    expect(found.expectedBy && new Date(found.expectedBy).toISOString().slice(0, 16)).toBe(due);
  });

  test('says what it was judged by', () => {
    expect(expectNextArrival(past(28, office), now).reason).toEqual({
      word: 'watch.week',
      params: { window: 7200, weeks: 4, least: 10, most: 10 },
    });
    expect(
      expectNextArrival(
        past(14, () => 9),
        now,
      ).reason,
    ).toEqual({
      word: 'watch.beat',
      params: { usual: 3600, longest: 3600 },
    });
  });
});

describe.each([
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Asia/Tokyo', '2026-03-29'],
  ['Asia/Tokyo', '2026-10-25'],
  ['UTC', '2026-03-29'],
  ['UTC', '2026-11-01'],
])('a sender on the clock of %s around %s', (zone, date) => {
  /** The local time as a date in UTC. */
  const local = (at: Date) => new Date(clockNumber(localTimeAt(at.getTime(), zone)));
  const batch = (at: Date) => (at.getUTCHours() === 7 && at.getUTCDay() % 6 !== 0 ? 20 : 0);
  const change = Date.parse(date);

  test.each([
    ['in office hours', office, 9],
    ['in one hour of a working day', batch, 7],
  ])('%s is not overdue while it goes on, and is when it stops', (_, pattern, firstHour) => {
    const received = (at: Date) => pattern(local(at));
    const sent = past(100, received, change + 50 * day).reverse();
    for (const [index, { at: last }] of sent.entries()) {
      const next = sent[index + 1]?.at;
      if (last < change - 7 * day || last > change + 35 * day || next === undefined) continue;
      const { expectedBy } = expectNextArrival(
        sent.filter(({ at }) => at <= last && at > last - 35 * day),
        last + hour / 2,
      );
      const delay = expectedBy === null ? null : (expectedBy - next) / hour;
      expect(delay, new Date(last).toISOString()).toBeGreaterThanOrEqual(1);
    }

    // Monday after the change: nothing arrives any more.
    const monday = localTimeAt(change + 36 * hour, zone);
    const begin = localTimeToInstant({ ...monday, hour: firstHour, minute: 0, second: 0 }, zone);
    const before = sent.filter(({ at }) => at < begin);
    const { expectedBy } = expectNextArrival(before, before.at(-1)!.at + hour / 2);
    expect((expectedBy! - begin) / hour).toBeLessThanOrEqual(3);
  });
});
