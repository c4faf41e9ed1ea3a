// Task schedules: once, or every day, week or month at a local time.

import type { MessageKey } from '../i18n/message-key.ts';
import { isWeekDay, type WeekDay } from '../time/week-day.ts';
import { isZone } from '../time/zone-clock.ts';
import { isRfc3339 } from '../validation/rfc3339.ts';
import type { Violation } from '../validation/violation.ts';

export type ScheduleKind = 'oneshot' | 'daily' | 'weekly' | 'monthly';

/** When a repeating schedule runs. */
export interface Recurrence {
  frequency: 'day' | 'week' | 'month';
  /** 0 to 23 and 0 to 59, in local time of the time zone (IANA name or offset such as UTC+9). */
  hour: number;
  minute: number;
  timeZone: string;
  /** `week`: one or more days. */
  weekDay?: WeekDay | readonly WeekDay[] | null;
  /** `month`: 1 to 31; a day beyond the end of a month means its last day. */
  day?: number | null;
}

/** When a schedule runs. */
export interface Timing {
  /** ISO 8601 date-time with an offset; takes precedence over a recurrence. */
  oneshot?: string | null;
  recurrence?: Recurrence | null;
}

/** The schedule cannot run; `field` is the dotted path of the invalid field. */
export class ScheduleError extends Error {
  readonly field: string;
  readonly violation: Violation;

  constructor(field: string, word: MessageKey, placeholders: Record<string, unknown> = {}) {
    super(`invalid schedule: ${field} (${word})`);
    this.name = 'ScheduleError';
    this.field = field;
    this.violation = { word, ...placeholders };
  }
}

const kinds = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

/** The kind of a schedule. Validates it; throws ScheduleError naming the first invalid field. */
export function scheduleKind(timing: Timing): ScheduleKind {
  const { oneshot, recurrence } = timing;
  if (oneshot !== undefined && oneshot !== null) {
    if (typeof oneshot !== 'string' || !isRfc3339(oneshot))
      throw new ScheduleError('oneshot', 'rule.rfc3339');
    return 'oneshot';
  }
  if (typeof recurrence !== 'object' || recurrence === null)
    throw new ScheduleError('recurrence', 'rule.required');
  const { frequency, hour, minute, timeZone, day } = recurrence;
  if (!Object.hasOwn(kinds, frequency))
    throw new ScheduleError('recurrence.frequency', 'rule.oneOf', { options: Object.keys(kinds) });
  if (!isWithin(hour, 0, 23)) throw new ScheduleError('recurrence.hour', 'rule.inRange', { min: 0, max: 23 });
  if (!isWithin(minute, 0, 59))
    throw new ScheduleError('recurrence.minute', 'rule.inRange', { min: 0, max: 59 });
  if (typeof timeZone !== 'string' || !isZone(timeZone))
    throw new ScheduleError('recurrence.timeZone', 'rule.timeZone');
  if (frequency === 'week') {
    const days = weekDaysOf(recurrence);
    if (days.length === 0 || !days.every(isWeekDay))
      throw new ScheduleError('recurrence.weekDay', 'rule.weekDays');
  }
  if (frequency === 'month' && !isWithin(day, 1, 31))
    throw new ScheduleError('recurrence.day', 'rule.inRange', { min: 1, max: 31 });
  return kinds[frequency];
}

/** The days of a weekly recurrence as a list. */
export function weekDaysOf(recurrence: Recurrence): readonly WeekDay[] {
  const { weekDay } = recurrence;
  if (weekDay === undefined || weekDay === null) return [];
  return typeof weekDay === 'string' ? [weekDay] : weekDay;
}

/** Body of a PUT that enables or disables a schedule: all fields plus the change. */
export function withDisabledToggled<S extends { disabled?: boolean }>(
  schedule: S,
): S & { disabled: boolean } {
  return { ...schedule, disabled: !(schedule.disabled ?? false) };
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
