// The next run of a schedule in any time zone, across offset changes.
import { weekDays } from '../time/week-day.ts';
import {
  clockNumber,
  daysInMonth,
  type LocalTime,
  localTimeAt,
  localTimeToInstant,
  weekDayIndex,
} from '../time/zone-clock.ts';
import { type Recurrence, scheduleKind, type Timing, weekDaysOf } from './schedule.ts';

const dayMs = 86_400_000;
/** Days to search around the present: the longest month plus a margin. */
const searchDays = 35;

/**
 * The first run strictly after an instant (epoch milliseconds); undefined if there is none. Throws
 * ScheduleError.
 */
export function nextRun(timing: Timing, after: number): number | undefined {
  if (scheduleKind(timing) === 'oneshot') {
    const at = Date.parse(timing.oneshot!);
    return at > after ? at : undefined;
  }
  return nextRecurrence(timing.recurrence!, after);
}

/**
 * Iterates over local days, starting one day before the instant's own, because a zone may repeat a day
 * (Sitka, 1867-10-18).
 */
function nextRecurrence(recurrence: Recurrence, after: number): number | undefined {
  const { year, month, day } = localTimeAt(after, recurrence.timeZone);
  const { hour, minute } = recurrence;
  const start = clockNumber({ year, month, day, hour, minute, second: 0 });
  for (let offset = -1; offset <= searchDays; offset += 1) {
    const local = localTimeAt(start + offset * dayMs, 'UTC');
    if (!runsOn(recurrence, local)) continue;
    const at = localTimeToInstant(local, recurrence.timeZone);
    if (at > after) return at;
  }
  return undefined;
}

function runsOn(recurrence: Recurrence, local: LocalTime): boolean {
  if (recurrence.frequency === 'day') return true;
  if (recurrence.frequency === 'week') return weekDaysOf(recurrence).includes(weekDays[weekDayIndex(local)]!);
  return local.day === Math.min(recurrence.day!, daysInMonth(local.year, local.month));
}
