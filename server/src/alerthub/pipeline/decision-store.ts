// Writes what was decided, all of it or nothing, in one statement.
import type { Queryable } from '../../db/database.ts';
import { OutdatedBatch } from '../../jobs/poison-row-guard.ts';
import {
  type ArrivalRow as Arrived,
  arrivalColumns,
  arrivedCte,
  lastJournalSequence,
  storedCte,
} from '../intake/store-arrivals.ts';
import { decisionStatementParts } from './decision-statement-parts.ts';
import { firingStatementPart } from './firing-statement-part.ts';
import { runbookStatementParts } from './runbook-statement-parts.ts';
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

const statementParts = [...decisionStatementParts, ...runbookStatementParts, firingStatementPart];
const batchCte = 'select $1::uuid as space_id, $2::timestamptz as now';

/** Applies a batch and gives the deliveries that are leased to this process. Throws when a message was taken before. */
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
 * The same for messages that are not in the store yet, which it puts there with what was decided about them. Undefined,
 * and nothing is stored, when one of them repeats a message or when others wait for their decision.
 */
export async function storeArrivalsWithDecisions(
  db: Queryable,
  decided: DecidedBatch,
  arrivals: readonly Arrived[],
): Promise<NewDeliveryJob[] | undefined> {
  const { done, jobs } = await runStatement(db, decided, {
    name: 'store-and-decide',
    text: `${arrivedCte(4)}, given as (
      ${batchCte}
      where not exists (select 1 from known where original is not null) and not exists (select 1 from message_pending)
    ), ${storedCte('arrived g, given')}, marked as (
      update intake_mark set place = $3::bigint where exists (select 1 from given)
    )`,
    taken: '0',
    values: [lastJournalSequence(arrivals), ...arrivalColumns.toParameters(arrivals)],
  });
  return done === 1 ? jobs : undefined;
}

/** What the statement begins with: \`given\` as the parts read it, and parameters from $3 on. */
interface StatementHead {
  name: string;
  text: string;
  /** How many messages were taken out of the line. */
  taken: string;
  values: unknown[];
}

/**
 * The statement has the parts that this batch needs and no others: starting all of them costs more than writing what a
 * single message makes. Few combinations come up, and each keeps its plan.
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
