// The path from a severity change on: its event, the new status, the triggers of the scope and what they fire.
import { overflowName } from '../severity-name.ts';
import type { Reason } from '../why.ts';
import type { Batch, EventRow, Origin } from './batch.ts';
import { checkTrigger } from './pursue.ts';
import { reason } from './reason.ts';
import type { EventChange } from './rule.ts';

/** What became of a change: its event unless it can't be made, and what there is to say of it. */
export interface Applied {
  event: EventRow | undefined;
  note: Reason | undefined;
}

/** Makes the event of a change and asks the triggers. */
export function applySeverityChange(batch: Batch, change: EventChange, origin: Origin): Applied {
  const { scopeId, delta } = change;
  let { severityName } = change;
  const scope = batch.scope(scopeId);
  if (!scope) return { event: undefined, note: reason('why.event.noScope', { scopeId }) };
  let note: Reason | undefined;
  const place = scope.severities.makePlace(severityName);
  if (place === false) {
    const params = { scope: scope.config.source.displayName, name: severityName };
    // Nothing is known to be wrong under that name, so it can't get better.
    if (delta <= 0) return { event: undefined, note: reason('why.event.tooManyNames', params) };
    note = reason('why.event.overflow', { ...params, overflow: overflowName });
    severityName = overflowName;
  } else if (place !== true) {
    scope.named.delete(place.gone);
    scope.gone.add(place.gone);
  }
  scope.gone.delete(severityName);
  const { previousSeverity, severity, statusBefore, status } = scope.severities.apply(severityName, delta);
  scope.named.delete(severityName);
  scope.named.add(severityName);
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
  if (origin.message && scope.config.tellsRelated)
    batch.history.addMessage(scopeId, { ...past, ...origin.message });
  for (const trigger of scope.config.triggers)
    event.triggers.push(checkTrigger(batch, trigger, { event, scope, origin }));
  return { event, note };
}
