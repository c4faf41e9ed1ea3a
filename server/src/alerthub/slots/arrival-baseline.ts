// Predicts from the hourly counts of past weeks when the next message of a receive slot is due.
import type { Reason } from '@yagura/core/alerthub/decision-log';

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
  const found = [regularInterval(busy, now), weeklyPattern(counts, known, now)].filter((one) => one !== null);
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

/** The first run of full hours after now that was busy in each of the past weeks. */
function weeklyPattern(counts: ReadonlyMap<number, number>, known: number, now: number): Deadline | null {
  const weeks = Math.min(Math.floor((known + 1) / hoursPerWeek), baselineWeeks);
  if (weeks < minWeeks) return null;
  const sums = new Array<number>(weeks).fill(0);
  for (let at = now + 1; at <= now + hoursPerWeek; at++) {
    for (const index of sums.keys()) sums[index]! += counts.get(at - (index + 1) * hoursPerWeek) ?? 0;
    const least = Math.min(...sums);
    if (least < minInWindow) continue;
    const window = (at - now) * 3600;
    const params = { window, weeks, least, most: Math.max(...sums) };
    return { hour: at + 1, reason: { word: 'watch.week', params } };
  }
  return null;
}
