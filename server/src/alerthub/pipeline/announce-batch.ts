// Announces a stored batch: hands its leased deliveries to the sender and publishes the changes of its
// resources.
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { EvaluatedBatch } from './evaluate-batch.ts';
import type { NewDeliveryJob } from './statements/decision-store.ts';

/** To be called after the commit; `jobs` are the deliveries leased to this process. */
export function announceBatch(
  { deliveries, changes }: { deliveries: Deliveries; changes: ChangeBus },
  batch: EvaluatedBatch,
  jobs: NewDeliveryJob[],
): void {
  const { spaceId, now, result } = batch;
  const requests = new Map(result.firings.map((firing) => [firing.actionRecordId, firing]));
  deliveries.enqueue(
    jobs.map((job) => {
      const firing = requests.get(job.actionRecordId)!;
      return { jobId: job.id, attempt: 1, spaceId, createdAt: now, ...firing };
    }),
    jobs.length < result.firings.length,
  );
  changes.publish(changesOf(batch));
}

function changesOf({ spaceId, now, taken, result, progress }: EvaluatedBatch): Change[] {
  const about = (resource: string, id: string, op: 'create' | 'update'): Change => ({
    spaceId,
    resource,
    id,
    op,
    at: now,
  });
  return [
    ...taken.decisions.map((message) => about('message', message.messageId, 'update')),
    ...result.createdScopes.map(({ scope }) => about('scope', scope.source.scopeId, 'create')),
    ...result.events.map((event) => ({ ...about('event', event.eventId, 'create'), scope: event.scopeId })),
    ...result.updatedEvents.map(({ eventId }) => about('event', eventId, 'update')),
    ...result.scopes.map((scope) => ({ ...about('scope', scope.scopeId, 'update'), state: true as const })),
    ...result.runbookStarts.map((start) => about('runbook-record', start.runbookRecordId, 'create')),
    ...progress.map((one) => ({
      ...about('runbook-record', one.runbookRecordId, 'update'),
      state: true as const,
    })),
    ...result.firings.map((firing) => about('action-record', firing.actionRecordId, 'create')),
  ];
}
