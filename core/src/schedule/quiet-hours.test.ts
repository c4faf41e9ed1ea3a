import { describe, expect, test } from 'vitest';
import { weekDays } from '../time/week-day.ts';
import { coversWeek, isClockTime, type QuietHours, type QuietWindow, quietUntil } from './quiet-hours.ts';

const at = (text: string) => Date.parse(`${text}:00Z`);
const until = (hours: QuietHours, instant: string) => {
  const end = quietUntil(hours, at(instant));
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
};
const window = (startTime: string, endTime: string, ...days: QuietWindow['weekDays']): QuietWindow => ({
  weekDays: days.length > 0 ? days : weekDays,
  startTime,
  endTime,
});

describe('a night in Tokyo', () => {
  // 2026-01-05 is a Monday.
  const nights = { timeZone: 'Asia/Tokyo', windows: [window('22:00', '06:00', 'monday')] };
  test.each([
    ['before', '2026-01-05T12:59', null],
    ['from the start', '2026-01-05T13:00', '2026-01-05T21:00'],
    ['over midnight', '2026-01-05T20:59', '2026-01-05T21:00'],
    ['at the end', '2026-01-05T21:00', null],
    ['on another day', '2026-01-06T13:00', null],
    ['a week later', '2026-01-12T13:00', '2026-01-12T21:00'],
  ])('%s', (_, instant, end) => {
    expect(until(nights, instant)).toBe(end);
  });
});

test('windows without time between them are one, also over several days', () => {
  const hours = {
    timeZone: 'UTC',
    windows: [
      window('18:00', '18:00', 'friday', 'saturday'),
      window('18:00', '08:00', 'sunday'),
      window('20:00', '22:00', 'friday'),
    ],
  };
  expect(until(hours, '2026-01-09T20:30')).toBe('2026-01-12T08:00');
  expect(until(hours, '2026-01-12T08:00')).toBe(null);
});

test('the same start and end last a day', () => {
  const hours = { timeZone: 'UTC', windows: [window('00:00', '00:00', 'sunday')] };
  expect(until(hours, '2026-01-11T00:00')).toBe('2026-01-12T00:00');
  expect(until(hours, '2026-01-10T23:59')).toBe(null);
});

describe('changes of the clocks in Berlin', () => {
  const berlin = (...windows: QuietWindow[]) => ({ timeZone: 'Europe/Berlin', windows });
  test.each([
    ['a night loses an hour', berlin(window('22:00', '06:00')), '2026-03-28T21:00', '2026-03-29T04:00'],
    ['a night gains an hour', berlin(window('22:00', '06:00')), '2026-10-24T20:00', '2026-10-25T05:00'],
    [
      'a start in the gap is its end',
      berlin(window('02:30', '04:00')),
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ],
    ['a window in the gap does not exist', berlin(window('02:10', '02:40')), '2026-03-29T01:00', null],
    ['a repeated time counts once', berlin(window('02:00', '02:30')), '2026-10-25T00:15', '2026-10-25T00:30'],
    ['the second of a repeated time', berlin(window('02:00', '02:30')), '2026-10-25T01:15', null],
  ])('%s', (_, hours, instant, end) => {
    expect(until(hours, instant)).toBe(end);
  });
});

test.each([
  ['Europe/Berlin', '2026-03-28T21:00', '2026-03-29T04:00'],
  ['Europe/Berlin', '2026-10-24T20:00', '2026-10-25T05:00'],
  ['America/New_York', '2026-03-08T03:00', '2026-03-08T10:00'],
  ['America/New_York', '2026-11-01T02:00', '2026-11-01T11:00'],
  ['Asia/Tokyo', '2026-03-28T13:00', '2026-03-28T21:00'],
  ['Asia/Tokyo', '2026-10-24T13:00', '2026-10-24T21:00'],
])('the night to the Sunday of the change in %s, from %s', (timeZone, begin, end) => {
  const nights = { timeZone, windows: [window('22:00', '06:00', 'saturday')] };
  expect(until(nights, begin)).toBe(end);
  expect(until(nights, new Date(at(begin) - 60_000).toISOString().slice(0, 16))).toBe(null);
  expect(until(nights, end)).toBe(null);
});

test('without any other time the end is at most two weeks away', () => {
  const always = { timeZone: 'UTC', windows: [window('00:00', '00:00')] };
  expect(until(always, '2026-01-05T12:00')).toBe('2026-01-21T00:00');
});

test.each([
  ['a whole week', [window('00:00', '00:00')], true],
  ['a whole week from parts', [window('18:00', '06:00'), window('06:00', '18:00')], true],
  ['over the end of the week', [window('09:00', '09:00', 'sunday')], false],
  ['one minute is left', [window('00:00', '23:59')], false],
])('%s', (_, windows, covers) => {
  expect(coversWeek({ windows })).toBe(covers);
});

test.each([
  ['00:00', true],
  ['23:59', true],
  ['24:00', false],
  ['9:00', false],
  ['09:60', false],
  ['09:00:00', false],
  ['', false],
])('%j as a time of day', (text, isOne) => {
  expect(isClockTime(text)).toBe(isOne);
});
