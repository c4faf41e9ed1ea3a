// Gathers the related messages of one firing from the history of its scope.
import type { Batch, EventRow } from './batch.ts';
import { jsonText } from './json-text.ts';
import type { CompiledTrigger } from './trigger.ts';

/** Related messages that an action is told of; of more the latest ones. */
export const maxRelated = 100;
/** Their length as JSON, so that a runbook's record can keep them. */
const maxLength = 65_536;

/** The messages behind events of the trigger's windows that pass its filters, oldest first, the event's own among them. */
export function relatedMessages(
  batch: Batch,
  trigger: CompiledTrigger,
  event: EventRow,
  own: { messageId: string; view: Record<string, unknown> } | undefined,
): Record<string, unknown>[] {
  const { source, related, pastSeconds, lateSeconds } = trigger;
  const at = Date.parse(event.createdAt);
  const origin = {
    delta: event.delta,
    before: event.previousSeverity,
    latest: event.severity,
    severityName: event.severityName,
  };
  const found = new Map<string, { at: number; view: Record<string, unknown> }>();
  for (const past of batch.history.messagesOf(source.scopeId, at - pastSeconds * 1000)) {
    const isWithin = past.at >= at - pastSeconds * 1000 && past.at <= at + lateSeconds * 1000;
    if (!isWithin || found.has(past.messageId)) continue;
    if (related.every((test) => test(past, origin))) found.set(past.messageId, past);
  }
  if (own) found.set(own.messageId, { at, view: own.view });
  const inOrder = [...found].sort(([, left], [, right]) => left.at - right.at);
  const others = own ? maxRelated - 1 : maxRelated;
  const latest = new Set(
    inOrder
      .filter(([messageId]) => messageId !== own?.messageId)
      .slice(-others)
      .map(([messageId]) => messageId),
  );
  const kept = inOrder.filter(([messageId]) => messageId === own?.messageId || latest.has(messageId));
  const views = kept.map(([messageId, { view }]) => ({ messageId, ...view }));
  while (views.length > 1 && !jsonText(views, maxLength).whole) {
    // The oldest go first; the event's own message stays.
    const at = views.findIndex(({ messageId }) => messageId !== own?.messageId);
    views.splice(at, Math.ceil(views.length / 4));
    if (own && !views.some(({ messageId }) => messageId === own.messageId))
      views.push({ messageId: own.messageId, ...own.view });
  }
  return views;
}
