// Reads, locks and updates chains and their calls in the database.
import type { LineKind } from '@yagura/core/pigeon/result';
import { isoTime } from '../common/clock.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreJson, toStoreText } from '../db/store-json.ts';
import {
  type CallChainState,
  type ChainCall,
  type ChainPlan,
  type ChainStep,
  dueAt,
  initialChainState,
} from './chain-state.ts';

/** A chain that was failed without its plan and state, which may be damaged. */
type FailedChain = Pick<StoredChain, 'resultId' | 'spaceId' | 'callflow' | 'guidance' | 'createdAt'> & {
  state: Omit<CallChainState, 'at' | 'left' | 'decided' | 'abortAsked' | 'call'>;
};

/** What the user requested, as stored on the result. */
export interface NewChain {
  resultId: string;
  spaceId: string;
  callflow: { callflowId: string | null; displayName: string; loopLimit: number };
  guidance: { guidanceId: string | null; displayName: string; messageTemplate: string };
  parameters: Record<string, unknown>;
  plan: ChainPlan;
  line: LineKind;
  source: 'api' | 'trigger';
  /** Idempotency key: the chain is created once, however often the delivery is retried. */
  actionRecordId: string | null;
}

export interface StoredChain {
  resultId: string;
  spaceId: string;
  callflow: NewChain['callflow'];
  guidance: NewChain['guidance'];
  createdAt: string;
  line: LineKind;
  /** The process that holds the call in progress, and its lease end (milliseconds since 1970). */
  owner: string | null;
  leaseUntil: number;
  plan: ChainPlan;
  state: CallChainState;
}

/**
 * Inserts a chain waiting for a line; returns the id of the existing one if the same action record already
 * created it.
 */
export async function insertChain(
  tx: Transaction,
  chain: NewChain,
  now: number,
  startAfter: number | null,
): Promise<string> {
  const { rows } = await tx.query<{ result_id: string }>(
    `insert into pigeon_chain (result_id, space_id, status, callflow, guidance, parameters, message, line, source,
       loop, number_of_calls, plan, state, due_at, action_record_id, created_at, updated_at,
       start_after)
     values ($1, $2, 'waiting', $3, $4, $5, $6, $7, $8, 0, 0, $9, $10, null, $11, $12, $12, $13)
     on conflict (action_record_id) do update set updated_at = pigeon_chain.updated_at returning result_id`,
    [
      chain.resultId,
      chain.spaceId,
      toStoreJson(chain.callflow),
      toStoreJson(chain.guidance),
      toStoreJson(chain.parameters),
      toStoreText(chain.plan.message),
      chain.line,
      chain.source,
      toStoreJson(chain.plan),
      toStoreJson(initialChainState()),
      chain.actionRecordId,
      isoTime(now),
      startAfter === null ? null : isoTime(startAfter),
    ],
  );
  return rows[0]!.result_id;
}

/** The chain that an action record has started. */
export async function findChainOf(db: Queryable, actionRecordId: string): Promise<string | null> {
  const { rows } = await db.query<{ result_id: string }>(
    'select result_id from pigeon_chain where action_record_id = $1',
    [actionRecordId],
  );
  return rows[0]?.result_id ?? null;
}

/** Locks a chain, in any space unless one is given; null when there is none. */
export async function lockChain(
  tx: Transaction,
  resultId: string,
  spaceId?: string,
): Promise<StoredChain | null> {
  const { rows } = await tx.query<Record<string, unknown>>(
    `select result_id, space_id, callflow, guidance, line, owner, lease_until, plan, state, created_at
     from pigeon_chain
     where result_id = $1 and ($2::uuid is null or space_id = $2) for update`,
    [resultId, spaceId ?? null],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    resultId: row.result_id as string,
    spaceId: row.space_id as string,
    callflow: row.callflow as StoredChain['callflow'],
    guidance: row.guidance as StoredChain['guidance'],
    createdAt: row.created_at as string,
    line: row.line as LineKind,
    owner: row.owner as string | null,
    leaseUntil: row.lease_until ? Date.parse(row.lease_until as string) : 0,
    plan: row.plan as ChainPlan,
    state: row.state as CallChainState,
  };
}

/** Writes the changes of a step and the new holder of the call in progress. */
export async function writeStep(
  tx: Transaction,
  chain: StoredChain,
  { state, calls }: ChainStep,
  options: { now: number; line: LineKind; owner: string | null; leaseUntil: number },
): Promise<void> {
  const due = dueAt(state);
  const owner = state.call === null ? null : options.owner;
  await tx.query(
    `update pigeon_chain set status = $2, reason = $3, loop = $4, number_of_calls = $5, key_input = $6, state = $7,
       due_at = $8, started_at = $9, ended_at = $10, line = $11, owner = $12, lease_until = $13, updated_at = $14
     where result_id = $1`,
    [
      chain.resultId,
      state.status,
      state.reason,
      state.loop,
      state.numberOfCalls,
      state.keyInput,
      toStoreJson(state),
      due === null ? null : isoTime(due),
      state.startedAt === null ? null : isoTime(state.startedAt),
      state.endedAt === null ? null : isoTime(state.endedAt),
      options.line,
      owner,
      owner === null ? null : isoTime(options.leaseUntil),
      isoTime(options.now),
    ],
  );
  await writeCalls(tx, chain, calls);
}

