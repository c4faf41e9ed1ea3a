// Zod schema of a recurrence, and checks of schedules; their issues have message keys like those of the rules.
import { z } from 'zod';
import { weekDays } from '../time/week-day.ts';
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

/** Rejects an object whose timing cannot run, at the invalid member. */
export const checkTiming = (context: z.core.ParsePayload<Timing>): void => {
  reportScheduleError(context, () => scheduleKind(context.value));
};

/** Reports a ScheduleError of a check at the member that it names. */
export function reportScheduleError(context: z.core.ParsePayload<unknown>, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const path = error.field.split('.');
    context.issues.push({ code: 'custom', input: context.value, path, params: error.violation });
  }
}
