import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  clockNumber,
  daysInMonth,
  isZone,
  localTimeAt,
  localTimeToInstant,
  offsetAt,
  weekDayIndex,
} from './zone-clock.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

const local = (text: string) => {
  const [year, month, day, hour, minute] = text.match(/\d+/g)!.map(Number);
  return { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: 0 };
};

test.each([
  ['plain', 'Asia/Tokyo', '2026-01-31 09:05', '2026-01-31T00:05:00.000Z'],
  ['offset', 'UTC+9', '2026-01-31 09:05', '2026-01-31T00:05:00.000Z'],
  ['negative half hour', 'UTC-3:30', '2026-01-31 09:05', '2026-01-31T12:35:00.000Z'],
  ['day 32 runs over', 'UTC', '2026-01-32 00:00', '2026-02-01T00:00:00.000Z'],
  ['before a gap', 'Europe/Berlin', '2026-03-29 01:59', '2026-03-29T00:59:00.000Z'],
  ['in a gap', 'Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:00:00.000Z'],
  ['start of a gap', 'Europe/Berlin', '2026-03-29 02:00', '2026-03-29T01:00:00.000Z'],
  ['end of a gap', 'Europe/Berlin', '2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
  ['repeated hour', 'America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
  ['half-hour gap', 'Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:30:00.000Z'],
  ['half-hour repeated', 'Australia/Lord_Howe', '2026-04-05 01:45', '2026-04-04T14:45:00.000Z'],
  ['gap at midnight', 'Africa/Cairo', '2026-04-24 00:30', '2026-04-23T22:00:00.000Z'],
  ['a whole day left out', 'Pacific/Apia', '2011-12-30 12:00', '2011-12-30T10:00:00.000Z'],
  ['seconds in the offset', 'Africa/Monrovia', '1971-12-31 12:00', '1971-12-31T12:44:30.000Z'],
])('%s: %s %s', (_, zone, text, instant) => {
  expect(new Date(localTimeToInstant(local(text), zone)).toISOString()).toBe(instant);
});

test.each([
  ['UTC', true],
  ['utc+9', true],
  ['GMT', true],
  ['Asia/Tokyo', true],
  ['UTC+14', true],
  ['UTC-12', true],
  ['UTC+14:30', false],
  ['UTC-12:01', false],
  ['+09:00', false],
  ['', false],
  ['Mars/Olympus', false],
  ['x'.repeat(10_000), false],
])('%s is a zone: %s', (name, known) => {
  expect(isZone(name)).toBe(known);
});

test('an unknown zone throws', () => {
  expect(() => offsetAt(0, 'Mars/Olympus')).toThrow('unknown time zone: Mars/Olympus');
});

test('many unknown names do not pile up', () => {
  for (let index = 0; index < 3000; index += 1) isZone(`Nowhere/${index}`);
  expect(isZone('Asia/Tokyo')).toBe(true);
});

test('calendar facts', () => {
  expect(weekDayIndex(local('2026-11-23 00:00'))).toBe(0);
  expect(weekDayIndex(local('2026-11-22 23:59'))).toBe(6);
  expect([1, 2, 4, 12].map((month) => daysInMonth(2028, month))).toEqual([31, 29, 30, 31]);
});

describe('agrees with luxon', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC+9', 'UTC-3:30');
  const instants = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) });

  test('on the wall clock of any instant', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const expected = DateTime.fromMillis(instant, { zone }).toObject();
        const { millisecond: _, ...fields } = expected;
        expect(localTimeAt(instant, zone)).toEqual(fields);
        expect(offsetAt(instant, zone)).toBe(DateTime.fromMillis(instant, { zone }).offset * 60_000);
      }),
      { numRuns: 2000 },
    );
  }, 60_000);

  test('on the instant of any wall clock time that exists', () => {
    fc.assert(
      fc.property(zones, instants, (zone, clock) => {
        const wanted = localTimeAt(clock, 'UTC');
        const expected = DateTime.fromObject(wanted, { zone });
        const instant = localTimeToInstant(wanted, zone);
        if (clockNumber(localTimeAt(instant, zone)) !== clockNumber(wanted)) {
          // The time does not exist: luxon shifts it by the length of the gap, we return the end of the gap.
          expect(expected.hour * 60 + expected.minute).not.toBe(wanted.hour * 60 + wanted.minute);
          return;
        }
        const earliest = Math.min(...expected.getPossibleOffsets().map((possible) => possible.toMillis()));
        expect(instant).toBe(earliest);
      }),
      { numRuns: 2000 },
    );
  }, 60_000);
});
