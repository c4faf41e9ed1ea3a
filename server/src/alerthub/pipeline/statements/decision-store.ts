// Stores a batch of evaluation results atomically, in one statement.
import type { Queryable } from '../../../db/database.ts';
import { OutdatedBatch } from '../../../jobs/poison-row-guard.ts';
import type { ArrivalRow as Arrived } from '../../arrivals/arrival.ts';
import {
  arrivalColumns,
  arrivedCte,
  journalStep,
  journalStepCount,
  markedCte,
  storedCte,
} from '../../intake/store-arrivals.ts';
import { decisionStatementParts } from './decision-statement-parts.ts';
import { firingStatementPart } from './firing-statement-part.ts';
import { runbookStatementParts } from './runbook-statement-parts.ts';
import { scopeStatementParts } from './scope-statement-parts.ts';
import type { DecidedBatch } from './statement-part.ts';

export interface NewDeliveryJob {
  id: string;
  actionRecordId: string;
}

interface StoreResult {
  taken: number;
  /** 1 when anything was stored. */
  done: number;
  jobs: NewDeliveryJob[];
}

const statementParts = [
  ...scopeStatementParts,
  ...decisionStatementParts,
  ...runbookStatementParts,
  firingStatementPart,
];
const noneStoredOrWaiting = `not exists (select 1 from known where original is not null)
        and not exists (select 1 from message_pending)`;
const batchCte = 'select $1::uuid as space_id, $2::timestamptz as now';

/**
 * Stores a batch and returns the deliveries leased to this process. Throws if a message was already taken by
 * another batch.
 */
export async function storeDecisions(db: Queryable, decided: DecidedBatch): Promise<NewDeliveryJob[]> {
  const { taken, jobs } = await runStatement(db, decided, {
    name: 'apply',
    text: `given as (
      ${batchCte}
    ), taken as (
      delete from message_pending where seq = any((select $3::bigint[])::bigint[]) returning seq
    )`,
    taken: '(select count(*)::int from taken)',
    values: [decided.seqs],
  });
  if (taken !== decided.seqs.length) throw new OutdatedBatch('a message of this batch was decided elsewhere');
  return jobs;
}

/**
 * The same for messages that are not stored yet: inserts them together with their results. Returns undefined
 * and stores nothing when one of them is a duplicate, other messages are waiting, or they do not continue their
 * journal.
 */
export async function storeArrivalsWithDecisions(
  db: Queryable,
  decided: DecidedBatch,
  arrivals: readonly Arrived[],
): Promise<NewDeliveryJob[] | undefined> {
  const { done, jobs } = await runStatement(db, decided, {
    name: 'store-and-decide',
    text: `${arrivedCte(3 + journalStepCount)}, ${markedCte(3, noneStoredOrWaiting)}, given as (
      ${batchCte} where exists (select 1 from marked)
    ), ${storedCte('arrived g, given')}`,
    taken: '0',
    values: [...journalStep(arrivals), ...arrivalColumns.toParameters(arrivals)],
  });
  return done === 1 ? jobs : undefined;
}

/** Start of the statement: `given` as read by the parts, followed by parameters from $3 on. */
interface StatementHead {
  name: string;
  text: string;
  /** Number of messages removed from the queue. */
  taken: string;
  values: unknown[];
}

/**
 * The statement contains only the parts this batch needs: executing all of them costs more than writing the
 * results of a single message. There are few combinations, and each keeps its plan.
 */
async function runStatement(
  db: Queryable,
  decided: DecidedBatch,
  { name, text, taken, values }: StatementHead,
): Promise<StoreResult> {
  const all = [decided.spaceId, decided.now, ...values];
  const texts = [text];
  let codes = '';
  for (const part of statementParts) {
    const made = part.build(decided);
    if (!made) continue;
    codes += part.code;
    texts.push(made.text(all.length + 1));
    all.push(...made.values);
  }
  const jobs = codes.includes(firingStatementPart.code)
    ? `(select coalesce(json_agg(json_build_object('id', id::text, 'actionRecordId', action_record_id)), '[]'::json)
        from queued where locked_by is not null)`
    : "'[]'::json";
  const { rows } = await db.query<StoreResult>(
    {
      name: codes === '' ? name : `${name}-${codes}`,
      text: `with ${texts.join(', ')}
    select ${taken} as taken, (select count(*)::int from given) as done, ${jobs} as jobs`,
    },
    all,
  );
  return rows[0]!;
}
