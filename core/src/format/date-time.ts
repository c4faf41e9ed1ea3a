// Formats dates and times by language, with a 24-hour clock and an explicit time zone.

import type { Language } from '../i18n/translator.ts';
import type { LocalTime } from '../time/zone-clock.ts';
import { clockNumber, isZone, localTimeAt, localTimeToInstant, offsetAt } from '../time/zone-clock.ts';

/**
 * Language and time zone of the reader. The zone is an IANA name or an offset like `UTC+9`; it is never taken
 * from the machine.
 */
export interface Viewer {
  language: Language;
  timeZone: string;
}

/** ISO 8601 text, epoch milliseconds or a Date. */
export type Instant = string | number | Date;

/**
 * Short date and time: `1/31/2026, 09:05` in English, `2026/01/31 09:05` in Japanese. Assembled here because
 * the spaces and commas of Intl's styles differ between runtimes. Invalid dates are returned unchanged. In an hour that
 * the clocks repeat, the offset follows: `11/1/2026, 01:30 UTC-05:00`.
 */
export function formatDateTime(value: Instant, viewer: Viewer): string {
  return formatLocal(value, viewer.timeZone, (local, offset) => {
    const gap = viewer.language === 'en' ? ', ' : ' ';
    const time = `${padTwo(local.hour)}:${padTwo(local.minute)}${offset()}`;
    return `${shortDate(local, viewer.language)}${gap}${time}`;
  });
}

/**
 * As short as a crowded table needs: `1/31 09:05` in the year of `now`, `1/31/2025` in another; in Japanese
 * `01/31 09:05` and `2025/01/31`.
 */
export function formatShortDateTime(value: Instant, now: Instant, viewer: Viewer): string {
  const thisYear = formatLocal(now, viewer.timeZone, ({ year }) => String(year));
  return formatLocal(value, viewer.timeZone, (local) => {
    const day = shortDate(local, viewer.language);
    if (String(local.year) !== thisYear) return day;
    const year = padFour(local.year);
    const withoutYear = day.startsWith(`${year}/`) ? day.slice(5) : day.slice(0, -5);
    return `${withoutYear} ${padTwo(local.hour)}:${padTwo(local.minute)}`;
  });
}

/** The same as formatDateTime with seconds, for logs and records. */
export function formatDateTimeSeconds(value: Instant, viewer: Viewer): string {
  return formatLocal(value, viewer.timeZone, (local, offset) => {
    const gap = viewer.language === 'en' ? ', ' : ' ';
    const time = `${padTwo(local.hour)}:${padTwo(local.minute)}:${padTwo(local.second)}${offset()}`;
    return `${shortDate(local, viewer.language)}${gap}${time}`;
  });
}

/** Short date: `1/31/2026` in English, `2026/01/31` in Japanese. */
export function formatDate(value: Instant, viewer: Viewer): string {
  return formatLocal(value, viewer.timeZone, (local) => shortDate(local, viewer.language));
}

/** A day given as `YYYY-MM-DD`, in the same form; the zone of the reader does not matter. */
export function formatDay(day: string, language: Language): string {
  return formatDate(day, { language, timeZone: 'UTC' });
}

/** A month given as `YYYY-MM`: `Jan 2026` in English, `2026年1月` in Japanese. */
export function formatMonth(month: string, language: Language): string {
  const style = { year: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, style).format(new Date(`${month}-01T00:00:00Z`));
}

/** Value of a date-time form field, `yyyy/MM/dd HH:mm`, in both languages. */
export function formatFieldDateTime(value: Instant, timeZone: string): string {
  return formatLocal(
    value,
    timeZone,
    (local) => `${yearMonthDay(local)} ${padTwo(local.hour)}:${padTwo(local.minute)}`,
  );
}

/** A date, a time and an offset; what else it must be, the schema of its field tells. */
const isInstant = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));

/**
 * Like `parseFieldDateTime`, but returns `shown` if the text is how that instant is shown: the text lacks its seconds, and
 * does not tell which one of a repeated hour it is in.
 */
export function readFieldDateTime(text: string, timeZone: string, shown?: string): string | undefined {
  const isShown = shown !== undefined && isInstant(shown) && isZone(timeZone);
  if (isShown && formatFieldDateTime(shown, timeZone) === text.trim()) return shown;
  return parseFieldDateTime(text, timeZone);
}

/**
 * Parses `yyyy/MM/dd HH:mm` to ISO 8601 UTC; undefined if the format is wrong or the date does not exist.
 */
export function parseFieldDateTime(text: string, timeZone: string): string | undefined {
  const found = /^(\d{4})\/(\d{1,2})\/(\d{1,2}) (\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!found || !isZone(timeZone)) return undefined;
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const local: LocalTime = { year, month, day, hour, minute, second: 0 };
  const there = new Date(clockNumber(local));
  // A day or hour out of range would silently roll over to another date.
  if (there.getUTCMonth() + 1 !== month || there.getUTCDate() !== day || hour > 23 || minute > 59)
    return undefined;
  return new Date(localTimeToInstant(local, timeZone)).toISOString();
}

function formatLocal(
  value: Instant,
  timeZone: string,
  write: (local: LocalTime, offset: () => string) => string,
): string {
  const instant =
    value instanceof Date ? value.getTime() : typeof value === 'number' ? value : Date.parse(value);
  if (Number.isNaN(new Date(instant).getTime())) return typeof value === 'string' ? value : '';
  return write(localTimeAt(instant, timeZone), () => repeatedOffset(instant, timeZone));
}

/** The offset of a time that the clocks show twice, in the hour before or after they are set back; else empty. */
function repeatedOffset(instant: number, timeZone: string): string {
  const own = offsetAt(instant, timeZone);
  const isRepeated = [-1, 1].some((direction) => {
    const other = offsetAt(instant + direction * 7_200_000, timeZone);
    return other !== own && offsetAt(instant + own - other, timeZone) === other;
  });
  const time = new Date(Math.abs(own)).toJSON().slice(11, 16);
  return isRepeated ? ` UTC${own < 0 ? '-' : '+'}${time}` : '';
}

function shortDate(local: LocalTime, language: Language): string {
  return language === 'en' ? `${local.month}/${local.day}/${padFour(local.year)}` : yearMonthDay(local);
}

function yearMonthDay(local: LocalTime): string {
  return `${padFour(local.year)}/${padTwo(local.month)}/${padTwo(local.day)}`;
}

function padTwo(value: number): string {
  return String(value).padStart(2, '0');
}

function padFour(value: number): string {
  return String(value).padStart(4, '0');
}
