// Next and previous runs of a schedule in any time zone, across offset changes.
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
/** Days to search around the present: the longest month plus a margin on both sides. */
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
  return nearestRun(timing.recurrence!, after, 1);
}

/**
 * The last run strictly before an instant (epoch milliseconds); undefined if there is none. Throws
 * ScheduleError.
 */
export function previousRun(timing: Timing, before: number): number | undefined {
  if (scheduleKind(timing) === 'oneshot') {
    const at = Date.parse(timing.oneshot!);
    return at < before ? at : undefined;
  }
  return nearestRun(timing.recurrence!, before, -1);
}

/** The next runs after an instant, at most `count`, in order. Throws ScheduleError. */
export function nextRuns(timing: Timing, after: number, count: number): number[] {
  const runs: number[] = [];
  let at: number | undefined = after;
  while (runs.length < count) {
    at = nextRun(timing, at);
    if (at === undefined) break;
    runs.push(at);
  }
  return runs;
}

/**
 * Iterates over local days, starting one day beyond the instant's own, because a zone may repeat a day
 * (Sitka, 1867-10-18).
 */
function nearestRun(recurrence: Recurrence, from: number, step: 1 | -1): number | undefined {
  const { year, month, day } = localTimeAt(from, recurrence.timeZone);
  const { hour, minute } = recurrence;
  const start = clockNumber({ year, month, day, hour, minute, second: 0 });
  for (let offset = -1; offset <= searchDays; offset += 1) {
    const local = localTimeAt(start + step * offset * dayMs, 'UTC');
    if (!runsOn(recurrence, local)) continue;
    const at = localTimeToInstant(local, recurrence.timeZone);
    if (step === 1 ? at > from : at < from) return at;
  }
  return undefined;
}

function runsOn(recurrence: Recurrence, local: LocalTime): boolean {
  if (recurrence.frequency === 'day') return true;
  if (recurrence.frequency === 'week') return weekDaysOf(recurrence).includes(weekDays[weekDayIndex(local)]!);
  return local.day === Math.min(recurrence.day!, daysInMonth(local.year, local.month));
}
