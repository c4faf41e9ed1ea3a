// Wide times: times of day whose hours may exceed 23, such as 25:30 for half past one at night.
import type { Refusal } from './refusal.ts';

/** Both ends count themselves and are wide times. */
export interface WideTimeLimits {
  minWideTime?: string;
  maxWideTime?: string;
}

/** Seconds since the start of the day, or undefined: at least two (at most six) digits of hours, minutes and seconds 0 to 59. */
export function wideTimeSeconds(text: string): number | undefined {
  const found = /^(\d{2,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (!found) return undefined;
  return Number(found[1]) * 3600 + Number(found[2]) * 60 + Number(found[3] ?? 0);
}

export function isWideTime(text: string): boolean {
  return wideTimeSeconds(text) !== undefined;
}

/** Refuses what is no wide time or lies outside the limits. */
export function checkWideTime(text: string, limits: WideTimeLimits = {}): Refusal | undefined {
  const seconds = wideTimeSeconds(text);
  if (seconds === undefined) return { word: 'rule.wideTime' };
  const min = limits.minWideTime === undefined ? undefined : wideTimeSeconds(limits.minWideTime);
  const max = limits.maxWideTime === undefined ? undefined : wideTimeSeconds(limits.maxWideTime);
  if (min !== undefined && seconds < min) return { word: 'rule.wideTimeMin', min: limits.minWideTime };
  if (max !== undefined && seconds > max) return { word: 'rule.wideTimeMax', max: limits.maxWideTime };
  return undefined;
}
