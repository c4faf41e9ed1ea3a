import { expect, test } from 'vitest';
import { z } from 'zod';
import { rules as en } from '../i18n/en/rules.ts';
import { createTranslator } from '../i18n/translator.ts';
import { invalidParams } from '../validation/issue-messages.ts';
import { checkMute, checkTiming, rruleText, timingShape } from './schedule-schema.ts';

const t = createTranslator('en', en);
const schedule = z.object({ displayName: z.string().default(''), ...timingShape() }).check(checkTiming);
const mute = z
  .object({ beginAt: z.string(), endAt: z.string(), rrule: z.string().nullish() })
  .check(checkMute);
const recurrence = { frequency: 'week', hour: 9, minute: 0, timeZone: 'Asia/Tokyo', weekDay: 'monday' };

test('takes what can run and keeps it as it is', () => {
  const inputRule = { displayName: 'Nightly', recurrence };
  expect(schedule.parse(inputRule)).toEqual(inputRule);
  expect(schedule.parse({ oneshot: '2026-05-01T00:00:00Z' })).toEqual({
    displayName: '',
    oneshot: '2026-05-01T00:00:00Z',
  });
  expect(rruleText().parse('FREQ=DAILY')).toBe('FREQ=DAILY');
});

test.each([
  [schedule, {}, 'recurrence', 'This field is required'],
  [
    schedule,
    { oneshot: 'x' },
    'oneshot',
    'Enter an RFC 3339 date and time, for example 2026-01-31T09:00:00Z',
  ],
  [schedule, { recurrence: { ...recurrence, hour: 24 } }, 'recurrence.hour', 'Enter a number of 23 or less'],
  [
    schedule,
    { recurrence: { ...recurrence, weekDay: null } },
    'recurrence.weekDay',
    'Select at least one day of the week',
  ],
  [
    schedule,
    { recurrence: { ...recurrence, timeZone: 'Mars' } },
    'recurrence.timeZone',
    'Enter a known time zone, for example Asia/Tokyo or UTC+9',
  ],
  [
    mute,
    { beginAt: '2026-01-02T00:00:00Z', endAt: '2026-01-01T00:00:00Z' },
    'endAt',
    'The end must be later than the start',
  ],
  [
    mute,
    { beginAt: '2026-01-02T00:00:00Z', endAt: '2026-01-03T00:00:00Z', rrule: 'FREQ=X' },
    'rrule',
    'The recurrence is not valid: FREQ=X is unknown',
  ],
  [
    z.object({ rrule: rruleText() }),
    { rrule: 'COUNT=1' },
    'rrule',
    'The recurrence is not valid: FREQ is missing',
  ],
])('%# refuses %j', (schema, value, name, reason) => {
  expect(invalidParams(schema.safeParse(value).error!, t)).toEqual([{ name, reason }]);
});
