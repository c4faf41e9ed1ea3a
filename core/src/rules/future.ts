// Dates and date-times that are still to come.
import { instantOfLocal, localTimeAt } from '../schedule/zone.ts';
import { isDate } from './date.ts';

/**
 * A date after today in the zone, or an ISO 8601 date-time (extended form) later than `now`, which is epoch milliseconds;
 * a date-time without an offset is read in the zone. Throws RangeError for an unknown zone.
 */
export function isFuture(text: string, now: number, timeZone: string): boolean {
  if (isDate(text)) return text > dateText(now, timeZone);
  const found = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  if (!found || !isDate(found[1]!)) return false;
  const instant = Date.parse(found[2] ? text : `${text}Z`);
  if (Number.isNaN(instant)) return false;
  return (found[2] ? instant : instantOfLocal(localTimeAt(instant, 'UTC'), timeZone)) > now;
}

function dateText(now: number, timeZone: string): string {
  const { year, month, day } = localTimeAt(now, timeZone);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
