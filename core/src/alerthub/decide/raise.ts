// The path from a severity change on: its event, the new status, the triggers of the scope and what they fire.
import type { Reason } from '../why.ts';
import type { Batch, EventRow, Origin } from './batch.ts';
import { askTrigger } from './pursue.ts';
import { reason } from './reason.ts';
import type { EventChange } from './rule.ts';

/** Makes the event of a change and asks the triggers; a change that can't be made comes back as the reason. */
export function apply(batch: Batch, change: EventChange, origin: Origin): Reason | undefined {
  const { scopeId, severityName, delta } = change;
  const scope = batch.scope(scopeId);
  if (!scope) return reason('why.event.noScope', { scopeId });
  if (!scope.severities.takes(severityName)) {
    return reason('why.event.tooManyNames', { scope: scope.config.source.displayName, name: severityName });
  }
  const { previousSeverity, severity, statusBefore, status } = scope.severities.apply(severityName, delta);
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
    event.triggers.push(askTrigger(batch, trigger, { event, scope, origin }));
  return undefined;
}
