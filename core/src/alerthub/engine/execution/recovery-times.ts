// When scopes recover automatically after what a batch did.
import type { CompiledConfig } from '../evaluation/compile-config.ts';
import type { BatchResult } from './batch.ts';

/**
 * Returns the time at which each affected scope recovers, in milliseconds since the epoch, or null if it does not. The
 * recovery time counts from the last report of a problem, whether it changed a severity or not.
 */
export function recoveryTimes(
  { scopes }: Pick<CompiledConfig, 'scopes'>,
  result: Pick<BatchResult, 'scopes' | 'reportedAgain'>,
  nowMs: number,
): Map<string, number | null> {
  const times = new Map<string, number | null>();
  const afterNow = (scopeId: string): number | null => {
    const seconds = scopes.get(scopeId)?.source.recoveryTime ?? null;
    return seconds === null ? null : nowMs + seconds * 1000;
  };
  for (const { scopeId, severity } of result.scopes)
    times.set(scopeId, severity === 0 ? null : afterNow(scopeId));
  for (const scopeId of result.reportedAgain) times.set(scopeId, afterNow(scopeId));
  return times;
}
