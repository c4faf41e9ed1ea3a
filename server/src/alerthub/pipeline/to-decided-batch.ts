// Converts the results of a batch into the rows to store: recovery times, hourly counts and sealed
// deliveries.
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import { recoveryTimes } from '@yagura/core/alerthub/engine/execution/recovery-times';
import { isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { type Sealing, sealRequest } from '../../resource/sealing/sealed-fields.ts';
import type { EvaluatedBatch } from './evaluate-batch.ts';
import { countHours } from './statements/count-hours.ts';
import type { DecidedBatch } from './statements/statement-part.ts';

export interface StorageDeps {
  nextId: NextId;
  /** Seals the credentials in stored deliveries. */
  sealing: Sealing;
  deliveries: { lease(spaceId: string): ReturnType<DecidedBatch['lease']> };
}

/** The batch in its form for storage. */
export function toDecidedBatch(
  { nextId, sealing, deliveries }: StorageDeps,
  { spaceId, now, config, taken, result, progress }: EvaluatedBatch,
): DecidedBatch {
  const recoveryAt = new Map<string, string | null>();
  for (const [scopeId, at] of recoveryTimes(config, result, Date.parse(now)))
    recoveryAt.set(scopeId, at === null ? null : isoTime(at));
  return {
    spaceId,
    now,
    seqs: taken.seqs,
    messages: taken.decisions,
    counts: countHours(taken.messages, taken.decisions),
    result: withSealedRequests(sealing, spaceId, result),
    recoveryAt,
    progress,
    lease: () => deliveries.lease(spaceId),
    nextId,
  };
}

/** Returns the result with the credentials in requests sealed. */
function withSealedRequests(sealing: Sealing, spaceId: string, result: BatchResult): BatchResult {
  const firings = result.firings.map((firing) => ({
    ...firing,
    request: sealRequest(sealing, spaceId, firing.request),
  }));
  return { ...result, firings };
}
