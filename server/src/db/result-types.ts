/** How column values of a result become JavaScript values: the same on both engines. */
import pg from 'pg';

const textArray = pg.types.getTypeParser(1009 as number, 'text') as (text: string) => unknown[];

/**
 * A timestamptz as PostgreSQL writes it in time zone UTC becomes ISO 8601 with milliseconds and Z.
 * Microseconds are cut off; declare columns that are compared again as timestamptz(3).
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

// Object identifiers of pg_type. int8 (20) and numeric (1700) stay text: the driver's own default loses no digit.
const parsers = new Map<number, (text: string) => unknown>([
  [1184, toIsoTime],
  [1185, mapArray(toIsoTime)],
  [1114, identity], // timestamp: has no zone, so no instant
  [1115, mapArray(identity)],
  [1082, identity], // date: the driver would make it midnight in the zone of the machine
  [1182, mapArray(identity)],
]);

/** The `types` option of the driver: times as ISO 8601 text, dates as text, big numbers as text, jsonb parsed. */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: string) {
    const parser = format === 'binary' ? undefined : parsers.get(id);
    return parser ?? pg.types.getTypeParser(id, format as 'text');
  },
} as pg.CustomTypesConfig;
