import { expect, it } from 'vitest';
import { dayFilter } from './message-days.tsx';

it.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['2026-11-21', 'Asia/Tokyo', '2026-11-20T15:00:00.000Z', '2026-11-21T15:00:00.000Z'],
  ['2026-12-31', 'Asia/Tokyo', '2026-12-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z'],
  // There is no midnight: at its time it is 1 o'clock.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  // DST starts: the day has 23 hours.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
])('the messages of %s in %s lie between its midnights', (date, timeZone, from, to) => {
  expect(dayFilter(date, timeZone)).toBe(`receivedAt ge "${from}" and receivedAt lt "${to}"`);
});
