// Applies a severity change: creates its event, updates the status and evaluates the triggers of the scope.

import type { Reason } from '../../decision-log.ts';
import { overflowSeverityName } from '../../scope-status.ts';
import { type DecisionReasonKey, reason } from '../errors/decision-reason.ts';
import type { SeverityChange } from '../evaluation/evaluate-rule.ts';
import { maxSeverity } from '../state/scope-severities.ts';
import type { Batch, EventOrigin, EventRow, ScopeState } from './batch.ts';
import { processTrigger } from './run-trigger.ts';

/** Result of a change: its event unless it cannot or need not be created, and a note. */
export interface SeverityChangeResult {
  event: EventRow | undefined;
  note: Reason | undefined;
}

/** A change that can be applied: the severity, the requested change, and how the severity then moves. */
interface PreparedChange {
  severityName: string;
  delta: number;
  /** Differs from `delta` if the severity is at its limit. */
  move: number;
  note: Reason | undefined;
}

/** Creates the event of a change and evaluates the triggers. */
export function applySeverityChange(
  batch: Batch,
  change: SeverityChange,
  origin: EventOrigin,
): SeverityChangeResult {
  const { scopeId } = change;
  const scope = batch.scope(scopeId);
  if (!scope) return { event: undefined, note: reason('why.event.noScope', { scopeId }) };
  const prepared = change.set ? prepareSet(scope, change) : prepareAdd(scope, change);
  if ('word' in prepared) {
    if (change.set && change.set.value > 0) scope.isReportedAgain = true;
    return { event: undefined, note: prepared };
  }
  const { severityName, delta, move, note } = prepared;
  scope.evictedNames.delete(severityName);
  const { previousSeverity, severity, statusBefore, status } = scope.severities.apply(severityName, move);
  scope.changedNames.delete(severityName);
  scope.changedNames.add(severityName);
  const event: EventRow = {
    eventId: batch.nextId(),
    scopeId,
    severityName,
    delta,
    previousSeverity,
    severity,
    statusBefore,
    status,
    source: origin.source,
    ruleId: origin.rule?.ruleId ?? null,
    messageId: origin.message?.messageId ?? null,
    createdAt: batch.now,
    ...(origin.cause ? { cause: origin.cause } : {}),
    triggers: [],
  };
  batch.events.push(event);
  const past = { at: batch.nowMs, delta, before: previousSeverity, latest: severity, severityName };
  batch.history.addEvent(scopeId, past);
  if (origin.message && scope.config.usesRelatedMessages)
    batch.history.addMessage(scopeId, { ...past, ...origin.message });
  for (const trigger of scope.config.triggers)
    event.triggers.push(processTrigger(batch, trigger, { event, scope, origin }));
  return { event, note };
}

/** A change by an amount; the reason if there is nothing to change. */
function prepareAdd(
  scope: ScopeState,
  { severityName, delta }: SeverityChange & { delta: number },
): PreparedChange | Reason {
  if (reserveName(scope, severityName)) return { severityName, delta, move: delta, note: undefined };
  const params = { scope: scope.config.source.displayName, name: severityName };
  // A severity that is not tracked counts as 0 and cannot decrease.
  if (delta <= 0) return reason('why.event.tooManyNames', params);
  const note = reason('why.event.overflow', { ...params, overflow: overflowSeverityName });
  return { severityName: overflowSeverityName, delta, move: delta, note };
}

/** A change to a value; the reason if the severity, or the fingerprint in it, already has the value. */
function prepareSet(
  scope: ScopeState,
  { severityName, set: { value, fingerprint } }: SeverityChange & { set: object },
): PreparedChange | Reason {
  const { severities, contributions } = scope;
  const params = { scope: scope.config.source.displayName, name: severityName };
  if (fingerprint === null) {
    const current = severities.valueOf(severityName);
    contributions.clear(severityName);
    if (current === value) return reason('why.event.already', { ...params, value });
    if (!reserveName(scope, severityName))
      return prepareOverflow(scope, severityName, value, 'why.event.overflow');
    return { severityName, delta: value - current, move: value - current, note: undefined };
  }
  const own = contributions.valueOf(severityName, fingerprint);
  if (own === value) return reason('why.event.alreadyFingerprint', { ...params, fingerprint, value });
  if (own === 0 && contributions.isFull)
    return prepareOverflow(scope, severityName, value, 'why.event.tooManyFingerprints');
  if (!reserveName(scope, severityName))
    return prepareOverflow(scope, severityName, value, 'why.event.overflow');
  const current = severities.valueOf(severityName);
  const sum = contributions.sumOf(severityName);
  // What the severity has besides its contributions; at the limit it cannot be less than nothing.
  const base = current === maxSeverity ? Math.max(current - sum, 0) : current - sum;
  const next = Math.min(Math.max(base + sum - own + value, 0), maxSeverity);
  contributions.set(severityName, fingerprint, value);
  const note = reason('why.event.fingerprint', { ...params, fingerprint, before: own, value });
  return { severityName, delta: value - own, move: next - current, note };
}

/**
 * A value that cannot be tracked raises the overflow severity to it, at least to warning. Repeating it changes
 * nothing.
 */
function prepareOverflow(
  scope: ScopeState,
  name: string,
  value: number,
  messageKey: DecisionReasonKey,
): PreparedChange | Reason {
  const { displayName, thresholds } = scope.config.source;
  const note = reason(messageKey, { scope: displayName, name, overflow: overflowSeverityName });
  const delta = Math.max(value, thresholds.warning) - scope.severities.valueOf(overflowSeverityName);
  return delta <= 0 ? note : { severityName: overflowSeverityName, delta, move: delta, note };
}

/** Makes room for a severity name; false if the scope is full. */
function reserveName(scope: ScopeState, severityName: string): boolean {
  const reservation = scope.severities.reserveName(severityName);
  if (typeof reservation === 'boolean') return reservation;
  scope.changedNames.delete(reservation.evicted);
  scope.evictedNames.add(reservation.evicted);
  scope.contributions.clear(reservation.evicted);
  return true;
}
