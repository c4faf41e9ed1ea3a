// Describes mute schedules in one sentence.

import { formatDate, formatDateTime, type Viewer } from '../format/date-time.ts';
import { formatDuration } from '../format/duration.ts';
import { dataKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import { weekDays } from '../time/week-day.ts';
import { localTimeAt } from '../time/zone-clock.ts';
import { type Mute, parseMute } from './mute.ts';
import { parseRrule, type Rrule, RruleError, rruleDays } from './rrule.ts';
import { clockText, listText } from './schedule-sentence.ts';

/**
 * When a mute schedule is active: `Every week on Monday at 22:00 for 8 hours (UTC), from 1/5/2026`. Throws
 * ScheduleError.
 */
export function muteSentence(mute: Mute, viewer: Viewer, t: Translate): string {
  const { begin, length, rule, timeZone } = parseMute(mute);
  const duration = formatDuration(Math.max(1, Math.round(length / 1000)), t);
  if (!rule) {
    const [from, to] = [formatDateTime(mute.beginAt, viewer), formatDateTime(mute.endAt, viewer)];
    return t('schedule.mute.once', { from, to, zone: viewer.timeZone });
  }
  const start = localTimeAt(begin, timeZone);
  const sentence = t('schedule.mute.repeated', {
    every: frequencyText(rule, t),
    on: dayFilterText(rule, t),
    at: timesText(rule, start.hour, start.minute, t),
    duration,
    zone: timeZone,
    from: formatDate(begin, { ...viewer, timeZone }),
  });
  return sentence + endText(rule, viewer, timeZone, t);
}

/**
 * How a rule repeats, without the duration: `Every month on the second Tuesday, 10 times`; the text itself if
 * it is not a valid rule.
 */
export function rruleSentence(text: string, viewer: Viewer, t: Translate): string {
  try {
    const rule = parseRrule(text);
    return frequencyText(rule, t) + dayFilterText(rule, t) + endText(rule, viewer, viewer.timeZone, t);
  } catch (error) {
    if (error instanceof RruleError) return text;
    throw error;
  }
}

function frequencyText(rule: Rrule, t: Translate): string {
  if (rule.interval === 1) return t(`schedule.every.${rule.frequency}`);
  return t(`schedule.everyFew.${rule.frequency}`, { number: rule.interval });
}

/** Conditions on the days, each with its own leading space or comma. */
function dayFilterText(rule: Rrule, t: Translate): string {
  const parts: string[] = [];
  const add = (
    word: 'month' | 'week' | 'yearDay' | 'monthDay' | 'day' | 'position',
    values: readonly (string | number)[],
  ): void => {
    if (values.length > 0) parts.push(t(`schedule.on.${word}`, { list: listText(values.map(String), t) }));
  };
  add(
    'month',
    rule.byMonth.map((month) => t(dataKey(`schedule.month.${month}`))),
  );
  add('week', rule.byWeekNo);
  add('yearDay', rule.byYearDay);
  add(
    'monthDay',
    rule.byMonthDay.map((day) => ordinalText(day, 'monthDay', t)),
  );
  add(
    'day',
    rule.byDay.map(({ ordinal, day }) => {
      const name = t(`schedule.day.${weekDays[rruleDays.indexOf(day)]!}`);
      return ordinal === 0
        ? name
        : t('schedule.numberedDay', { ordinal: ordinalText(ordinal, 'day', t), name });
    }),
  );
  add(
    'position',
    rule.bySetPos.map((position) => ordinalText(position, 'position', t)),
  );
  return parts.join('');
}

function ordinalText(value: number, kind: 'monthDay' | 'day' | 'position', t: Translate): string {
  if (value === -1) return t(`schedule.last.${kind}`);
  if (kind === 'day' && value >= 1 && value <= 5) return t(dataKey(`schedule.ordinal.${value}`));
  if (value < 0) return t(`schedule.fromEnd.${kind}`, { number: -value });
  return t(`schedule.fromStart.${kind}`, { number: value });
}

/** The times of a day; for an hourly rule only its minutes. */
function timesText(rule: Rrule, hour: number, minute: number, t: Translate): string {
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [minute];
  if (rule.frequency === 'HOURLY' && rule.byHour.length === 0) {
    return t('schedule.atMinute', { list: listText(minutes.map(String), t) });
  }
  const hours = rule.byHour.length > 0 ? rule.byHour : [hour];
  const times = hours.flatMap((one) => minutes.map((other) => clockText(one, other)));
  return t('schedule.atTime', { list: listText(times.slice(0, 6), t), more: times.length > 6 ? '…' : '' });
}

function endText(rule: Rrule, viewer: Viewer, timeZone: string, t: Translate): string {
  if (rule.count !== undefined) return t('schedule.mute.count', { count: rule.count });
  if (rule.until === undefined) return '';
  const [year, month, day, hour, minute, second] = rule.until.match(/^\d{4}|\d{2}/g)!;
  const written = `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`;
  // Without a Z the time is in the rule's own zone and can be shown unchanged.
  const zone = rule.until.endsWith('Z') ? timeZone : 'UTC';
  const at = { language: viewer.language, timeZone: zone };
  return t('schedule.mute.until', {
    until: hour === undefined ? formatDate(written, at) : formatDateTime(written, at),
  });
}
