// The path from a severity change on: its event, the new status, the triggers of the scope and what they fire.

import type { Reason } from '../../decision-log.ts';
import { overflowSeverityName } from '../../scope-status.ts';
import { reason } from '../errors/decision-reason.ts';
import type { SeverityChange } from '../evaluation/evaluate-rule.ts';
import type { Batch, EventOrigin, EventRow } from './batch.ts';
import { processTrigger } from './run-trigger.ts';

/** What became of a change: its event unless it can't be made, and what there is to say of it. */
export interface SeverityChangeResult {
  event: EventRow | undefined;
  note: Reason | undefined;
}

/** Makes the event of a change and asks the triggers. */
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
    // Nothing is known to be wrong under that name, so it can't get better.
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
