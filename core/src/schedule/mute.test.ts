import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { localTimeAt, localTimeToInstant } from '../time/zone-clock.ts';
import { lastMuteEnd, type Mute, muteSpanAt, upcomingMuteWindows } from './mute.ts';
import { ScheduleError } from './schedule.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const at = (text: string) => Date.parse(`${text}:00Z`);
const iso = (instant: number) => new Date(instant).toISOString().slice(0, 16);
const isMutedAt = (mute: Mute, instant: number) => muteSpanAt(mute, instant) !== undefined;
const begins = (mute: Mute, after: string, count: number) =>
  upcomingMuteWindows(mute, at(after) - 1, count).map(({ begin }) => iso(begin));

const night: Mute = {
  beginAt: '2026-01-05T22:00:00Z',
  endAt: '2026-01-06T06:00:00Z',
  rrule: 'FREQ=WEEKLY;BYDAY=MO,WE',
};

describe('the end of several schedules', () => {
  const single = (begin: string, end: string): Mute => ({
    beginAt: `2026-01-${begin}:00Z`,
    endAt: `2026-01-${end}:00Z`,
  });
  const evening = { ...single('05T18:00', '06T00:00'), rrule: 'FREQ=DAILY' };
  const morning = { ...single('06T00:00', '06T08:00'), rrule: 'FREQ=DAILY' };

  test.each<[string, Mute[], string | undefined]>([
    ['none is active', [single('07T18:00', '07T19:00')], undefined],
    ['the latest of those that overlap', [evening, single('08T23:00', '09T02:00')], '2026-01-09T02:00'],
    ['that of the next, which begins at the end', [morning, evening], '2026-01-09T08:00'],
    [
      'that of a longer one around a repetition',
      [single('08T23:00', '10T01:00'), evening],
      '2026-01-10T01:00',
    ],
    ['not after a minute between', [evening, single('09T00:01', '09T08:00')], '2026-01-09T00:00'],
  ])('%s', (_case, mutes, expected) => {
    const end = lastMuteEnd(mutes, at('2026-01-08T23:30'));
    expect(end === undefined ? undefined : iso(end)).toBe(expected);
  });

  test('is at a limit if there is no pause', () => {
    const always = { ...single('05T00:00', '06T00:00'), rrule: 'FREQ=DAILY' };
    expect(iso(lastMuteEnd([always], at('2026-01-08T23:30'))!)).toBe('2026-02-09T00:00');
  });
});

test.each([
  ['before it begins', '2026-01-05T21:59', false],
  ['at the beginning', '2026-01-05T22:00', true],
  ['over midnight', '2026-01-06T05:59', true],
  ['the end is outside', '2026-01-06T06:00', false],
  ['another day of the rule', '2026-01-07T23:00', true],
  ['a day without', '2026-01-08T23:00', false],
  ['years later', '2036-01-07T23:00', true],
])('%s', (_, instant, muted) => {
  expect(isMutedAt(night, at(instant))).toBe(muted);
});

test('a single span', () => {
  const once: Mute = { beginAt: '2026-01-05T22:00:00Z', endAt: '2026-01-06T06:00:00Z' };
  expect(isMutedAt(once, at('2026-01-06T00:00'))).toBe(true);
  expect(isMutedAt(once, at('2026-01-07T00:00'))).toBe(false);
  expect(begins(once, '2026-01-01T00:00', 5)).toEqual(['2026-01-05T22:00']);
  expect(begins(once, '2026-01-06T00:00', 5)).toEqual([]);
  expect(upcomingMuteWindows(once, 0, 0)).toEqual([]);
});

test('the span that holds an instant', () => {
  expect(muteSpanAt(night, at('2026-01-08T01:00'))).toEqual({
    begin: at('2026-01-07T22:00'),
    end: at('2026-01-08T06:00'),
  });
  expect(muteSpanAt(night, at('2026-01-08T07:00'))).toBeUndefined();
});

