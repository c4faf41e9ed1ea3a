// Parses and prints recurrence rules (RFC 5545, 3.3.10), from yearly to hourly.

export const rruleDays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type RruleDay = (typeof rruleDays)[number];
export const rruleFrequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;
export type RruleFrequency = (typeof rruleFrequencies)[number];

/** A parsed rule. Lists missing in the text are empty. */
export interface Rrule {
  frequency: RruleFrequency;
  interval: number;
  count?: number;
  /** `YYYYMMDD`, `YYYYMMDDTHHMMSS` (local) or the same with `Z` (UTC), as written. */
  until?: string;
  byMonth: number[];
  byWeekNo: number[];
  byYearDay: number[];
  byMonthDay: number[];
  /** `ordinal` 0 means every such day; -1 the last of the month or year. */
  byDay: { ordinal: number; day: RruleDay }[];
  byHour: number[];
  byMinute: number[];
  bySecond: number[];
  bySetPos: number[];
  weekStart: RruleDay;
}

/**
 * The text is not a valid rule; `detail` names the part and the error, in English for the sentence
 * `rule.rrule`.
 */
export class RruleError extends Error {
  readonly detail: string;

  constructor(detail: string) {
    super(`recurrence rule refused: ${detail}`);
    this.name = 'RruleError';
    this.detail = detail;
  }
}

/** Limits: length of the text, COUNT, INTERVAL. */
export const rruleLimits = { length: 500, count: 10_000, interval: 1000 } as const;

const lists = {
  BYMONTH: ['byMonth', 1, 12, false],
  BYWEEKNO: ['byWeekNo', 1, 53, true],
  BYYEARDAY: ['byYearDay', 1, 366, true],
  BYMONTHDAY: ['byMonthDay', 1, 31, true],
  BYHOUR: ['byHour', 0, 23, false],
  BYMINUTE: ['byMinute', 0, 59, false],
  BYSECOND: ['bySecond', 0, 59, false],
  BYSETPOS: ['bySetPos', 1, 366, true],
} as const;

/**
 * Parses a rule, with or without an `RRULE:` prefix. Throws RruleError for anything invalid, unknown or
 * contradictory.
 */
export function parseRrule(text: string): Rrule {
  if (text.length > rruleLimits.length) throw new RruleError(`longer than ${rruleLimits.length} characters`);
  const parts = parseParts(text.trim().replace(/^RRULE:/i, ''));
  const rule: Rrule = {
    frequency: frequencyOf(parts.get('FREQ')),
    interval: numberOf('INTERVAL', parts.get('INTERVAL') ?? '1', 1, rruleLimits.interval),
    byMonth: [],
    byWeekNo: [],
    byYearDay: [],
    byMonthDay: [],
    byDay: (parts.get('BYDAY')?.split(',') ?? []).map(byDayOf),
    byHour: [],
    byMinute: [],
    bySecond: [],
    bySetPos: [],
    weekStart: dayOf('WKST', parts.get('WKST') ?? 'MO'),
  };
  for (const [keyword, [member, min, max, signed]] of Object.entries(lists)) {
    const value = parts.get(keyword);
    if (value !== undefined) rule[member] = numberList(keyword, value, min, max, signed);
  }
  const count = parts.get('COUNT');
  if (count !== undefined) rule.count = numberOf('COUNT', count, 1, rruleLimits.count);
  const until = parts.get('UNTIL');
  if (until !== undefined) rule.until = untilOf(until);
  rejectContradictions(rule);
  return rule;
}

/** Prints a rule so that parseRrule returns the same data. */
export function printRrule(rule: Rrule): string {
  const parts = [`FREQ=${rule.frequency}`];
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== undefined) parts.push(`COUNT=${rule.count}`);
  if (rule.until !== undefined) parts.push(`UNTIL=${rule.until}`);
  for (const [keyword, [member]] of Object.entries(lists)) {
    if (rule[member].length > 0) parts.push(`${keyword}=${rule[member].join(',')}`);
  }
  if (rule.byDay.length > 0) {
    parts.push(
      `BYDAY=${rule.byDay.map(({ ordinal, day }) => (ordinal === 0 ? day : `${ordinal}${day}`)).join(',')}`,
    );
  }
  if (rule.weekStart !== 'MO') parts.push(`WKST=${rule.weekStart}`);
  return parts.join(';');
}

