// Converts between instants and local times of IANA zones and fixed UTC offsets, using Intl only.

/** A Gregorian local date and time; `month` and `day` count from 1. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const fixedShape = /^(?:UTC|GMT)(?:([+-])(\d{1,2})(?::?([0-5]\d))?)?$/i;
/** Maximum number of cached zones, so that a hostile caller cannot fill the memory with formatters. */
const cacheSize = 700;
const clocks = new Map<string, Clock | null>();

/** A fixed offset in milliseconds, or a formatter for the zone. */
type Clock = number | Intl.DateTimeFormat;

/**
 * Whether this is an IANA name known to the runtime, or a UTC offset such as `UTC`, `UTC+9`, `UTC-3:30`
 * within -12:00 to +14:00.
 */
export function isZone(name: string): boolean {
  return clockOf(name) !== null;
}

/**
 * Offset of a zone at an instant (epoch milliseconds), in milliseconds, positive to the east. Throws
 * RangeError for an unknown zone.
 */
export function offsetAt(instant: number, zone: string): number {
  const clock = clockOf(zone);
  if (clock === null) throw new RangeError(`unknown time zone: ${zone}`);
  if (typeof clock === 'number') return clock;
  // `01/31/2026, 09:05:00`; sliced by position, because this runs for every date on a screen and a regular
  // expression takes twice as long.
  const text = clock.format(instant);
  const comma = text.indexOf(',');
  const local = Date.UTC(
    Number(text.slice(6, comma)),
    Number(text.slice(0, 2)) - 1,
    Number(text.slice(3, 5)),
    Number(text.slice(comma + 2, comma + 4)),
    Number(text.slice(comma + 5, comma + 7)),
    Number(text.slice(comma + 8, comma + 10)),
  );
  return local - Math.floor(instant / 1000) * 1000;
}

/** Local time of a zone at an instant (epoch milliseconds). */
export function localTimeAt(instant: number, zone: string): LocalTime {
  return fromClockNumber(instant + offsetAt(instant, zone));
}

/**
 * The instant of a local time: the first one if the hour is repeated, the end of the gap if the time does not
 * exist. Day 32 or hour 24 roll over to the next month or day.
 */
export function localTimeToInstant(local: LocalTime, zone: string): number {
  const wanted = clockNumber(local);
  const before = offsetAt(wanted - dayMs, zone);
  const after = offsetAt(wanted + dayMs, zone);
  // Fast path: usually the offset does not change within a day of the time.
  if (before === after && offsetAt(wanted - before, zone) === before) return wanted - before;
  const offsets = new Set([before, after]);
  for (const around of [wanted - dayMs / 2, wanted, wanted + dayMs / 2]) offsets.add(offsetAt(around, zone));
  // The larger the offset, the earlier the instant.
  for (const offset of [...offsets].sort((a, b) => b - a)) {
    if (offsetAt(wanted - offset, zone) === offset) return wanted - offset;
  }
  return gapEnd(wanted - Math.max(...offsets), wanted - Math.min(...offsets), wanted, zone);
}

/** The local time in milliseconds as if it were UTC, for comparing and adding local times. */
export function clockNumber(local: LocalTime): number {
  const at = new Date(0);
  at.setUTCFullYear(local.year, local.month - 1, local.day);
  at.setUTCHours(local.hour, local.minute, local.second, 0);
  return at.getTime();
}

/** Weekday of a local date, 0 for Monday. */
export function weekDayIndex(local: LocalTime): number {
  return (new Date(clockNumber(local)).getUTCDay() + 6) % 7;
}

/** Number of days of a month counted from 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function fromClockNumber(number: number): LocalTime {
  const at = new Date(number);
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
}

/** Bisects to the first second whose local time is past the wanted one; offsets change at whole seconds. */
function gapEnd(from: number, to: number, wanted: number, zone: string): number {
  let before = Math.floor(from / 1000) - 1;
  let after = Math.ceil(to / 1000);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle * 1000 + offsetAt(middle * 1000, zone) > wanted) after = middle;
    else before = middle;
  }
  return after * 1000;
}

function clockOf(name: string): Clock | null {
  const known = clocks.get(name);
  if (known !== undefined) return known;
  const clock = makeClock(name);
  if (clocks.size >= cacheSize) clocks.clear();
  clocks.set(name, clock);
  return clock;
}

function makeClock(name: string): Clock | null {
  if (name.length > 64) return null;
  const fixed = fixedShape.exec(name);
  if (fixed) return fixedOffset(fixed[1], fixed[2], fixed[3]);
  // Some runtimes accept `+09:00`, others do not; only names are portable.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    return null;
  }
}

function fixedOffset(sign: string | undefined, hours = '0', minutes = '0'): number | null {
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs;
  const offset = sign === '-' ? -size : size;
  return offset >= -12 * hourMs && offset <= 14 * hourMs ? offset : null;
}
