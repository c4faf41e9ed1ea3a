import { expect, test } from 'vitest';
import {
  type Recurrence,
  type ScheduleError,
  scheduleKind,
  type Timing,
  withDisabledToggled,
} from './schedule.ts';

const base: Recurrence = { frequency: 'day', hour: 9, minute: 30, timeZone: 'Asia/Tokyo' };

test.each<[Timing, string]>([
  [{ oneshot: '2026-05-01T00:00:00Z' }, 'oneshot'],
  [{ oneshot: '2026-05-01T00:00:00.000+09:00', recurrence: base }, 'oneshot'],
  [{ recurrence: base }, 'daily'],
  [{ oneshot: null, recurrence: base }, 'daily'],
  [{ recurrence: { ...base, frequency: 'week', weekDay: 'monday' } }, 'weekly'],
  [{ recurrence: { ...base, frequency: 'week', weekDay: ['monday', 'sunday'] } }, 'weekly'],
  [{ recurrence: { ...base, frequency: 'month', day: 31 } }, 'monthly'],
])('%j is %s', (timing, kind) => {
  expect(scheduleKind(timing)).toBe(kind);
});

test.each<[unknown, string, string]>([
  [{}, 'recurrence', 'rule.required'],
  [{ recurrence: null }, 'recurrence', 'rule.required'],
  [{ oneshot: '2026-05-01' }, 'oneshot', 'rule.rfc3339'],
  [{ oneshot: 5 }, 'oneshot', 'rule.rfc3339'],
  [{ recurrence: { ...base, frequency: 'year' } }, 'recurrence.frequency', 'rule.oneOf'],
  [{ recurrence: { ...base, frequency: 'toString' } }, 'recurrence.frequency', 'rule.oneOf'],
  [{ recurrence: { ...base, hour: 24 } }, 'recurrence.hour', 'rule.inRange'],
  [{ recurrence: { ...base, minute: 1.5 } }, 'recurrence.minute', 'rule.inRange'],
  [{ recurrence: { ...base, timeZone: 'Mars' } }, 'recurrence.timeZone', 'rule.timeZone'],
  [{ recurrence: { ...base, timeZone: undefined } }, 'recurrence.timeZone', 'rule.timeZone'],
  [{ recurrence: { ...base, frequency: 'week' } }, 'recurrence.weekDay', 'rule.weekDays'],
  [{ recurrence: { ...base, frequency: 'week', weekDay: [] } }, 'recurrence.weekDay', 'rule.weekDays'],
  [{ recurrence: { ...base, frequency: 'week', weekDay: 'Mon' } }, 'recurrence.weekDay', 'rule.weekDays'],
  [{ recurrence: { ...base, frequency: 'month' } }, 'recurrence.day', 'rule.inRange'],
  [{ recurrence: { ...base, frequency: 'month', day: 32 } }, 'recurrence.day', 'rule.inRange'],
])('%j is refused at %s', (timing, field, word) => {
  const refused = (): ScheduleError | undefined => {
    try {
      scheduleKind(timing as Timing);
      return undefined;
    } catch (error) {
      return error as ScheduleError;
    }
  };
  expect(refused()).toMatchObject({ name: 'ScheduleError', field, violation: { word } });
});

test('a toggle keeps every field and turns the switch', () => {
  const schedule = { displayName: 'Nightly', disabled: false, params: { networkId: 'n1' }, recurrence: base };
  expect(withDisabledToggled(schedule)).toEqual({ ...schedule, disabled: true });
  expect(withDisabledToggled(withDisabledToggled(schedule))).toEqual(schedule);
  expect(withDisabledToggled({ displayName: '' } as { disabled?: boolean })).toEqual({
    displayName: '',
    disabled: true,
  });
});
