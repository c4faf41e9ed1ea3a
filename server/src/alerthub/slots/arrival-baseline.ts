// When the next message of a receive slot is due, judged by the counts of its past weeks alone.
import type { Reason } from '@yagura/core/alerthub/decision-log';

/** Messages that arrived in the hour of UTC that began `at`, milliseconds since 1970. */
export interface HourlyCount {
  at: number;
  received: number;
}

export interface Expectation {
  state: 'expected' | 'learning' | 'irregular';
  /** Milliseconds since 1970; null when nothing can be said. */
  expectedBy: number | null;
  reason: Reason;
}

const hourMs = 3_600_000;
const hoursPerWeek = 168;
/** Weeks that are looked back. */
export const baselineWeeks = 4;
const minWeeks = 3;
/** So many in the same hours of every week: that none should come by chance is then out of the question. */
const minInWindow = 8;
const minGaps = 8;
/** The longest wait of a regular sender, as a multiple of the usual one. */
const maxIntervalRatio = 1.5;

/**
 * `base` is the last message, or the later moment from which silence counts. Two habits are known: a beat that hardly
 * varies, and a week whose same hours are always busy. The one that misses a message earlier counts.
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
  /** Number of the hour since 1970 that begins when the message is missed. */
  hour: number;
  reason: Reason;
}

/** Hours with messages that follow one another at nearly the same distance, over a week or more. */
function regularInterval(busy: readonly number[], now: number): Deadline | null {
  const recent = busy.filter((at) => at > now - baselineWeeks * hoursPerWeek);
  const gaps = recent.slice(1).map((at, index) => at - recent[index]!);
  if (gaps.length < minGaps || recent.at(-1)! - recent[0]! < hoursPerWeek) return null;
  const sorted = [...gaps].sort((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const maxLength = sorted.at(-1)!;
  if (maxLength > usual * maxIntervalRatio) return null;
  // Counts know hours only: the message may come at the end of the hour in which it is due.
  const due = now + maxLength + Math.ceil(maxLength / 4) + 1;
  return {
    hour: due,
    reason: { word: 'watch.beat', params: { usual: usual * 3600, longest: maxLength * 3600 } },
  };
}

/** The first run of whole hours after now that was busy in each of the past weeks. */
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
