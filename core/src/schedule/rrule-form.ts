// Recurrence rules that a form can express, and their conversion to and from RFC 5545 text.
import { type WeekDay, weekDays } from '../time/week-day.ts';
import { parseRrule, printRrule, type Rrule, RruleError, type RruleFrequency, rruleDays } from './rrule.ts';

/**
 * Day of a monthly rule: the day of the month of the first occurrence, the last day, or a weekday such as the
 * second Tuesday.
 */
export type MonthDayRule = 'same' | 'last' | 'weekday';

/** Values of the form; members that do not apply to the frequency are kept but not printed. */
export interface Repeat {
  frequency: RruleFrequency;
  /** Interval in hours, days, weeks, months or years. */
  interval: number;
  /** For a weekly rule; empty means the weekday of the first occurrence. */
  days: WeekDay[];
  /** For a monthly rule. */
  monthDayRule: MonthDayRule;
  /** For place `weekday`: 1 to 4, or -1 for the last. */
  ordinal: number;
  weekDay: WeekDay;
  /** At most one of the two: the last day as `yyyy-MM-dd`, or the total number of occurrences. */
  until?: string;
  count?: number;
}

export const monthOrdinals = [1, 2, 3, 4, -1] as const;

/** Initial values of a form. */
export const defaultRepeat: Repeat = {
  frequency: 'WEEKLY',
  interval: 1,
  days: [],
  monthDayRule: 'same',
  ordinal: 1,
  weekDay: 'monday',
};

/** Prints the rule. Numbers out of bounds yield a text that parseRrule rejects. */
export function printRepeat(repeat: Repeat): string {
  const { frequency, interval, monthDayRule } = repeat;
  const rule: Rrule = { ...parseRrule(`FREQ=${frequency}`), interval };
  const dayOf = (day: WeekDay) => rruleDays[weekDays.indexOf(day)]!;
  if (frequency === 'WEEKLY') {
    const days = weekDays.filter((day) => repeat.days.includes(day));
    rule.byDay = days.map((day) => ({ ordinal: 0, day: dayOf(day) }));
  }
  if (frequency === 'MONTHLY' && monthDayRule === 'last') rule.byMonthDay = [-1];
  if (frequency === 'MONTHLY' && monthDayRule === 'weekday')
    rule.byDay = [{ ordinal: repeat.ordinal, day: dayOf(repeat.weekDay) }];
  if (repeat.until !== undefined) rule.until = repeat.until.replaceAll('-', '');
  else if (repeat.count !== undefined) rule.count = repeat.count;
  return printRrule(rule);
}

/** Converts a rule to form values; undefined for invalid text or a rule that the form cannot express. */
export function parseRepeat(text: string): Repeat | undefined {
  const rule = tryParseRrule(text);
  if (!rule) return undefined;
  const { frequency, interval, byDay, byMonthDay, until, count } = rule;
  const first = byDay[0];
  const numbered = frequency === 'MONTHLY' && first !== undefined;
  const repeat: Repeat = {
    ...defaultRepeat,
    frequency,
    interval,
    days: frequency === 'WEEKLY' ? byDay.map(({ day }) => weekDays[rruleDays.indexOf(day)]!) : [],
    monthDayRule: numbered ? 'weekday' : byMonthDay.length > 0 ? 'last' : 'same',
    ...(numbered ? { ordinal: first.ordinal, weekDay: weekDays[rruleDays.indexOf(first.day)]! } : {}),
    ...(until === undefined ? {} : { until: `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6)}` }),
    ...(count === undefined ? {} : { count }),
  };
  const known =
    (!numbered || (monthOrdinals as readonly number[]).includes(first.ordinal)) &&
    (until === undefined || until.length === 'yyyyMMdd'.length);
  // Anything the form would lose, such as a month or an hour, makes the texts differ.
  return known && sameRule(printRepeat(repeat), rule) ? repeat : undefined;
}

function tryParseRrule(text: string): Rrule | undefined {
  try {
    return parseRrule(text);
  } catch (error) {
    if (error instanceof RruleError) return undefined;
    throw error;
  }
}

/** Whether a text is the same rule, ignoring the order of weekdays. */
function sameRule(text: string, rule: Rrule): boolean {
  const inOrder = [...rule.byDay].sort(
    (left, right) => rruleDays.indexOf(left.day) - rruleDays.indexOf(right.day),
  );
  return text === printRrule({ ...rule, byDay: inOrder });
}
