/** When a failed delivery is tried again: exponential waits with full jitter, for a day. */
import type { Clock } from '../common/clock.ts';
import type { SendResult } from './send-result.ts';

const firstWaitSeconds = 5;
const maxWaitSeconds = 3600;
const lifetimeSeconds = 24 * 3600;

export interface BackoffInput {
  /** Attempts made so far, from 1. */
  attempt: number;
  /** When the first attempt began, ISO 8601. */
  firstAt: string;
  /** Milliseconds since 1970. */
  now: number;
  /** What the target asked for, if it did; at most an hour is honoured. */
  retryAfterSeconds?: number;
  /** A number from 0 to 1, 1 excluded. */
  random: () => number;
}

/**
 * Time of the next attempt, ISO 8601, or null when it would come later than 24 hours after the first.
 * The wait is drawn from 0 to 5 s, 10 s, 20 s ... one hour (full jitter spreads many deliveries that failed together),
 * and never shorter than what the target asked for, to which a tenth at most is added for the same reason.
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

/** When what came of an attempt is tried again, ISO 8601; null after a success, or when trying again can't help or comes too late. */
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
