// Quiet hours of a callflow: it starts no chains then.
import { z } from 'zod';
import * as field from '../resource/field.ts';
import { coversWeek, isClockTime } from '../schedule/quiet-hours.ts';
import { isTimeZone } from '../time/time-zone.ts';
import { weekDays } from '../time/week-day.ts';
import { maxQuietWindows } from './call-constants.ts';

const clockTime = () =>
  field.withKind('text', z.string().refine(isClockTime, { params: { word: 'rule.clockTime' } }));

const quietWindow = z.object({
  /** Days on which the window begins. */
  weekDays: field.list(field.choice(weekDays), weekDays.length).min(1),
  /** From 00:00 to 23:59. */
  startTime: clockTime(),
  /** At or before the start: on the next day. */
  endTime: clockTime(),
});

/** Weekly windows of local time in one time zone. */
export const quietHours = z
  .object({
    timeZone: field.withKind(
      'time-zone',
      z
        .string()
        .max(64)
        .refine(isTimeZone, { params: { word: 'rule.timeZone' } }),
    ),
    windows: field.list(quietWindow, maxQuietWindows).min(1),
  })
  .refine(({ windows }) => !isAlwaysQuiet(windows), {
    path: ['windows'],
    params: { word: 'pigeon.quiet.always' },
  });

/** False for windows that are refused for another reason, which are checked as well. */
function isAlwaysQuiet(windows: unknown): boolean {
  const { success, data } = z.array(quietWindow).safeParse(windows);
  return success && coversWeek({ windows: data });
}
