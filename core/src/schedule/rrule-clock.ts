// Local times of a recurrence rule, computed directly for any period instead of counted from the start, so
// that old rules are fast and rules without occurrences terminate.
import { type Rrule, rruleDays } from './rrule.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A rule without a matching day within this many days counts as ended. */
const horizonDays = 50 * 366;

/**
 * Clock numbers (zone.ts) of a rule at or after `from`, in order, none before `start`. The caller handles
 * COUNT and UNTIL. Ends after 50 years without a match, otherwise never.
 */
export function* rruleClockTimes(
  inputRule: Rrule,
  start: number,
  from: number,
): Generator<number, void, undefined> {
  const rule = withDefaults(inputRule, start);
  const startIndex = periodOf(rule, dayNumber(start));
  const begin = Math.max(start, from);
  const first = periodOf(rule, dayNumber(begin));
  let index = first + modulo(startIndex - first, stepOf(rule));
  let horizon = dayNumber(begin) + horizonDays;
  while (true) {
    const [firstDay, lastDay] = daysOf(rule, index);
    if (firstDay > horizon) return;
    for (const clock of clockTimesWithin(rule, start, firstDay, lastDay)) {
      if (clock < begin) continue;
      horizon = dayNumber(clock) + horizonDays;
      yield clock;
    }
    index += stepOf(rule);
  }
}

/** The rule with parts missing in its text taken from the start. */
function withDefaults(rule: Rrule, start: number): Rrule {
  const at = new Date(start);
  const full = { ...rule };
  if (rule.frequency !== 'HOURLY' && rule.byHour.length === 0) full.byHour = [at.getUTCHours()];
  if (rule.byMinute.length === 0) full.byMinute = [at.getUTCMinutes()];
  if (rule.bySecond.length === 0) full.bySecond = [at.getUTCSeconds()];
  if (rule.byDay.length > 0 || rule.byMonthDay.length > 0 || rule.byYearDay.length > 0) return full;
  const sameWeekDay = [{ ordinal: 0, day: rruleDays[(at.getUTCDay() + 6) % 7]! }];
  if (rule.frequency === 'WEEKLY' || rule.byWeekNo.length > 0) return { ...full, byDay: sameWeekDay };
  if (rule.frequency !== 'YEARLY' && rule.frequency !== 'MONTHLY') return full;
  full.byMonthDay = [at.getUTCDate()];
  if (rule.frequency === 'YEARLY' && rule.byMonth.length === 0) full.byMonth = [at.getUTCMonth() + 1];
  return full;
}

/** Hourly rules step by day here; their interval applies to the hours. */
function stepOf(rule: Rrule): number {
  return rule.frequency === 'HOURLY' ? 1 : rule.interval;
}

/** Number of the year, month, week or day that contains a day (counted from 1970-01-01). */
function periodOf(rule: Rrule, day: number): number {
  if (rule.frequency === 'YEARLY') return new Date(day * dayMs).getUTCFullYear();
  if (rule.frequency === 'MONTHLY') {
    const at = new Date(day * dayMs);
    return at.getUTCFullYear() * 12 + at.getUTCMonth();
  }
  if (rule.frequency === 'WEEKLY') return Math.floor((day + weekShift(rule)) / 7);
  return day;
}

/** First and last day of a period. */
function daysOf(rule: Rrule, index: number): [number, number] {
  if (rule.frequency === 'YEARLY') return [dayOf(index, 0), dayOf(index + 1, 0) - 1];
  if (rule.frequency === 'MONTHLY') return [dayOf(0, index), dayOf(0, index + 1) - 1];
  if (rule.frequency !== 'WEEKLY') return [index, index];
  const first = index * 7 - weekShift(rule);
  return [first, first + 6];
}

/** 1970-01-01 was a Thursday, the fourth day of a week that starts on Monday. */
function weekShift(rule: Rrule): number {
  return 3 - rruleDays.indexOf(rule.weekStart);
}

