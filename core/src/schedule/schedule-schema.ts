// Schedules and recurrence rules as zod pieces; issues name their word as those of the rules do.
import { z } from 'zod';
import { weekDays } from '../time/week-day.ts';
import { type Mute, parseMute } from './mute.ts';
import { parseRrule, RruleError } from './rrule.ts';
import { ScheduleError, scheduleKind, type Timing } from './schedule.ts';

const weekDay = z.enum(weekDays);

/** The shape of a recurrence; whether it is runnable is checked by `timing`. */
export const recurrence = () =>
  z.object({
    frequency: z.enum(['day', 'week', 'month']),
    hour: z.int().min(0).max(23),
    minute: z.int().min(0).max(59),
    timeZone: z.string(),
    weekDay: z.union([weekDay, z.array(weekDay).min(1).max(7)]).nullish(),
    day: z.int().min(1).max(31).nullish(),
  });

/** The members of a schedule's shape that say when. Add `checkTiming` to the whole object. */
export const timingShape = () => ({ oneshot: z.string().nullish(), recurrence: recurrence().nullish() });

/** Refuses an object whose timing cannot run, at the member at fault: `z.object({...timingShape()}).check(checkTiming)`. */
export const checkTiming = (context: z.core.ParsePayload<Timing>): void => {
  refuse(context, () => scheduleKind(context.value));
};

/** Refuses an object whose mute schedule cannot be kept, at the member at fault. */
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
