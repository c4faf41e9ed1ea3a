/** Milliseconds before the first new attempt, and at most between two. */
const firstMs = 500;
export const maxBackoffMs = 30_000;

/** Doubles with each failed attempt; half of it is random, so that agents do not return all at once. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.min(maxBackoffMs, firstMs * 2 ** Math.min(attempt, 16)) * (0.5 + 0.5 * random());
}
