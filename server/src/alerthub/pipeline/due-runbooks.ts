// Reads due runbook records with the data needed to continue them.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import type {
  ActionOutcome,
  RunbookRun,
  TraceStep,
} from '@yagura/core/alerthub/engine/execution/runbook-run';
import type { RunbookGraph } from '@yagura/core/alerthub/runbook';
import type { Queryable } from '../../db/database.ts';
import { fillsTurn, maxDueBytes } from '../messages/message-read-limit.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';

/** Maximum records per turn. */
export const maxDueRunbooks = 100;

/** The first due records, limited to the space of the first one; `more` means that others may be due. */
export async function loadDueRunbooks(
  db: Queryable,
  now: string,
  max: number,
): Promise<{ spaceId: string | undefined; runs: RunbookRun[]; more: boolean }> {
  const { rows: due } = await db.query<RunbookRecordRow>(
    {
      name: 'due-runbooks',
      text: `select r.space_id, r.runbook_record_id, r.runbook_id, r.display_name, r.flow::text as flow, r.context, r.depth,
           r.at_step, r.waits_for, r.requested_at, r.size, a.status as action_status, a.output as action_output,
           a.attempts as action_attempts, ${messageColumns}
         from (
           select q.*, sum(q.size) over (order by q.due_at, q.runbook_record_id) - q.size as before from (
             select d.*, coalesce((select s.size from message s where s.message_id = d.source_message_id), 0) as size
             from runbook_record d where d.due_at <= $1 order by d.due_at, d.runbook_record_id limit $2
           ) q
         ) r
         left join lateral (select * from message s where s.message_id = r.source_message_id offset 0) m on true
         left join lateral (select * from action_record w where w.action_record_id = r.waits_for offset 0) a on true
         where r.before < $3
         order by r.due_at, r.runbook_record_id`,
    },
    [now, max, maxDueBytes],
  );
  if (due.length === 0) return { spaceId: undefined, runs: [], more: false };
  const rows = due.filter((row) => row.space_id === due[0]!.space_id);
  const traces = await loadStepTraces(
    db,
    rows.filter((row) => row.at_step !== null).map((row) => row.runbook_record_id),
  );
  return {
    spaceId: rows[0]!.space_id,
    more: due.length === max || rows.length < due.length || fillsTurn(due),
    runs: rows.map((row) => ({
      runbookRecordId: row.runbook_record_id,
      runbookId: row.runbook_id,
      displayName: row.display_name,
      requestedAt: row.requested_at,
      graph: compileCached(row.flow),
      depth: row.depth,
      context: row.context,
      message: toMessage(row),
      trace: traces.get(row.runbook_record_id) ?? [],
      currentStepId: row.at_step,
      actionOutcome: actionResultOf(row),
      latestResponse: latestResponseOf(row),
    })),
  };
}

/** Id of the first due record. */
export async function findFirstDueRunbook(db: Queryable, now: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select runbook_record_id as id from runbook_record where due_at <= $1
     order by due_at, runbook_record_id limit 1`,
    [now],
  );
  return rows[0]?.id;
}

/** Executed steps of records, in order. */
export async function loadStepTraces(db: Queryable, recordIds: string[]): Promise<Map<string, TraceStep[]>> {
  const traces = new Map<string, TraceStep[]>();
  if (recordIds.length === 0) return traces;
  const { rows } = await db.query<StepRow>(
    {
      name: 'runbook-traces',
      text: `select runbook_record_id, seq, step_id, flow_step_id, kind, display_name, status, input, output, reason,
               action_record_id, started_at, ended_at
             from runbook_record_step where runbook_record_id = any($1::uuid[]) order by runbook_record_id, seq`,
    },
    [recordIds],
  );
  for (const row of rows) {
    const trace = traces.get(row.runbook_record_id) ?? [];
    traces.set(row.runbook_record_id, trace);
    trace.push({
      seq: row.seq,
      stepId: row.step_id,
      flowStepId: row.flow_step_id,
      kind: row.kind,
      displayName: row.display_name,
      status: row.status,
      input: row.input,
      output: row.output,
      reason: row.reason,
      actionRecordId: row.action_record_id,
      startedAt: row.started_at,
      endedAt: row.ended_at,
    });
  }
  return traces;
}

/** An error response is a response too: a branch may depend on it. */
function actionResultOf({
  waits_for,
  action_status,
  action_output,
  action_attempts,
}: RunbookRecordRow): ActionOutcome | undefined {
  if (waits_for === null || (action_status !== 'succeeded' && action_status !== 'failed')) return undefined;
  const last = action_attempts?.at(-1);
  const statusCode = last?.statusCode ?? null;
  const output = action_output ?? responseOf(last);
  const succeeded = action_status === 'succeeded' || statusCode !== null;
  return { succeeded, output, reason: succeeded ? null : (last?.reason ?? null) };
}

/** The response to the latest attempt of an action that is retried; undefined if there was none. */
function latestResponseOf({ action_attempts }: RunbookRecordRow): unknown {
  const answered = action_attempts?.findLast(({ statusCode }) => statusCode !== null);
  return answered && responseOf(answered);
}

function responseOf(attempt: Attempt | undefined) {
  return {
    statusCode: attempt?.statusCode ?? null,
    headers: {},
    isBodyEncoded: false,
    body: attempt?.reply ?? '',
  };
}

/** Cache of parsed graphs by their JSON text; data compiled from a graph is cached with it. */
const compiledGraphs = new Map<string, RunbookGraph>();
const maxGraphs = 500;

function compileCached(flow: string): RunbookGraph {
  const known = compiledGraphs.get(flow);
  if (known) return known;
  const graph = JSON.parse(flow) as RunbookGraph;
  if (compiledGraphs.size >= maxGraphs) compiledGraphs.clear();
  compiledGraphs.set(flow, graph);
  return graph;
}

interface RunbookRecordRow extends MessageRow {
  /** Bytes of the message. */
  size: number;
  space_id: string;
  runbook_record_id: string;
  runbook_id: string;
  display_name: string;
  flow: string;
  context: Record<string, unknown>;
  depth: number;
  at_step: string | null;
  waits_for: string | null;
  requested_at: string;
  action_status: string | null;
  action_output: unknown;
  action_attempts: Attempt[] | null;
}

interface StepRow {
  runbook_record_id: string;
  seq: number;
  step_id: string;
  flow_step_id: string;
  kind: string;
  display_name: string;
  status: TraceStep['status'];
  input: unknown;
  output: unknown;
  reason: TraceStep['reason'];
  action_record_id: string | null;
  started_at: string;
  ended_at: string | null;
}
