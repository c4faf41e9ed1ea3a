// What a final response, or its absence, says about a call and its trunk.
import type { CallFailure } from './user-agent.ts';

export interface Outcome {
  /** Status of the final response; undefined if there was none. */
  status: number | undefined;
  /** A provisional response other than 100 was received. */
  progressed: boolean;
}

/** Statuses of a trunk that cannot take the call, or is itself at fault; the next one may take it. */
const awayStatuses = new Set([401, 407, 408, 500, 502, 503, 504]);

const failures = new Map<number, CallFailure>([
  ...each([486, 600], 'busy'),
  ...each([480, 487], 'noAnswer'),
  ...each([404, 410, 484, 604], 'wrongNumber'),
  ...each([403, 603, 607, 608], 'rejected'),
  ...each([429], 'rateLimited'),
  ...each([401, 407, 503], 'trunkAway'),
]);

function each(statuses: readonly number[], failure: CallFailure): [number, CallFailure][] {
  return statuses.map((status) => [status, failure]);
}

/** Why the call failed. */
export function failureOf({ status, progressed }: Outcome): CallFailure {
  if (status === undefined) return progressed ? 'unreachable' : 'trunkAway';
  if (status === 408) return progressed ? 'noAnswer' : 'unreachable';
  return failures.get(status) ?? 'unreachable';
}

/** Whether the next trunk is tried; never once a phone may have rung. */
export function triesNextTrunk({ status, progressed }: Outcome): boolean {
  return !progressed && (status === undefined || awayStatuses.has(status));
}
