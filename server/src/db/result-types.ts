/** Converts column values of results to JavaScript values, the same on both engines. */
import pg from 'pg';

const textArray = pg.types.getTypeParser(1009 as number, 'text') as (text: string) => unknown[];

/**
 * Converts a timestamptz as printed by PostgreSQL in UTC to ISO 8601 with milliseconds and Z. Microseconds
 * are truncated; declare columns whose values are compared later as timestamptz(3).
 */
export function toIsoTime(text: string): string {
  if (text.length >= 22 && text.endsWith('+00') && text.charCodeAt(10) === 32) {
    const dot = text.charCodeAt(19) === 46;
    const milliseconds = dot ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000';
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function mapArray(convert: (text: string) => string): (text: string) => unknown[] {
  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each);
    return typeof value === 'string' ? convert(value) : value;
  };
  return (text) => textArray(text).map(each);
}

const identity = (text: string) => text;

// Type OIDs of pg_type. int8 (20) and numeric (1700) stay text, as by the driver's default, so that no digit
// is lost.
const parsers = new Map<number, (text: string) => unknown>([
  [1184, toIsoTime],
  [1185, mapArray(toIsoTime)],
  [1114, identity], // timestamp: without a time zone, so not an instant
  [1115, mapArray(identity)],
  [1082, identity], // date: the driver would convert it to midnight in the local time zone
  [1182, mapArray(identity)],
]);

/**
 * The driver's `types` option: times as ISO 8601 text, dates as text, large numbers as text, jsonb parsed.
 */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: string) {
    const parser = format === 'binary' ? undefined : parsers.get(id);
    return parser ?? pg.types.getTypeParser(id, format as 'text');
  },
} as pg.CustomTypesConfig;
