/** Schedules retries of failed deliveries: exponential backoff with full jitter, for one day. */
import type { Clock } from '../common/clock.ts';
import type { SendResult } from './send-result.ts';

const firstWaitSeconds = 5;
const maxWaitSeconds = 3600;
const lifetimeSeconds = 24 * 3600;

export interface BackoffInput {
  /** Attempts made so far, starting at 1. */
  attempt: number;
  /** Start of the first attempt, ISO 8601. */
  firstAt: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Delay requested by the target, if any; at most one hour is honored. */
  retryAfterSeconds?: number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
}

/**
 * Returns the time of the next attempt (ISO 8601), or null if it would be more than 24 hours after the first.
 * The delay is random between 0 and 5 s, 10 s, 20 s ... one hour (full jitter spreads deliveries that failed
 * together), but not shorter than the target requested; up to a tenth is added to that for the same reason.
 */
export function nextAttemptAt({
  attempt,
  firstAt,
  now,
  retryAfterSeconds = 0,
  random,
}: BackoffInput): string | null {
  const share = random();
  const ceiling = Math.min(firstWaitSeconds * 2 ** (attempt - 1), maxWaitSeconds);
  const requested = Math.min(Math.max(retryAfterSeconds, 0), maxWaitSeconds);
  const wait = Math.max(ceiling * share, requested * (1 + share / 10));
  const at = now + Math.ceil(wait * 1000);
  return at > Date.parse(firstAt) + lifetimeSeconds * 1000 ? null : new Date(at).toISOString();
}

/**
 * Returns when an attempt is retried (ISO 8601); null after a success, or if a retry is pointless or too
 * late.
 */
export function retryAt(
  result: SendResult,
  attempts: Pick<BackoffInput, 'attempt' | 'firstAt'>,
  { clock, random }: { clock: Clock; random: () => number },
): string | null {
  if (result.outcome === 'succeeded' || !result.retry) return null;
  return nextAttemptAt({
    ...attempts,
    now: clock.now(),
    retryAfterSeconds: result.retryAfterSeconds ?? 0,
    random,
  });
}
