// Collects the related messages of one firing from the history of its scope.

import { boundedJson } from '../data/bounded-json.ts';
import type { CompiledTrigger } from '../evaluation/evaluate-trigger.ts';
import type { Batch, EventRow } from './batch.ts';

/** Maximum number of related messages passed to an action; the latest ones are kept. */
export const maxRelatedMessages = 100;
/** Maximum length as JSON, with the separators of the list, so that they fit into a runbook record. */
const maxRelatedLength = 65_534;

export interface RelatedMessages {
  /** Oldest first. */
  messages: Record<string, unknown>[];
  /** Whether older or large messages were left out. */
  isTruncated: boolean;
}

/**
 * Messages of the events in the trigger's windows that pass its filters, including the event's own message.
 * The latest ones that fit are kept, and always the event's own.
 */
export function collectRelatedMessages(
  batch: Batch,
  trigger: CompiledTrigger,
  event: EventRow,
  own: { messageId: string; view: Record<string, unknown> } | undefined,
): RelatedMessages {
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
    const isOwn = past.messageId === own?.messageId;
    if (isOwn || related.every((test) => test(past, origin))) found.set(past.messageId, past);
  }
  // The history leaves out large messages.
  if (own && !found.has(own.messageId)) found.set(own.messageId, { at, view: own.view });
  const inOrder = [...found].sort(([, left], [, right]) => left.at - right.at);
  const views = inOrder.map(([messageId, { view }]) => ({ messageId, ...view }));
  const messages = keepLatest(views, own?.messageId);
  const isTruncated = messages.length < views.length || batch.history.leavesOutMessages(source.scopeId);
  return { messages, isTruncated };
}

/** The latest messages within both limits, in order; `ownId` is always one of them. */
function keepLatest<T extends { messageId: string }>(views: readonly T[], ownId: string | undefined): T[] {
  const kept = new Set(views.filter(({ messageId }) => messageId === ownId));
  let length = [...kept].reduce((sum, view) => sum + lengthOf(view), 0);
  for (const view of views.toReversed()) {
    if (kept.has(view)) continue;
    length += lengthOf(view);
    if (kept.size >= maxRelatedMessages || length > maxRelatedLength) break;
    kept.add(view);
  }
  return views.filter((view) => kept.has(view));
}

/** Length as JSON in a list. */
function lengthOf(view: object): number {
  return boundedJson(view, maxRelatedLength).text.length + 1;
}
