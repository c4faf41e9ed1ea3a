// Reads data values as text, number or time, and shortens them for display.
import { DateTime } from 'luxon';
import { ExactNumber } from '../../../http/exact-json.ts';
import { boundedJson } from './bounded-json.ts';
import { firstSelected } from './selected-list.ts';

/** Maximum length of a text that a step reads or writes. */
export const maxTextLength = 1_048_576;
const maxDisplayLength = 200;

/** The value as text; objects and lists as JSON; undefined if there is no value or it is too large. */
export function toText(selected: unknown): string | undefined {
  const value = firstSelected(selected);
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || value instanceof ExactNumber) return String(value);
  const json = boundedJson(value, maxTextLength);
  return json.isComplete ? json.text : undefined;
}

/** The value of a number or of decimal text. */
export function toNumber(selected: unknown): number | undefined {
  const value = firstSelected(selected);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof ExactNumber) return toNumber(value.valueOf());
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

const formats = [
  'y/M/d H:m:s',
  'y/M/d H:m',
  'y.M.d H:m:s',
  'y/M/d H:m:s ZZ',
  'y.M.d H:m:s ZZ',
  'y-M-d H:m:s ZZ',
];
/**
 * Unix times below this are in seconds, others in milliseconds (seconds up to the year 5138, milliseconds
 * from 1973).
 */
const firstMilliseconds = 100_000_000_000;

/**
 * Milliseconds since 1970 of a date-time: ISO 8601, RFC 2822 (`11 Jan 23 11:12 +0900`), HTTP, SQL, `2023/1/11
 * 11:12`, or a Unix time in seconds or milliseconds. `zone` applies to texts without a time zone.
 */
export function toEpochMs(selected: unknown, zone = 'UTC'): number | undefined {
  const value = firstSelected(selected);
  const unix = toNumber(value);
  if (unix !== undefined) {
    if (unix < 0 || unix > 8.64e15) return undefined;
    return Math.round(unix < firstMilliseconds ? unix * 1000 : unix);
  }
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const text = value.trim();
  const read = [
    () => DateTime.fromISO(text, { zone }),
    () => DateTime.fromSQL(text, { zone }),
    () => DateTime.fromRFC2822(text, { zone }),
    () => DateTime.fromHTTP(text, { zone }),
    ...formats.map((format) => () => DateTime.fromFormat(text, format, { zone, locale: 'en-US' })),
  ];
  for (const attempt of read) {
    const time = attempt();
    if (time.isValid) return time.toMillis();
  }
  return undefined;
}

/** Display form of a value: at most 200 characters; null if there is no value. */
export function toDisplayText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return truncateText(value);
  if (typeof value !== 'object') return String(value);
  const json = boundedJson(value, maxDisplayLength);
  return json.isComplete ? json.text : truncateText(`${json.text}…`);
}

/** Truncates to 200 characters, never inside a character. */
export function truncateText(text: string): string {
  if (text.length <= maxDisplayLength) return text;
  const cut = text.slice(0, maxDisplayLength - 1);
  const last = cut.charCodeAt(cut.length - 1);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}…`;
}
