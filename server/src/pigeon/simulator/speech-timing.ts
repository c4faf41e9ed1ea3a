// Computes the timing of an answered call without a key press.
import { readingPlan } from '@yagura/core/pigeon/call-constants';

/**
 * Seconds to read a message: about seven Japanese or fifteen English characters per second, at least two
 * seconds.
 */
export function readingSeconds(message: string): number {
  let units = 0;
  for (const character of message) units += character.charCodeAt(0) > 0x2e7f ? 2 : 1;
  return Math.max(2, Math.ceil(units / 15));
}

/** Seconds of one round: readings, and a wait for a key. */
export function roundSeconds(message: string): number {
  const { perRound, waitSeconds } = readingPlan;
  return perRound * readingSeconds(message) + waitSeconds;
}

/** Seconds from the answer to the end without a key. */
export function noInputSeconds(message: string): number {
  return readingPlan.rounds * roundSeconds(message);
}

/** Seconds after the answer at which the readings start. */
export function readingStarts(message: string): number[] {
  const { perRound, rounds } = readingPlan;
  return Array.from({ length: rounds * perRound }, (_value, at) => {
    const round = Math.floor(at / perRound);
    return round * roundSeconds(message) + (at - round * perRound) * readingSeconds(message);
  });
}

/** Number of readings started this many seconds after the answer. */
export function readingsStarted(message: string, seconds: number): number {
  const { perRound, rounds } = readingPlan;
  const one = readingSeconds(message);
  const round = roundSeconds(message);
  const whole = Math.min(Math.floor(seconds / round), rounds);
  if (whole === rounds) return rounds * perRound;
  return whole * perRound + Math.min(Math.floor((seconds - whole * round) / one) + 1, perRound);
}