function clockTimesWithin(rule: Rrule, start: number, firstDay: number, lastDay: number): number[] {
  const clocks: number[] = [];
  for (let day = firstDay; day <= lastDay; day += 1) {
    if (!matchesDay(rule, day)) continue;
    for (const hour of hoursOf(rule, start, day)) {
      const inHour: number[] = [];
      for (const minute of rule.byMinute) {
        for (const second of rule.bySecond)
          inHour.push(day * dayMs + hour * hourMs + minute * 60_000 + second * 1000);
      }
      clocks.push(...(rule.frequency === 'HOURLY' ? atPositions(rule, inHour) : inHour));
    }
  }
  return rule.frequency === 'HOURLY' ? clocks : atPositions(rule, clocks);
}

function hoursOf(rule: Rrule, start: number, day: number): readonly number[] {
  if (rule.frequency !== 'HOURLY') return rule.byHour;
  const startHour = Math.floor(start / hourMs);
  const hours: number[] = [];
  for (let hour = modulo(startHour - day * 24, rule.interval); hour < 24; hour += rule.interval) {
    if (rule.byHour.length === 0 || rule.byHour.includes(hour)) hours.push(hour);
  }
  return hours;
}

function atPositions(rule: Rrule, clocks: number[]): number[] {
  if (rule.bySetPos.length === 0) return clocks;
  const picked = rule.bySetPos.map((position) => clocks.at(position > 0 ? position - 1 : position));
  return [...new Set(picked.filter((clock) => clock !== undefined))].sort((a, b) => a - b);
}

function matchesDay(rule: Rrule, day: number): boolean {
  const at = new Date(day * dayMs);
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(at.getUTCMonth() + 1)) return false;
  const year = at.getUTCFullYear();
  if (rule.byMonthDay.length > 0 && !isListed(rule.byMonthDay, ...dayOfMonth(at))) return false;
  if (rule.byYearDay.length > 0 && !isListed(rule.byYearDay, ...dayOfYear(day, year))) return false;
  if (rule.byWeekNo.length > 0 && !isListed(rule.byWeekNo, ...weekOf(rule, day, year))) return false;
  if (rule.byDay.length === 0) return true;
  const weekDay = rruleDays[(at.getUTCDay() + 6) % 7];
  return rule.byDay.some((wanted) => {
    if (wanted.day !== weekDay) return false;
    if (wanted.ordinal === 0) return true;
    const inMonth = rule.frequency === 'MONTHLY' || rule.byMonth.length > 0;
    const [position, length] = inMonth ? dayOfMonth(at) : dayOfYear(day, year);
    const ordinal = wanted.ordinal > 0 ? Math.ceil(position / 7) : -Math.ceil((length - position + 1) / 7);
    return ordinal === wanted.ordinal;
  });
}

/** Day of the month counted from 1, and length of the month. */
function dayOfMonth(at: Date): [number, number] {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return [at.getUTCDate(), dayOf(year, month + 1) - dayOf(year, month)];
}

/** Day of the year counted from 1, and length of the year. */
function dayOfYear(day: number, year: number): [number, number] {
  const start = dayOf(year, 0);
  return [day - start + 1, dayOf(year + 1, 0) - start];
}

/** Whether a list contains the position, counted from 1 at the start or from -1 at the end. */
function isListed(list: readonly number[], position: number, length: number): boolean {
  return list.includes(position) || list.includes(position - length - 1);
}

/**
 * Week number of a day and number of weeks in the year of that week; week 1 has at least four days in
 * January.
 */
function weekOf(rule: Rrule, day: number, year: number): [number, number] {
  const firstWeek = (of: number): number => {
    const fourth = dayOf(of, 0) + 3;
    return fourth - modulo(fourth + weekShift(rule), 7);
  };
  const owner = day >= firstWeek(year + 1) ? year + 1 : day < firstWeek(year) ? year - 1 : year;
  const first = firstWeek(owner);
  return [Math.floor((day - first) / 7) + 1, (firstWeek(owner + 1) - first) / 7];
}

/**
 * Days from 1970-01-01 to the first of a month counted from 0; months out of range roll over to other years.
 */
function dayOf(year: number, month: number): number {
  const at = new Date(0);
  at.setUTCFullYear(year, month, 1);
  return at.getTime() / dayMs;
}

function dayNumber(clock: number): number {
  return Math.floor(clock / dayMs);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
