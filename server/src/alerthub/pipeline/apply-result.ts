// Applies the results of a batch to state that was loaded before they were stored.
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';

interface LoadedState {
  /** The scopes whose severities were loaded. */
  scopeIds: ReadonlySet<string>;
  /** Severities by scope and name, least recently changed first. */
  state: Map<string, Map<string, number>>;
  /** Contributions by scope, name and fingerprint; other scopes than those that were loaded have no entry. */
  contributions: ReadonlyMap<string, Map<string, Map<string, number>>>;
}

type ChangedState = Pick<
  BatchResult,
  'severities' | 'evictedSeverities' | 'contributions' | 'clearedContributions'
>;

/** Changes the state to what would be loaded after the results are stored. */
export function applyResult({ scopeIds, state, contributions }: LoadedState, result: ChangedState): void {
  for (const { scopeId, name } of result.evictedSeverities) state.get(scopeId)?.delete(name);
  for (const { scopeId, name, value } of result.severities) {
    if (!scopeIds.has(scopeId)) continue;
    const values = state.get(scopeId) ?? new Map<string, number>();
    state.set(scopeId, values);
    values.delete(name);
    values.set(name, value);
  }
  for (const { scopeId, name } of result.clearedContributions) contributions.get(scopeId)?.delete(name);
  for (const { scopeId, name, fingerprint, value } of result.contributions) {
    const ofScope = contributions.get(scopeId);
    if (!ofScope) continue;
    const own = ofScope.get(name) ?? new Map<string, number>();
    ofScope.set(name, own);
    if (value > 0) own.set(fingerprint, value);
    else own.delete(fingerprint);
  }
}
