// ISO 8601 dates and times in the forms in use.
import { dateExists, isDate } from './date.ts';

const time =
  /^(?:([01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?|24(?::?00(?::?00(?:[.,]0{1,9})?)?)?)(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

/**
 * A calendar date (2026-01-31, 20260131, 2026-01), week date (2026-W05-6, 2026-W05) or ordinal date (2026-031), alone or
 * followed by T and a time of day with an optional fraction and offset.
 */
export function isIso8601(text: string): boolean {
  if (text.length > 40) return false;
  const [date, clock, ...more] = text.split('T');
  if (more.length > 0 || date === undefined) return false;
  if (clock === undefined) return isIsoDate(date) || /^\d{4}-(?:0[1-9]|1[0-2])$/.test(date) || isWeek(date);
  return isIsoDate(date) && time.test(clock);
}

function isIsoDate(text: string): boolean {
  if (isDate(text)) return true;
  const basic = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (basic) return dateExists(Number(basic[1]), Number(basic[2]), Number(basic[3]));
  const ordinal = /^(\d{4})-?(\d{3})$/.exec(text);
  if (ordinal) return Number(ordinal[2]) >= 1 && Number(ordinal[2]) <= daysInYear(Number(ordinal[1]));
  const week = /^(\d{4}-?W\d{2})-?[1-7]$/.exec(text);
  return week !== null && isWeek(week[1]!);
}

function isWeek(text: string): boolean {
  const found = /^(\d{4})-?W(\d{2})$/.exec(text);
  if (!found) return false;
  const week = Number(found[2]);
  return week >= 1 && week <= weeksInYear(Number(found[1]));
}

function daysInYear(year: number): number {
  return dateExists(year, 2, 29) ? 366 : 365;
}

/** A year has 53 weeks when it starts on a Thursday, or on a Wednesday in a leap year. */
function weeksInYear(year: number): number {
  const first = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  return first === 4 || (first === 3 && daysInYear(year) === 366) ? 53 : 52;
}
