// Applies a severity change: creates its event, updates the status and evaluates the triggers of the scope.

import type { Reason } from '../../decision-log.ts';
import { overflowSeverityName } from '../../scope-status.ts';
import { reason } from '../errors/decision-reason.ts';
import type { SeverityChange } from '../evaluation/evaluate-rule.ts';
import type { Batch, EventOrigin, EventRow } from './batch.ts';
import { processTrigger } from './run-trigger.ts';

/** Result of a change: its event unless it cannot be created, and a note. */
export interface SeverityChangeResult {
  event: EventRow | undefined;
  note: Reason | undefined;
}

/** Creates the event of a change and evaluates the triggers. */
export function applySeverityChange(
  batch: Batch,
  change: SeverityChange,
  origin: EventOrigin,
): SeverityChangeResult {
  const { scopeId, delta } = change;
  let { severityName } = change;
  const scope = batch.scope(scopeId);
  if (!scope) return { event: undefined, note: reason('why.event.noScope', { scopeId }) };
  let note: Reason | undefined;
  const reservation = scope.severities.reserveName(severityName);
  if (reservation === false) {
    const params = { scope: scope.config.source.displayName, name: severityName };
    // A severity that is not tracked counts as 0 and cannot decrease.
    if (delta <= 0) return { event: undefined, note: reason('why.event.tooManyNames', params) };
    note = reason('why.event.overflow', { ...params, overflow: overflowSeverityName });
    severityName = overflowSeverityName;
  } else if (reservation !== true) {
    scope.changedNames.delete(reservation.evicted);
    scope.evictedNames.add(reservation.evicted);
  }
  scope.evictedNames.delete(severityName);
  const { previousSeverity, severity, statusBefore, status } = scope.severities.apply(severityName, delta);
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