test('the first occurrence counts even outside the rule', () => {
  const odd: Mute = { ...night, rrule: 'FREQ=WEEKLY;BYDAY=TH;COUNT=3' };
  expect(begins(odd, '2026-01-01T00:00', 5)).toEqual([
    '2026-01-05T22:00',
    '2026-01-08T22:00',
    '2026-01-15T22:00',
  ]);
});

test.each<[string, string[]]>([
  ['FREQ=DAILY;COUNT=2', ['2026-01-05T22:00', '2026-01-06T22:00']],
  ['FREQ=DAILY;UNTIL=20260107T220000Z', ['2026-01-05T22:00', '2026-01-06T22:00', '2026-01-07T22:00']],
  ['FREQ=DAILY;UNTIL=20260107T215959Z', ['2026-01-05T22:00', '2026-01-06T22:00']],
  ['FREQ=DAILY;UNTIL=20260106', ['2026-01-05T22:00', '2026-01-06T22:00']],
  ['FREQ=DAILY;UNTIL=20200101', ['2026-01-05T22:00']],
])('%s ends in time', (rrule, expected) => {
  expect(begins({ ...night, rrule }, '2026-01-01T00:00', 5)).toEqual(expected);
  // COUNT starts at the beginning, independent of the time of the query.
  expect(begins({ ...night, rrule }, '2026-01-06T00:00', 5)).toEqual(expected.slice(1));
});

test('an occurrence that begins within the last second of UNTIL still counts', () => {
  const fine: Mute = {
    beginAt: '2026-01-05T22:00:00.500Z',
    endAt: '2026-01-05T23:00:00.500Z',
    rrule: 'FREQ=DAILY;UNTIL=20260106T220000Z',
  };
  expect(isMutedAt(fine, Date.parse('2026-01-06T22:00:00.500Z'))).toBe(true);
  expect(isMutedAt({ ...fine, rrule: 'FREQ=DAILY;UNTIL=20260106T215959Z' }, at('2026-01-06T22:30'))).toBe(
    false,
  );
});

test('two clock times in one gap of the clocks are one occurrence', () => {
  const berlin: Mute = {
    beginAt: '2026-03-28T01:10:00Z',
    endAt: '2026-03-28T01:15:00Z',
    rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=10,40',
    timeZone: 'Europe/Berlin',
  };
  // 02:10 and 02:40 in winter, neither on the day of the change, both in summer.
  expect(begins(berlin, '2026-03-28T00:00', 5)).toEqual([
    '2026-03-28T01:10',
    '2026-03-28T01:40',
    '2026-03-29T01:00',
    '2026-03-30T00:10',
    '2026-03-30T00:40',
  ]);
});

test('repeats on the wall clock of its zone', () => {
  const berlin: Mute = {
    beginAt: '2026-03-28T01:30:00Z',
    endAt: '2026-03-28T02:30:00Z',
    rrule: 'FREQ=DAILY',
    timeZone: 'Europe/Berlin',
  };
  // 02:30 in winter, skipped on the day of the change, 02:30 in summer, once when it is repeated.
  expect(begins(berlin, '2026-03-28T00:00', 3)).toEqual([
    '2026-03-28T01:30',
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ]);
  expect(begins(berlin, '2026-10-24T12:00', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
  expect(begins({ ...berlin, timeZone: null }, '2026-03-29T00:00', 2)).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T01:30',
  ]);
});

test.each([
  ['Europe/Berlin', '2026-03-22', ['21:00', '20:00', '20:00'], '2026-03-29'],
  ['Europe/Berlin', '2026-10-18', ['20:00', '21:00', '21:00'], '2026-10-25'],
  ['America/New_York', '2026-03-01', ['03:00', '02:00', '02:00'], '2026-03-08'],
  ['America/New_York', '2026-10-25', ['02:00', '03:00', '03:00'], '2026-11-01'],
  ['Asia/Tokyo', '2026-03-22', ['13:00', '13:00', '13:00'], '2026-03-29'],
  ['Asia/Tokyo', '2026-10-18', ['13:00', '13:00', '13:00'], '2026-10-25'],
])('a weekly window of Sundays at 22:00 in %s, from %s on', (timeZone, first, times, change) => {
  const [year, month, day] = first.split('-').map(Number);
  const local = { year: year!, month: month!, day: day!, hour: 22, minute: 0, second: 0 };
  const begin = localTimeToInstant(local, timeZone);
  const weekly: Mute = {
    beginAt: new Date(begin).toISOString(),
    endAt: new Date(begin + 3_600_000).toISOString(),
    rrule: 'FREQ=WEEKLY',
    timeZone,
  };
  const windows = upcomingMuteWindows(weekly, begin - 1, 3);
  expect(windows.map((one) => iso(one.begin).slice(11))).toEqual(times);
  const { hour, ...on } = localTimeAt(windows[1]!.begin, timeZone);
  expect([hour, Date.UTC(on.year, on.month - 1, on.day)]).toEqual([22, Date.parse(change)]);
});

