// Quiet hours: weekly windows of local time in a time zone.
import type { WeekDay } from '../time/week-day.ts';
import { weekDays } from '../time/week-day.ts';
import { clockNumber, localTimeAt, localTimeToInstant, weekDayIndex } from '../time/zone-clock.ts';

/** Begins on each of the days; an end at or before the start is that of the next day. Times are `HH:MM`. */
export interface QuietWindow {
  weekDays: readonly WeekDay[];
  startTime: string;
  endTime: string;
}

export interface QuietHours {
  /** IANA name or offset such as UTC+9. */
  timeZone: string;
  windows: readonly QuietWindow[];
}

const dayMs = 86_400_000;
const minutesPerDay = 24 * 60;
const minutesPerWeek = 7 * minutesPerDay;
/** Searched for the end: two weeks, because a change of the clocks can skip the only time of a week that is not quiet. */
const horizonMs = 15 * dayMs;
const clockShape = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Whether this is a time from 00:00 to 23:59. */
export function isClockTime(text: string): boolean {
  return clockShape.test(text);
}

/**
 * When the quiet hours that contain an instant end (epoch milliseconds); null outside. Windows without time
 * between them count as one.
 */
export function quietUntil(hours: QuietHours, instant: number): number | null {
  let until: number | null = null;
  while (until === null || until < instant + horizonMs) {
    const end = windowEndAt(hours, until ?? instant);
    if (end === null) break;
    until = end;
  }
  return until;
}

/** Whether the windows leave no time of the week. */
export function coversWeek({ windows }: Pick<QuietHours, 'windows'>): boolean {
  const isQuiet = new Array<boolean>(minutesPerWeek).fill(false);
  for (const window of windows) {
    const { start, end } = minutesOf(window);
    for (const day of window.weekDays) {
      const from = weekDays.indexOf(day) * minutesPerDay;
      for (let minute = from + start; minute < from + end; minute++) isQuiet[minute % minutesPerWeek] = true;
    }
  }
  return !isQuiet.includes(false);
}

/** The latest end of the windows that contain an instant. */
function windowEndAt({ timeZone, windows }: QuietHours, instant: number): number | null {
  const { year, month, day } = localTimeAt(instant, timeZone);
  let latest: number | null = null;
  for (const window of windows) {
    const { start, end } = minutesOf(window);
    // One day more than a window lasts, because a zone may skip or repeat a day.
    for (const back of [0, 1, 2]) {
      const midnight = { year, month, day: day - back, hour: 0, minute: 0, second: 0 };
      if (!window.weekDays.includes(weekDays[weekDayIndex(midnight)]!)) continue;
      const [begins, ends] = [start, end].map((minutes) =>
        localTimeToInstant(
          localTimeAt(clockNumber({ ...midnight, hour: 0, minute: minutes }), 'UTC'),
          timeZone,
        ),
      );
      if (begins! <= instant && instant < ends! && ends! > (latest ?? instant)) latest = ends!;
    }
  }
  return latest;
}

/** Minutes from midnight; the end can be on the next day. */
function minutesOf({ startTime, endTime }: QuietWindow): { start: number; end: number } {
  const [start, end] = [startTime, endTime].map((text) => {
    const [, hour, minute] = clockShape.exec(text)!;
    return Number(hour) * 60 + Number(minute);
  });
  return { start: start!, end: end! > start! ? end! : end! + minutesPerDay };
}