const keywords = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(lists)]);

function parseParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.replace(/;$/, '').toUpperCase().split(';')) {
    const [keyword, value, ...more] = part.split('=');
    if (!keywords.has(keyword!)) throw new RruleError(`unknown part ${JSON.stringify(keyword)}`);
    if (!value || more.length > 0) throw new RruleError(`${keyword} has no value`);
    if (parts.has(keyword!)) throw new RruleError(`${keyword} is given twice`);
    parts.set(keyword!, value);
  }
  return parts;
}

function frequencyOf(text: string | undefined): RruleFrequency {
  if (text === undefined) throw new RruleError('FREQ is missing');
  if (text === 'MINUTELY' || text === 'SECONDLY')
    throw new RruleError(`FREQ=${text} repeats more often than every hour`);
  if (!(rruleFrequencies as readonly string[]).includes(text))
    throw new RruleError(`FREQ=${text} is unknown`);
  return text as RruleFrequency;
}

function numberOf(keyword: string, text: string, min: number, max: number): number {
  const value = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new RruleError(`${keyword}=${text} is not between ${min} and ${max}`);
}

function numberList(keyword: string, text: string, min: number, max: number, signed: boolean): number[] {
  const values = text.split(',').map((part) => {
    if (signed && part.startsWith('-')) return -numberOf(keyword, part.slice(1), min, max);
    return numberOf(keyword, part, min, max);
  });
  return [...new Set(values)].sort((a, b) => a - b);
}

function byDayOf(text: string): { ordinal: number; day: RruleDay } {
  const found = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text);
  if (!found) throw new RruleError(`BYDAY=${text} is no day`);
  const ordinal = Number(found[1] ?? 0);
  if (found[1] !== undefined && (ordinal === 0 || Math.abs(ordinal) > 53)) {
    throw new RruleError(`BYDAY=${text} is not between 1 and 53, or -53 and -1`);
  }
  return { ordinal, day: dayOf('BYDAY', found[2]!) };
}

function dayOf(keyword: string, text: string): RruleDay {
  if ((rruleDays as readonly string[]).includes(text)) return text as RruleDay;
  throw new RruleError(`${keyword}=${text} is no day`);
}

function untilOf(text: string): string {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T([01]\d|2[0-3])([0-5]\d)([0-5]\d)Z?)?$/.exec(text);
  const [year, month, day] = (found?.slice(1, 4) ?? []).map(Number);
  const date = new Date(Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day));
  if (date.getUTCMonth() + 1 === month && date.getUTCDate() === day) return text;
  throw new RruleError(`UNTIL=${text} is no date`);
}

function rejectContradictions(rule: Rrule): void {
  const { frequency, byDay } = rule;
  if (rule.count !== undefined && rule.until !== undefined)
    throw new RruleError('COUNT and UNTIL exclude each other');
  const numbered = byDay.some(({ ordinal }) => ordinal !== 0);
  if (numbered && frequency !== 'MONTHLY' && frequency !== 'YEARLY') {
    throw new RruleError('BYDAY with a number needs FREQ=MONTHLY or YEARLY');
  }
  if (numbered && rule.byWeekNo.length > 0) throw new RruleError('BYDAY with a number excludes BYWEEKNO');
  if (rule.byWeekNo.length > 0 && frequency !== 'YEARLY') throw new RruleError('BYWEEKNO needs FREQ=YEARLY');
  if (rule.byYearDay.length > 0 && ['MONTHLY', 'WEEKLY', 'DAILY'].includes(frequency)) {
    throw new RruleError(`BYYEARDAY excludes FREQ=${frequency}`);
  }
  if (rule.byMonthDay.length > 0 && frequency === 'WEEKLY')
    throw new RruleError('BYMONTHDAY excludes FREQ=WEEKLY');
  const others = Object.values(lists).some(([member]) => member !== 'bySetPos' && rule[member].length > 0);
  if (rule.bySetPos.length > 0 && !others && byDay.length === 0)
    throw new RruleError('BYSETPOS needs another BY part');
}
