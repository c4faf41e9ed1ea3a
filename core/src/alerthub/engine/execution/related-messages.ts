// Collects the related messages of one firing from the history of its scope.

import { boundedJson } from '../data/bounded-json.ts';
import type { CompiledTrigger } from '../evaluation/evaluate-trigger.ts';
import type { Batch, EventRow } from './batch.ts';

/** Maximum number of related messages passed to an action; the latest ones are kept. */
export const maxRelatedMessages = 100;
/** Maximum length as JSON, so that they fit into a runbook record. */
const maxRelatedLength = 65_536;

/**
 * Messages of the events in the trigger's windows that pass its filters, oldest first, including the event's
 * own message.
 */
export function collectRelatedMessages(
  batch: Batch,
  trigger: CompiledTrigger,
  event: EventRow,
  own: { messageId: string; view: Record<string, unknown> } | undefined,
): Record<string, unknown>[] {
  const { source, related, lookBackSeconds, lookAheadSeconds } = trigger;
  const at = Date.parse(event.createdAt);
  const origin = {
    delta: event.delta,
    before: event.previousSeverity,
    latest: event.severity,
    severityName: event.severityName,
  };
  const found = new Map<string, { at: number; view: Record<string, unknown> }>();
  for (const past of batch.history.messagesOf(source.scopeId, at - lookBackSeconds * 1000)) {
    const isWithin = past.at >= at - lookBackSeconds * 1000 && past.at <= at + lookAheadSeconds * 1000;
    if (!isWithin || found.has(past.messageId)) continue;
    if (related.every((test) => test(past, origin))) found.set(past.messageId, past);
  }
  if (own) found.set(own.messageId, { at, view: own.view });
  const inOrder = [...found].sort(([, left], [, right]) => left.at - right.at);
  const others = own ? maxRelatedMessages - 1 : maxRelatedMessages;
  const latest = new Set(
    inOrder
      .filter(([messageId]) => messageId !== own?.messageId)
      .slice(-others)
      .map(([messageId]) => messageId),
  );
  const kept = inOrder.filter(([messageId]) => messageId === own?.messageId || latest.has(messageId));
  const views = kept.map(([messageId, { view }]) => ({ messageId, ...view }));
  while (views.length > 1 && !boundedJson(views, maxRelatedLength).isComplete) {
    // Drops the oldest messages first, but never the event's own.
    const at = views.findIndex(({ messageId }) => messageId !== own?.messageId);
    views.splice(at, Math.ceil(views.length / 4));
    if (own && !views.some(({ messageId }) => messageId === own.messageId))
      views.push({ messageId: own.messageId, ...own.view });
  }
  return views;
}
