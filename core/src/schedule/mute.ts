// Mute schedules: a period that may repeat by a recurrence rule.

import { clockNumber, isZone, localTimeAt, localTimeToInstant } from '../time/zone-clock.ts';
import { isRfc3339 } from '../validation/rfc3339.ts';
import { parseRrule, type Rrule, RruleError } from './rrule.ts';
import { rruleClockTimes } from './rrule-clock.ts';
import { ScheduleError } from './schedule.ts';

/**
 * `beginAt` and `endAt` are the first occurrence (ISO 8601 with an offset); every repetition has the same
 * length.
 */
export interface Mute {
  beginAt: string;
  endAt: string;
  /** RFC 5545 text; absent for a single occurrence. */
  rrule?: string | null;
  /** Time zone in which the rule repeats; defaults to UTC. */
  timeZone?: string | null;
}

/** A period in epoch milliseconds; the end is exclusive. */
export interface MuteWindow {
  begin: number;
  end: number;
}

const dayMs = 86_400_000;
/** A rule without a pause mutes forever. */
const maxJoinedWindows = 32;

/**
 * The occurrence that contains the instant (epoch milliseconds), the earliest if several overlap. Throws
 * ScheduleError.
 */
export function muteSpanAt(mute: Mute, instant: number): MuteWindow | undefined {
  const read = parseMute(mute);
  for (const begin of occurrenceStarts(read, instant - read.length + 1)) {
    return begin <= instant ? { begin, end: begin + read.length } : undefined;
  }
  return undefined;
}

/**
 * What `read` finds in a stored schedule. One that this version cannot read does not mute: an extra alert is better than a
 * missed one.
 */
export function readStoredMute<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

/**
 * When the stored schedules no longer mute (epoch milliseconds); undefined if none does at the instant. Windows without time
 * between them count as one, up to a limit.
 */
export function lastMuteEnd(mutes: readonly Mute[], instant: number): number | undefined {
  let until: number | undefined;
  for (let joined = 0; joined < maxJoinedWindows; joined += 1) {
    const at = until ?? instant;
    const ends = mutes.flatMap((mute) => readStoredMute(() => muteSpanAt(mute, at))?.end ?? []);
    if (ends.length === 0) break;
    until = Math.max(...ends);
  }
  return until;
}

/** The next occurrences that begin after an instant (epoch milliseconds), at most `count`. Throws ScheduleError. */
export function upcomingMuteWindows(mute: Mute, after: number, count: number): MuteWindow[] {
  const read = parseMute(mute);
  const spans: MuteWindow[] = [];
  if (count <= 0) return spans;
  for (const begin of occurrenceStarts(read, after + 1)) {
    spans.push({ begin, end: begin + read.length });
    if (spans.length === count) break;
  }
  return spans;
}

interface ParsedMute {
  begin: number;
  length: number;
  rule: Rrule | undefined;
  timeZone: string;
}

/** Parses and validates a mute schedule. Throws ScheduleError naming the first invalid field. */
export function parseMute(mute: Mute): ParsedMute {
  const { beginAt, endAt, rrule } = mute;
  if (typeof beginAt !== 'string' || !isRfc3339(beginAt)) throw new ScheduleError('beginAt', 'rule.rfc3339');
  if (typeof endAt !== 'string' || !isRfc3339(endAt)) throw new ScheduleError('endAt', 'rule.rfc3339');
  const begin = Date.parse(beginAt);
  const length = Date.parse(endAt) - begin;
  if (length <= 0) throw new ScheduleError('endAt', 'rule.endBeforeBegin');
  const timeZone = mute.timeZone ?? 'UTC';
  if (!isZone(timeZone)) throw new ScheduleError('timeZone', 'rule.timeZone');
  if (rrule === undefined || rrule === null || rrule === '')
    return { begin, length, rule: undefined, timeZone };
  try {
    return { begin, length, rule: parseRrule(rrule), timeZone };
  } catch (error) {
    if (error instanceof RruleError) throw new ScheduleError('rrule', 'rule.rrule', { detail: error.detail });
    throw error;
  }
}

/**
 * Start times at or after an instant, in order. The first occurrence is included even if the rule does not
 * produce it.
 */
function* occurrenceStarts(mute: ParsedMute, from: number): Generator<number, void, undefined> {
  const { begin, rule, timeZone } = mute;
  if (begin >= from) yield begin;
  if (!rule) return;
  const start = clockNumber(localTimeAt(begin, timeZone));
  // Rules have a resolution of one second; keep the milliseconds of the first start.
  const rest = begin - Math.floor(begin / 1000) * 1000;
  const until = untilOf(rule, timeZone);
  // One day earlier, because the offset may have changed in between.
  const wanted = clockNumber(localTimeAt(from, timeZone)) - dayMs;
  let last = begin;
  let seen = 1;
  // COUNT is counted from the start; times before `from` are skipped without a time zone lookup.
  for (const clock of rruleClockTimes(rule, start, rule.count === undefined ? wanted : start)) {
    if (clock === start) continue;
    if (rule.count !== undefined && seen >= rule.count) return;
    seen += 1;
    if (clock < wanted) continue;
    const at = localTimeToInstant(localTimeAt(clock, 'UTC'), timeZone) + rest;
    if (at > until) return;
    // Two local times in the same gap are the same instant.
    if (at <= last) continue;
    last = at;
    if (at >= from) yield at;
  }
}

/** The last instant at which an occurrence may start; a date without a time includes the whole day. */
function untilOf(rule: Rrule, timeZone: string): number {
  if (rule.until === undefined) return Number.POSITIVE_INFINITY;
  const [year, month, day, hour, minute, second] = rule.until.match(/^\d{4}|\d{2}/g)!.map(Number);
  const local = {
    year: year!,
    month: month!,
    day: day!,
    hour: hour ?? 23,
    minute: minute ?? 59,
    second: second ?? 59,
  };
  return localTimeToInstant(local, rule.until.endsWith('Z') ? 'UTC' : timeZone) + 999;
}
