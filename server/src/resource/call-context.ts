// Context of a resource's own call: its write is stored together with its audit record, or not at all.
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { IdempotentReply } from './idempotency.ts';
import type { RequestContext, ResourceServices } from './request-context.ts';

export interface CallContext<Services extends ResourceServices = ResourceServices>
  extends RequestContext<Services> {
  /**
   * Stores the audit record of the call within the caller's transaction, as its last statement. A call that does
   * not is recorded after it ran.
   */
  record(tx: Queryable): Promise<void>;
  /** Runs the write of the call in a transaction that also stores its audit record. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * `entry` is the audit record of the call; undefined for a call that is not audited. `reply` notes for repeats of the
 * request that the write is done.
 */
export function createCallContext<Services extends ResourceServices>(
  context: RequestContext<Services>,
  entry: AuditEntry | undefined,
  reply: IdempotentReply,
): { callContext: CallContext<Services>; isRecorded(): boolean } {
  const { audit, database } = context.services;
  let isRecorded = entry === undefined;
  const record = async (tx: Queryable) => {
    await reply.markDone(tx);
    if (entry === undefined) return;
    await audit.write(tx, entry);
    isRecorded = true;
  };
  return {
    callContext: {
      ...context,
      record,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          await record(tx);
          return result;
        }),
    },
    isRecorded: () => isRecorded,
  };
}
