// The task `alerthub replay`: evaluates stored messages with both settings, in batches and with bounded time
// and memory.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { RequestedSeverityChange } from '@yagura/core/alerthub/engine/execution/decide-batch';
import { ReplayComparison } from '@yagura/core/alerthub/engine/replay/compare-replays';
import type { ReplayInput } from '@yagura/core/alerthub/engine/replay/replay-run';
import { type ReplayReport, replayRequest } from '@yagura/core/alerthub/replay';
import { type Clock, isoTime } from '../../common/clock.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Database } from '../../db/database.ts';
import { type RunningTask, TaskRejected, type TaskRunner } from '../../jobs/task-runner.ts';
import { scanInChunks } from '../../resource/list/chunked-scan.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import { loadContributions } from '../pipeline/load-history.ts';
import { loadConfigRows } from '../pipeline/pipeline-config.ts';
import { buildReplaySettings, type ReplaySettings } from './replay-settings.ts';

export const replayTaskName = { namespace: 'alerthub', method: 'replay' } as const;

const dayMs = 86_400_000;
/** Maximum messages and bytes of a batch. */
const batchSize = 1000;
const batchBytes = 16 << 20;
/** Messages evaluated before yielding to the event loop, so that requests are served meanwhile. */
const pauseMs = 50;
/** Limits of a replay; one that exceeds them ends with a partial result marked as such. */
const maxMessages = 1_000_000;
const maxSeconds = 300;
/** Maximum past changes that do not originate from a message. */
const maxChanges = 50_000;

export interface ReplayTaskDeps {
  database: Database;
  clock: Clock;
  sealing: Sealing;
  /** Milliseconds of elapsed time since any instant. */
  elapsedMs?: () => number;
}

export function createReplayTask({
  database,
  clock,
  sealing,
  elapsedMs = () => performance.now(),
}: ReplayTaskDeps): TaskRunner {
  return {
    async accept(_tx, { params }) {
      if (!replayRequest.safeParse(params).success) throw new TaskRejected(translatable('refusal.no-replay'));
      return undefined;
    },
    async run(task) {
      const { days, change } = replayRequest.parse(task.params);
      const until = clock.now();
      const since = until - days * dayMs;
      const rows = await loadConfigRows(database, task.spaceId, sealing);
      const settings = buildReplaySettings(rows, change, isoTime(until));
      return { ...(await runReplay({ database, elapsedMs }, task, settings, since, until)) };
    },
  };
}

async function runReplay(
  { database, elapsedMs }: Required<Pick<ReplayTaskDeps, 'database' | 'elapsedMs'>>,
  task: RunningTask,
  settings: ReplaySettings,
  since: number,
  until: number,
): Promise<ReplayReport> {
  const begun = elapsedMs();
  const start = await loadStartState(database, settings.scopeIds, isoTime(since));
  const replay = new ReplayComparison({ ...settings, ...start, since, until });
  const changes = await readChanges(database, settings.scopeIds, isoTime(since), isoTime(until));
  let nextChange = 0;
  let reached = since;
  let count = 0;
  let whole = changes.length < maxChanges;
  const changesUntil = (at: number) => {
    while (nextChange < changes.length && changes[nextChange]!.at <= at) replay.step(changes[nextChange++]!);
  };
  for await (const batch of readMessages(database, task.spaceId, settings.slotIds, since, until)) {
    for (const input of batch) {
      changesUntil(input.at);
      replay.step(input);
      reached = input.at;
      count += 1;
      if (count % pauseMs === 0) await new Promise((resolve) => setImmediate(resolve));
      if (task.signal.aborted) throw task.signal.reason;
    }
    task.progress(Math.floor(((reached - since) / (until - since)) * 100));
    if (count >= maxMessages || elapsedMs() - begun > maxSeconds * 1000) {
      whole = false;
      break;
    }
  }
  const end = whole ? until : reached;
  changesUntil(end);
  const { curves, ...result } = replay.finish(end);
  return {
    ...result,
    since: isoTime(since),
    until: isoTime(end),
    whole,
    seconds: Math.round(elapsedMs() - begun) / 1000,
    curves: curves.flatMap(({ scopeId, points }) => {
      const source = (settings.after.scopes.get(scopeId) ?? settings.before.scopes.get(scopeId))?.source;
      if (!source) return [];
      return [{ scopeId, scopeName: source.displayName, thresholds: source.thresholds, points }];
    }),
  };
}

/**
 * Severities at a point in time, from the last event of each before it, and the time of the last event of
 * each scope.
 */
