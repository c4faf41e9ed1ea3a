// Predicts from the hourly counts of past weeks when the next message of a receive slot is due.
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { offsetAt } from '@yagura/core/time/zone-clock';

/** Messages received in the UTC hour that began at `at` (milliseconds since the Unix epoch). */
export interface HourlyCount {
  at: number;
  received: number;
}

export interface Expectation {
  state: 'expected' | 'learning' | 'irregular';
  /** Milliseconds since the Unix epoch; null if no prediction is possible. */
  expectedBy: number | null;
  reason: Reason;
}

const hourMs = 3_600_000;
const hoursPerWeek = 168;
/** Weeks of history considered. */
export const baselineWeeks = 4;
const minWeeks = 3;
/**
 * Messages within the same hours of every week, enough that their absence is practically never by chance.
 */
const minInWindow = 8;
const minGaps = 8;
/** Maximum ratio of the longest to the usual interval of a regular sender. */
const maxIntervalRatio = 1.5;
/** Zones that stand for all whose clocks change at the same times: nobody tells which clock a sender goes by. */
const changingZones = [
  ...['Europe/Berlin', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  ...['America/Santiago', 'Australia/Sydney', 'Pacific/Auckland', 'Africa/Cairo', 'Asia/Jerusalem'],
];

/**
 * `base` is the time of the last message, or the later time from which silence counts. Two patterns are
 * recognized: nearly constant intervals, and hours of the week that are always busy. The one that is due
 * first counts.
 */
export function expectNextArrival(hours: readonly HourlyCount[], base: number): Expectation {
  const now = Math.floor(base / hourMs);
  const counts = new Map(hours.map(({ at, received }) => [Math.floor(at / hourMs), received]));
  const busy = [...counts.keys()].filter((at) => at <= now).sort((a, b) => a - b);
  const known = busy.length > 0 ? now - busy[0]! : 0;
  // A message is due by the clock that leaves it the most time.
  const weekly = [undefined, ...clockChanges(now)]
    .map((change) => weeklyPattern(counts, known, now, change))
    .filter((one) => one !== null)
    .sort((a, b) => b.hour - a.hour)[0];
  const found = [regularInterval(busy, now), weekly].filter((one) => one !== null && one !== undefined);
  const first = found.sort((a, b) => a.hour - b.hour)[0];
  if (first) return { state: 'expected', expectedBy: first.hour * hourMs, reason: first.reason };
  const state = known < minWeeks * hoursPerWeek ? 'learning' : 'irregular';
  return { state, expectedBy: null, reason: { word: `watch.${state}` } };
}

interface Deadline {
  /** Hour (counted from the Unix epoch) at whose start the message counts as missing. */
  hour: number;
  reason: Reason;
}

/** Recognizes hours with messages at nearly constant intervals, over a week or more. */
function regularInterval(busy: readonly number[], now: number): Deadline | null {
  const recent = busy.filter((at) => at > now - baselineWeeks * hoursPerWeek);
  const gaps = recent.slice(1).map((at, index) => at - recent[index]!);
  if (gaps.length < minGaps || recent.at(-1)! - recent[0]! < hoursPerWeek) return null;
  const sorted = [...gaps].sort((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const maxLength = sorted.at(-1)!;
  if (maxLength > usual * maxIntervalRatio) return null;
  // Counts have a resolution of an hour: the message may come at the end of the hour in which it is due.
  const due = now + maxLength + Math.ceil(maxLength / 4) + 1;
  return {
    hour: due,
    reason: { word: 'watch.beat', params: { usual: usual * 3600, longest: maxLength * 3600 } },
  };
}

/** What changes for a sender that goes by a local clock. */
interface ClockChange {
  /** The first hour (counted from the Unix epoch) with the new offset. */
  hour: number;
  /** Hours by which the offset grew; negative when summer time ends. */
  shift: number;
}

/** The changes of clocks between the past weeks and the week after now, each once. */
function clockChanges(now: number): ClockChange[] {
  const offsetIn = (zone: string, hour: number) => offsetAt(hour * hourMs, zone);
  const changes = new Map<string, ClockChange>();
  for (const zone of changingZones) {
    let [before, after] = [now - baselineWeeks * hoursPerWeek, now + hoursPerWeek];
    const old = offsetIn(zone, before);
    const shift = (offsetIn(zone, after) - old) / hourMs;
    if (shift === 0) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetIn(zone, middle) === old) before = middle;
      else after = middle;
    }
    changes.set(`${after} ${shift}`, { hour: after, shift });
  }
  return [...changes.values()];
}

/**
 * The first run of full hours after now that was busy in each of the past weeks, in UTC or by a clock that changed.
 */
function weeklyPattern(
  counts: ReadonlyMap<number, number>,
  known: number,
  now: number,
  change: ClockChange | undefined,
): Deadline | null {
  const weeks = Math.min(Math.floor((known + 1) / hoursPerWeek), baselineWeeks);
  if (weeks < minWeeks) return null;
  const sums = new Array<number>(weeks).fill(0);
  for (let at = now + 1; at <= now + hoursPerWeek; at++) {
    for (const index of sums.keys()) {
      const past = at - (index + 1) * hoursPerWeek;
      const shift = change && past < change.hour && at >= change.hour ? change.shift : 0;
      sums[index]! += counts.get(past + shift) ?? 0;
    }
    const least = Math.min(...sums);
    if (least < minInWindow) continue;
    const window = (at - now) * 3600;
    const params = { window, weeks, least, most: Math.max(...sums) };
    return { hour: at + 1, reason: { word: 'watch.week', params } };
  }
  return null;
}
