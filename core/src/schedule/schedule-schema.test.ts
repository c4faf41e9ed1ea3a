import { expect, test } from 'vitest';
import { muteSchedule } from '../alerthub/mute-schedule.ts';
import { rules as en } from '../i18n/en/rules.ts';
import { createTranslator } from '../i18n/translator.ts';
import { taskSchedule } from '../tasks/task-schedule.ts';
import { invalidParams } from '../validation/issue-messages.ts';

const t = createTranslator('en', en);
const task = { namespace: 'sonar', method: 'network_scan' };
const schedule = taskSchedule.input!;
const mute = muteSchedule.input!;
const recurrence = { frequency: 'week', hour: 9, minute: 0, timeZone: 'Asia/Tokyo', weekDay: 'monday' };

test('takes what can run and keeps it as it is', () => {
  const nightly = { ...task, displayName: 'Nightly', recurrence };
  expect(schedule.parse(nightly)).toMatchObject(nightly);
  const once = { ...task, oneshot: '2026-05-01T00:00:00.000Z' };
  expect(schedule.parse(once)).toMatchObject({ ...once, displayName: '' });
});

test.each([
  [{}, 'recurrence', 'This field is required'],
  [{ oneshot: 'x' }, 'oneshot', 'Enter an RFC 3339 date and time, for example 2026-01-31T09:00:00Z'],
  [{ recurrence: { ...recurrence, hour: 24 } }, 'recurrence.hour', 'Enter a number of 23 or less'],
  [
    { recurrence: { ...recurrence, weekDay: null } },
    'recurrence.weekDay',
    'Select at least one day of the week',
  ],
  [
    { recurrence: { ...recurrence, timeZone: 'Mars' } },
    'recurrence.timeZone',
    'Enter a known time zone, for example Asia/Tokyo or UTC+9',
  ],
])('a task schedule: %# refuses %j', (timing, name, reason) => {
  expect(invalidParams(schedule.safeParse({ ...task, ...timing }).error!, t)).toEqual([{ name, reason }]);
});

test.each([
  [{ endAt: '2026-01-01T00:00:00Z' }, 'endAt', 'The end must be later than the start'],
  [{ rrule: 'FREQ=X' }, 'rrule', 'The recurrence is not valid: FREQ=X is unknown'],
  [{ rrule: 'COUNT=1' }, 'rrule', 'The recurrence is not valid: FREQ is missing'],
  [{ timeZone: 'Mars' }, 'timeZone', 'Enter a known time zone, for example Asia/Tokyo or UTC+9'],
  [{ endAt: '2027-01-03T00:00:01Z' }, 'endAt', expect.stringContaining('366')],
])('a mute schedule: %# refuses %j', (change, name, reason) => {
  const window = { displayName: 'Nightly', beginAt: '2026-01-02T00:00:00Z', endAt: '2026-01-03T00:00:00Z' };
  expect(mute.safeParse(window).success).toBe(true);
  expect(invalidParams(mute.safeParse({ ...window, ...change }).error!, t)).toEqual([{ name, reason }]);
});