async function loadStartState(database: Database, scopeIds: ReadonlySet<string>, before: string) {
  const { rows } = await database.query<{ scope_id: string; name: string; value: number; at: string }>(
    `select s.scope_id, s.name, e.severity as value, e.created_at as at from severity s
     cross join lateral (
       select severity, created_at from event e where e.scope_id = s.scope_id and e.severity_name = s.name and e.created_at < $2
       order by e.created_at desc, e.event_id desc limit 1
     ) e where s.scope_id = any($1::uuid[])`,
    [[...scopeIds], before],
  );
  const state = new Map<string, Map<string, number>>();
  const lastEvents = new Map<string, number>();
  for (const { scope_id, name, value, at } of rows) {
    state.set(scope_id, (state.get(scope_id) ?? new Map<string, number>()).set(name, value));
    lastEvents.set(scope_id, Math.max(lastEvents.get(scope_id) ?? 0, Date.parse(at)));
  }
  return { state, lastEvents, contributions: await loadContributions(database, scopeIds, before) };
}

/**
 * Changes made by users, API callers and runbooks; they are applied unchanged with both settings. They are looked for in
 * chunks, so that other callers need not wait until all events are read.
 */
async function readChanges(
  database: Database,
  scopeIds: ReadonlySet<string>,
  since: string,
  until: string,
): Promise<ReplayInput[]> {
  // A space can have thousands of scopes, most of them without an event in the period.
  const { rows: active } = await database.query<{ scope_id: string }>(
    `select s.scope_id from unnest($1::uuid[]) as s(scope_id)
     where exists (select from event e where e.scope_id = s.scope_id and e.created_at >= $2 and e.created_at < $3)`,
    [[...scopeIds], since, until],
  );
  const found: string[] = [];
  for (const { scope_id: scopeId } of active) {
    const { ids } = await scanInChunks(
      database,
      {
        at: 'e.created_at',
        id: 'e.event_id',
        descending: false,
        fromClause: (sql) => `event e where e.scope_id = ${sql.value(scopeId, 'uuid')}
          and e.created_at >= ${sql.value(since, 'timestamptz')} and e.created_at < ${sql.value(until, 'timestamptz')}`,
        filterClause: () => `e.source in ('api', 'reset', 'runbook')`,
      },
      { offset: 0, limit: maxChanges, max: maxChanges },
    );
    found.push(...ids);
  }
  const { rows } = await database.query<{
    event_id: string;
    scope_id: string;
    severity_name: string;
    delta: number;
    source: RequestedSeverityChange['source'] | 'runbook';
    created_at: string;
  }>(
    `select event_id, scope_id, severity_name, delta, source, created_at from event
     where event_id = any($1::uuid[]) order by created_at, event_id limit ${maxChanges}`,
    [found],
  );
  return rows.map((row) => ({
    id: row.event_id,
    at: Date.parse(row.created_at),
    change: {
      scopeId: row.scope_id,
      severityName: row.severity_name,
      change: row.source === 'reset' ? { to: 0 } : { delta: row.delta },
      source: row.source === 'runbook' ? 'api' : row.source,
    },
  }));
}

/**
 * Yields the messages of these slots in order of arrival; the next batch is read while this one is evaluated.
 */
async function* readMessages(
  database: Database,
  spaceId: string,
  slotIds: readonly string[],
  since: number,
  until: number,
): AsyncGenerator<{ id: string; at: number; message: ReceivedMessage }[]> {
  const read = (after: string, afterId: string) => {
    const reading = database.transaction(async (tx) => {
      // Without good statistics the planner would read and sort all remaining rows for every batch.
      await tx.query('set local enable_sort = off');
      return tx.query<MessageRow & { message_id: string }>(
        {
          name: 'replay-messages',
          text: `select ${messageColumns} from (
                 select q.*, sum(q.size) over (order by q.received_at, q.message_id) - q.size as before from (
                   select received_at, message_id, size from message
                   where space_id = $1 and receive_slot_id = any($2::uuid[]) and (received_at, message_id) > ($3::timestamptz, $4::uuid)
                     and received_at < $5
                   order by received_at, message_id limit ${batchSize}
                 ) q
               ) p join message m using (message_id)
               where p.before = 0 or p.before < ${batchBytes} order by p.received_at, p.message_id`,
        },
        [spaceId, slotIds, after, afterId, isoTime(until)],
      );
    });
    // Prevents an unhandled rejection if nothing awaits it any more.
    reading.catch(() => undefined);
    return reading;
  };
  let next = read(isoTime(since), '00000000-0000-0000-0000-000000000000');
  for (;;) {
    const { rows } = await next;
    const last = rows.at(-1);
    if (!last) return;
    next = read(last.received_at, last.message_id);
    yield rows.map((row) => ({
      id: row.message_id,
      at: Date.parse(row.received_at),
      message: toMessage(row),
    }));
  }
}
