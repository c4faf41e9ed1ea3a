import { expect, test } from 'vitest';
import { formatDateTime, formatDateTimeSeconds } from './date-time.ts';

test.each([
  ['America/New_York', '2026-11-01T05:30:00Z', '11/1/2026, 01:30 UTC-04:00'],
  ['America/New_York', '2026-11-01T06:30:00Z', '11/1/2026, 01:30 UTC-05:00'],
  ['America/New_York', '2026-11-01T04:59:00Z', '11/1/2026, 00:59'],
  ['America/New_York', '2026-11-01T07:00:00Z', '11/1/2026, 02:00'],
  // In spring an hour is left out.
  ['America/New_York', '2026-03-08T06:59:00Z', '3/8/2026, 01:59'],
  ['America/New_York', '2026-03-08T07:00:00Z', '3/8/2026, 03:00'],
  ['Australia/Adelaide', '2026-04-04T16:15:00Z', '4/5/2026, 02:45 UTC+10:30'],
  ['Australia/Adelaide', '2026-04-04T17:15:00Z', '4/5/2026, 02:45 UTC+09:30'],
  ['Europe/London', '2026-10-25T01:30:00Z', '10/25/2026, 01:30 UTC+00:00'],
  ['Europe/London', '2026-10-25T01:30:00.999Z', '10/25/2026, 01:30 UTC+00:00'],
  ['Europe/London', '2026-10-25T00:30:00.001Z', '10/25/2026, 01:30 UTC+01:00'],
  ['America/New_York', '2026-11-01T06:30:00.500Z', '11/1/2026, 01:30 UTC-05:00'],
  // Half an hour is repeated.
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '4/5/2026, 01:45 UTC+11:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', '4/5/2026, 01:45 UTC+10:30'],
  ['Australia/Lord_Howe', '2026-04-04T14:15:00Z', '4/5/2026, 01:15'],
  ['Asia/Tokyo', '2026-11-01T05:30:00Z', '11/1/2026, 14:30'],
])('in %s, %s is %s: a repeated hour has its offset', (timeZone, instant, expected) => {
  expect(formatDateTime(instant, { language: 'en', timeZone })).toBe(expected);
  const seconds = formatDateTimeSeconds(instant, { language: 'en', timeZone });
  expect(seconds.replace(/:00(?= UTC|$)/, '')).toBe(expected);
});