test.each<[Partial<Mute>, string, string]>([
  [{ beginAt: 'x' }, 'beginAt', 'rule.rfc3339'],
  [{ endAt: '2026-01-05' }, 'endAt', 'rule.rfc3339'],
  [{ endAt: '2026-01-05T22:00:00Z' }, 'endAt', 'rule.endBeforeBegin'],
  [{ timeZone: 'Mars' }, 'timeZone', 'rule.timeZone'],
  [{ rrule: 'FREQ=NEVER' }, 'rrule', 'rule.rrule'],
])('%j is refused at %s', (change, field, word) => {
  expect(() => isMutedAt({ ...night, ...change }, 0)).toThrow(ScheduleError);
  expect(() => isMutedAt({ ...night, ...change }, 0)).toThrow(
    expect.objectContaining({ field, violation: expect.objectContaining({ word }) }),
  );
});

describe('differential', () => {
  const mutes = fc.record({
    begin: fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2026, 0, 1) / 60_000 }),
    minutes: fc.integer({ min: 1, max: 3000 }),
    rule: fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY;BYDAY=MO,SA',
      'FREQ=MONTHLY;BYMONTHDAY=-1',
    ),
    timeZone: fc.constantFrom('UTC', 'Asia/Tokyo', 'UTC+9', 'America/New_York', 'Australia/Lord_Howe'),
  });

  test('agrees with luxon, day by day', () => {
    fc.assert(
      fc.property(mutes, fc.nat(60 * 24 * 400), ({ begin, minutes, rule, timeZone }, later) => {
        const first = DateTime.fromMillis(begin * 60_000, { zone: timeZone });
        const mute: Mute = {
          beginAt: new Date(begin * 60_000).toISOString(),
          endAt: new Date((begin + minutes) * 60_000).toISOString(),
          rrule: rule,
          timeZone,
        };
        const instant = (begin + later) * 60_000;
        let expected = false;
        for (let day = 0; day <= 402; day += 1) {
          const start = first.plus({ days: day });
          // luxon moves a nonexistent time; such days are covered above.
          fc.pre(
            start.hour === first.hour &&
              start.minute === first.minute &&
              start.getPossibleOffsets().length === 1,
          );
          const wanted =
            day === 0 ||
            rule === 'FREQ=DAILY' ||
            (rule.includes('INTERVAL=3') && day % 3 === 0) ||
            (rule.includes('BYDAY') && [1, 6].includes(start.weekday)) ||
            (rule.includes('MONTHDAY') && start.day === start.daysInMonth);
          const from = start.toMillis();
          if (wanted && from <= instant && instant < from + minutes * 60_000) expected = true;
        }
        expect(isMutedAt(mute, instant)).toBe(expected);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  test('an instant is muted exactly when it lies inside a listed occurrence', () => {
    fc.assert(
      fc.property(mutes, fc.nat(60 * 24 * 60), ({ begin, minutes, rule, timeZone }, later) => {
        const mute: Mute = {
          beginAt: new Date(begin * 60_000).toISOString(),
          endAt: new Date((begin + minutes) * 60_000).toISOString(),
          rrule: rule,
          timeZone,
        };
        const instant = (begin + later) * 60_000;
        const listed = upcomingMuteWindows(mute, 0, 70);
        expect(isMutedAt(mute, instant)).toBe(
          listed.some((span) => span.begin <= instant && instant < span.end),
        );
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});
