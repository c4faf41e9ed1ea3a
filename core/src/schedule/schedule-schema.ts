// Zod schemas of schedules and recurrence rules; their issues have message keys like those of the rules.
import { z } from 'zod';
import { weekDays } from '../time/week-day.ts';
import { type Mute, parseMute } from './mute.ts';
import { parseRrule, RruleError } from './rrule.ts';
import { ScheduleError, scheduleKind, type Timing } from './schedule.ts';

const weekDay = z.enum(weekDays);

/** The shape of a recurrence; `checkTiming` checks whether it can run. */
export const recurrence = () =>
  z.object({
    frequency: z.enum(['day', 'week', 'month']),
    hour: z.int().min(0).max(23),
    minute: z.int().min(0).max(59),
    timeZone: z.string(),
    weekDay: z.union([weekDay, z.array(weekDay).min(1).max(7)]).nullish(),
    day: z.int().min(1).max(31).nullish(),
  });

/** The timing members of a schedule's shape. Add `checkTiming` to the enclosing object. */
export const timingShape = () => ({ oneshot: z.string().nullish(), recurrence: recurrence().nullish() });

/**
 * Rejects an object whose timing cannot run, at the invalid member:
 * `z.object({...timingShape()}).check(checkTiming)`.
 */
export const checkTiming = (context: z.core.ParsePayload<Timing>): void => {
  refuse(context, () => scheduleKind(context.value));
};

/** Rejects an object with an invalid mute schedule, at the invalid member. */
export const checkMute = (context: z.core.ParsePayload<Mute>): void => {
  refuse(context, () => parseMute(context.value));
};

/** An RFC 5545 recurrence rule. */
export const rruleText = () =>
  z.string().check((context) => {
    try {
      parseRrule(context.value);
    } catch (error) {
      if (!(error instanceof RruleError)) throw error;
      const params = { word: 'rule.rrule', detail: error.detail };
      context.issues.push({ code: 'custom', input: context.value, params });
    }
  });

function refuse(context: z.core.ParsePayload<unknown>, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const path = error.field.split('.');
    context.issues.push({ code: 'custom', input: context.value, path, params: error.violation });
  }
}
