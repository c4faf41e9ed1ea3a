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
import type { DecidedBatch, StatementPart } from './statement-part.ts';

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

const statementParts = [...scopeStatementParts, ...decisionStatementParts, ...runbookStatementParts];
const noneStoredOrWaiting = `not exists (select 1 from known where original is not null)
        and not exists (select 1 from message_pending)`;
const batchCte = 'select $1::uuid as space_id, $2::timestamptz as now';

/**
 * Stores a batch and returns the deliveries leased to this process. Throws if a message was already taken by
 * another batch.
 */
export async function storeDecisions(db: Queryable, decided: DecidedBatch): Promise<NewDeliveryJob[]> {
  const statement = prepareStatement(decided, {
    name: 'apply',
    text: `given as (
      ${batchCte}
    ), taken as (
      delete from message_pending where seq = any((select $3::bigint[])::bigint[]) returning seq
    )`,
    taken: '(select count(*)::int from taken)',
    values: [decided.seqs],
  });
  const { taken, jobs } = await runStatement(db, statement);
  if (taken !== decided.seqs.length) throw new OutdatedBatch('a message of this batch was decided elsewhere');
  return jobs;
}

/** The statement that inserts messages that are not stored yet, together with their results. */
export function prepareArrivals(decided: DecidedBatch, arrivals: readonly Arrived[]): PreparedStatement {
  return prepareStatement(decided, {
    name: 'store-and-decide',
    text: `${arrivedCte(3 + journalStepCount)}, ${markedCte(3, noneStoredOrWaiting)}, given as (
      ${batchCte} where exists (select 1 from marked)
    ), ${storedCte('arrived g, given')}`,
    taken: '0',
    values: [...journalStep(arrivals), ...arrivalColumns.toParameters(arrivals)],
  });
}

/**
 * Stores messages with their results and returns the deliveries leased to this process. Returns undefined and stores
 * nothing when one of the messages is a duplicate, others are waiting, or they do not continue their journal.
 */
export async function storeArrivalsWithDecisions(
  db: Queryable,
  statement: PreparedStatement,
): Promise<NewDeliveryJob[] | undefined> {
  const { done, jobs } = await runStatement(db, statement);
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

/** A statement that is complete except for its deliveries, which are leased when it is sent. */
export interface PreparedStatement extends Omit<StatementHead, 'text'> {
  decided: DecidedBatch;
  texts: readonly string[];
  /** Codes of the parts it contains. */
  codes: string;
}

/**
 * The statement contains only the parts this batch needs: executing all of them costs more than writing the
 * results of a single message. There are few combinations, and each keeps its plan.
 */
function prepareStatement(
  decided: DecidedBatch,
  { name, text, taken, values }: StatementHead,
): PreparedStatement {
  const begun = { name, taken, decided, texts: [text], codes: '' };
  return statementParts.reduce(withPart, { ...begun, values: [decided.spaceId, decided.now, ...values] });
}

function withPart(statement: PreparedStatement, part: StatementPart): PreparedStatement {
  const made = part.build(statement.decided);
  if (!made) return statement;
  return {
    ...statement,
    texts: [...statement.texts, made.text(statement.values.length + 1)],
    codes: statement.codes + part.code,
    values: [...statement.values, ...made.values],
  };
}

async function runStatement(db: Queryable, prepared: PreparedStatement): Promise<StoreResult> {
  const { name, taken, texts, codes, values } = withPart(prepared, firingStatementPart);
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
    values,
  );
  return rows[0]!;
}
