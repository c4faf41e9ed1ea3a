// Describes schedules in one sentence.
import { formatDateTime, type Viewer } from '../format/date-time.ts';
import type { Translate } from '../i18n/translator.ts';
import { weekDays } from '../time/week-day.ts';
import { scheduleKind, type Timing, weekDaysOf } from './schedule.ts';

/** When a schedule runs: `Every Monday and Friday at 09:00 (Asia/Tokyo)`. Throws ScheduleError. */
export function scheduleSentence(timing: Timing, viewer: Viewer, t: Translate): string {
  const kind = scheduleKind(timing);
  if (kind === 'oneshot') {
    return t('schedule.once', { at: formatDateTime(timing.oneshot!, viewer), zone: viewer.timeZone });
  }
  const recurrence = timing.recurrence!;
  const { hour, minute, timeZone: zone, day } = recurrence;
  const time = clockText(hour, minute);
  if (kind === 'daily') return t('schedule.daily', { time, zone });
  if (kind === 'weekly') {
    const inputRule = weekDaysOf(recurrence);
    if (inputRule.length === 7) return t('schedule.daily', { time, zone });
    const days = weekDays.filter((name) => inputRule.includes(name)).map((name) => t(`schedule.day.${name}`));
    return t('schedule.weekly', { days: listText(days, t), time, zone });
  }
  if (day === 31) return t('schedule.monthlyLast', { time, zone });
  return t(day! > 28 ? 'schedule.monthlyOrLast' : 'schedule.monthly', { day, time, zone });
}

/** `09:05`. */
export function clockText(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** `a`, `a and b`, `a, b and c`, depending on the language. */
export function listText(items: readonly string[], t: Translate): string {
  if (items.length < 2) return items.join('');
  return items.slice(0, -1).join(t('schedule.list.comma')) + t('schedule.list.and') + items.at(-1);
}