/**
 * Fails a chain that cannot continue, without parsing its state; returns what is told of it unless it had
 * already ended.
 */
export async function failChain(db: Queryable, resultId: string, now: number): Promise<FailedChain | null> {
  const { rows } = await db.query<Record<string, unknown>>(
    `with ended as (
       update pigeon_call set status = 'failed', reason = 'interrupted', ended_at = $2
       where result_id = $1 and ended_at is null
     )
     update pigeon_chain set status = 'failed', reason = 'unforeseen', due_at = null, owner = null, lease_until = null,
       ended_at = $2, updated_at = $2,
       state = case when jsonb_typeof(state) = 'object' then state else '{}' end
         || '{"status": "failed", "reason": "unforeseen", "call": null}'
     where result_id = $1 and status not in ('succeeded', 'aborted', 'failed')
     returning space_id, callflow, guidance, created_at, loop, number_of_calls, key_input, started_at`,
    [resultId, isoTime(now)],
  );
  const row = rows[0];
  if (!row) return null;
  const startedAt = row.started_at as string | null;
  return {
    resultId,
    spaceId: row.space_id as string,
    callflow: row.callflow as StoredChain['callflow'],
    guidance: row.guidance as StoredChain['guidance'],
    createdAt: row.created_at as string,
    state: {
      ...{ status: 'failed', reason: 'unforeseen', endedAt: now },
      loop: row.loop as number,
      numberOfCalls: row.number_of_calls as number,
      keyInput: row.key_input as string | null,
      startedAt: startedAt === null ? null : Date.parse(startedAt),
    },
  };
}

/** The calls of a chain in order, as shown on a result. */
export async function callsOf(db: Queryable, resultId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<Record<string, unknown>>(
    `select call_id, loop, contact, phone_number, status, transfer, key_input, behavior, readings, reason,
       started_at, answered_at, ended_at, script from pigeon_call where result_id = $1 order by number`,
    [resultId],
  );
  return rows.map((row) => ({
    callId: row.call_id,
    loop: row.loop,
    contact: row.contact,
    phoneNumber: row.phone_number,
    status: row.status,
    transfer: row.transfer,
    keyInput: row.key_input,
    behavior: row.behavior,
    readings: row.readings,
    reason: row.reason,
    startedAt: row.started_at,
    answeredAt: row.answered_at,
    endedAt: row.ended_at,
    script: row.script,
  }));
}

async function writeCalls(tx: Transaction, chain: StoredChain, calls: readonly ChainCall[]): Promise<void> {
  if (calls.length === 0) return;
  const time = (value: number | null) => (value === null ? null : isoTime(value));
  await tx.query(
    `insert into pigeon_call (call_id, space_id, result_id, number, loop, contact, phone_number, status, transfer,
       key_input, behavior, readings, reason, started_at, answered_at, ended_at, script)
     select call_id, $2, $3, number, loop, contact, phone_number, status, transfer, key_input, behavior, readings,
       reason, started_at, answered_at, ended_at, script
     from jsonb_to_recordset($1::jsonb) as c(call_id uuid, number int, loop int, contact jsonb, phone_number text,
       status text, transfer boolean, key_input text, behavior text, readings int, reason text,
       started_at timestamptz, answered_at timestamptz, ended_at timestamptz, script jsonb)
     on conflict (call_id) do update set status = excluded.status, key_input = excluded.key_input,
       behavior = excluded.behavior, readings = excluded.readings, reason = excluded.reason,
       answered_at = excluded.answered_at, ended_at = excluded.ended_at, script = excluded.script`,
    [
      toStoreJson(
        calls.map((call) => ({
          call_id: call.callId,
          number: call.number,
          loop: call.loop,
          contact: { contactId: call.stop.contactId, displayName: call.stop.displayName },
          phone_number: call.stop.phoneNumber ?? '',
          status: call.status,
          transfer: call.transfer,
          key_input: call.keyInput,
          behavior: call.behavior,
          readings: call.readings,
          reason: call.reason,
          started_at: time(call.startedAt),
          answered_at: time(call.answeredAt),
          ended_at: time(call.endedAt),
          script: call.script ?? [],
        })),
      ),
      chain.spaceId,
      chain.resultId,
    ],
  );
}
