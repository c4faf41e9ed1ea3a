// Stores tasks: insert, claim under a lease, renew, end. Every write of a run is fenced by its owner.
import type { TaskStatus } from '@yagura/core/tasks/task';
import { isoTime } from '../common/clock.ts';
import { translatable } from '../common/translatable-text.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import type { ClaimRange } from './claim-guard.ts';
import { leaseExpiredSql } from './leases/row-leases.ts';
import {
  describeFailure,
  type ErrorDescriptor,
  type TaskEnd,
  type TaskInfo,
  TaskRejected,
  type TaskRunner,
} from './task-runner.ts';

export interface StoredTaskRequest {
  taskId: string;
  spaceId: string;
  namespace: string;
  method: string;
  params: Record<string, unknown>;
  requestedBy: string | null;
  taskScheduleId?: string;
  late?: boolean;
}

export const serverDiedError = describeFailure(translatable('refusal.task-server-ended'));
export const serverStoppedError = describeFailure(translatable('refusal.task-server-stopped'));
export const unexpectedError = describeFailure(translatable('refusal.task-unexpected'));

/** A task this process has just leased. */
export interface ClaimedTask extends TaskInfo {
  namespace: string;
  method: string;
}

const taskColumns = `task_id as "taskId", space_id as "spaceId", namespace, method, params, requested_by as "requestedBy"`;

/** Stores a task as requested, or as rejected if no runner accepts it. */
export async function insertTask(
  tx: Transaction,
  runner: TaskRunner | undefined,
  task: StoredTaskRequest,
  now: number,
): Promise<TaskStatus> {
  let rejected: ErrorDescriptor | null = null;
  let snapshotId: string | undefined;
  if (!runner) {
    const name = `${task.namespace} ${task.method}`;
    rejected = new TaskRejected(translatable('refusal.no-task-module', { name })).descriptor;
  } else {
    await tx.query('savepoint task_accept');
    try {
      const { taskId, spaceId, params, requestedBy } = task;
      snapshotId = (await runner.accept?.(tx, { taskId, spaceId, params, requestedBy }))?.snapshotId;
    } catch (error) {
      if (!(error instanceof TaskRejected)) throw error;
      await tx.query('rollback to savepoint task_accept');
      rejected = error.descriptor;
      if (task.taskScheduleId) await runner.onScheduleRejected?.(tx, task, error.reason);
    }
  }
  const status = rejected ? 'rejected' : 'requested';
  await tx.query(
    `insert into task (task_id, space_id, namespace, method, params, status, error_descriptor, snapshot_id,
       task_schedule_id, late, requested_by, created_at, ended_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $12)`,
    [
      task.taskId,
      task.spaceId,
      task.namespace,
      task.method,
      toStoreJson(task.params),
      status,
      rejected && toStoreJson(rejected),
      snapshotId ?? null,
      task.taskScheduleId ?? null,
      task.late ?? false,
      task.requestedBy,
      isoTime(now),
      rejected ? isoTime(now) : null,
    ],
  );
  return status;
}

/** Ends a waiting task, and asks a running one to abort; undefined if there is no such task. */
export async function requestTaskAbort(
  tx: Queryable,
  spaceId: string,
  taskId: string,
  now: number,
): Promise<(ClaimedTask & { status: TaskStatus }) | undefined> {
  const { rows } = await tx.query<ClaimedTask & { status: TaskStatus }>(
    `update task set abort_requested = true, updated_at = $3,
       status = case when status = 'requested' then 'aborted' else status end,
       ended_at = case when status = 'requested' then $3::timestamptz end
     where space_id = $1 and task_id = $2 and status in ('requested', 'started')
     returning task_id as "taskId", space_id as "spaceId", namespace, method, params,
       requested_by as "requestedBy", status`,
    [spaceId, taskId, isoTime(now)],
  );
  return rows[0];
}

/** A running task that can no longer be aborted is not asked to. */
export async function withdrawTaskAbort(tx: Queryable, taskId: string): Promise<void> {
  await tx.query('update task set abort_requested = false where task_id = $1', [taskId]);
}

export interface TaskLease {
  owner: string;
  now: number;
  leaseUntil: number;
}

/**
 * Selects tasks to be claimed. Parameters: maximum number, ids to choose from (null for all), ids to leave out,
 * and that of the condition.
 */
function dueTasksSql(condition: string, order: string): string {
  return `select task_id from task where ${condition}
    and ($2::uuid[] is null or task_id = any($2::uuid[])) and task_id <> all($3::uuid[])
    order by ${order} limit $1`;
}

const rangeValues = ({ max, only, except }: ClaimRange) => [max, only, except];

const waitingTasksSql = dueTasksSql(
  `status = 'requested' and namespace || ' ' || method = any($4::text[]) and space_id <> all($5::uuid[])`,
  'created_at, task_id',
);
const expiredTasksSql = dueTasksSql(
  `status = 'started' and ${leaseExpiredSql('$4')} and space_id <> all($5::uuid[])`,
  'lease_until',
);

/** Ids of the oldest requested tasks of these methods (`namespace method`), but those of these spaces. */
export function findWaitingTasks(
  database: Queryable,
  methods: readonly string[],
  range: ClaimRange,
  exceptSpaces: readonly string[],
): Promise<string[]> {
  return taskIds(database, waitingTasksSql, [...rangeValues(range), methods, exceptSpaces]);
}

/** Claims the tasks that `findWaitingTasks` finds, each by one process only. */
export async function claimTasks(
  database: Queryable,
  by: TaskLease & { methods: readonly string[]; exceptSpaces: readonly string[] },
  range: ClaimRange,
): Promise<ClaimedTask[]> {
  const { rows } = await database.query<ClaimedTask>(
    {
      name: 'claim-tasks',
      text: `update task set status = 'started', owner = $6, lease_until = $8, started_at = $7, updated_at = $7
       where task_id = any(array(${waitingTasksSql} for update skip locked))
       returning ${taskColumns}`,
    },
    [
      ...[...rangeValues(range), by.methods, by.exceptSpaces],
      ...[by.owner, isoTime(by.now), isoTime(by.leaseUntil)],
    ],
  );
  return rows;
}

/** Ids of running tasks of dead processes, but those of these spaces. */
export function findExpiredTasks(
  database: Queryable,
  now: number,
  range: ClaimRange,
  exceptSpaces: readonly string[],
): Promise<string[]> {
  return taskIds(database, expiredTasksSql, [...rangeValues(range), isoTime(now), exceptSpaces]);
}

/** Claims the tasks that `findExpiredTasks` finds. */
export async function claimExpiredTasks(
  database: Queryable,
  by: TaskLease & { exceptSpaces: readonly string[] },
  range: ClaimRange,
): Promise<ClaimedTask[]> {
  const { rows } = await database.query<ClaimedTask>(
    {
      name: 'claim-dead-tasks',
      text: `update task set owner = $6, lease_until = $7
       where task_id = any(array(${expiredTasksSql} for update skip locked))
       returning ${taskColumns}`,
    },
    [...rangeValues(range), isoTime(by.now), by.exceptSpaces, by.owner, isoTime(by.leaseUntil)],
  );
  return rows;
}

async function taskIds(database: Queryable, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await database.query<{ task_id: string }>(text, values);
  return rows.map((row) => row.task_id);
}

/** Fails a task that cannot be claimed; null if another process has claimed or ended it. */
export async function failUnclaimedTask(
  db: Queryable,
  taskId: string,
  descriptor: ErrorDescriptor,
  now: number,
): Promise<ClaimedTask | null> {
  const { rows } = await db.query<ClaimedTask>(
    `update task set status = 'failed', error_descriptor = $3, ended_at = $2::timestamptz, updated_at = $2::timestamptz,
       owner = null, lease_until = null
     where task_id = $1 and (status = 'requested' or (status = 'started' and ${leaseExpiredSql('$2::timestamptz')}))
     returning ${taskColumns}`,
    [taskId, isoTime(now), toStoreJson(descriptor)],
  );
  return rows[0] ?? null;
}

/** Renews leases; returns the tasks this owner still holds, and which of them are to be aborted. */
export async function renewTaskLeases(
  database: Queryable,
  owner: string,
  taskIds: readonly string[],
  leaseUntil: number,
): Promise<Map<string, { stop: boolean }>> {
  const { rows } = await database.query<{ taskId: string; stop: boolean }>(
    {
      name: 'renew-task-leases',
      text: `update task set lease_until = $3 where owner = $1 and status = 'started' and task_id = any($2::uuid[])
       returning task_id as "taskId", abort_requested as stop`,
    },
    [owner, taskIds, isoTime(leaseUntil)],
  );
  return new Map(rows.map(({ taskId, stop }) => [taskId, { stop }]));
}

/** Ends a task of this owner; false if it is no longer the owner. */
export async function endTask(
  tx: Queryable,
  owner: string,
  taskId: string,
  end: { status: TaskEnd; descriptor: ErrorDescriptor | null; result: unknown; now: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update task set status = $3, error_descriptor = $4, result = $5, ended_at = $6, updated_at = $6,
       owner = null, lease_until = null, progress = case when $3 = 'succeeded' then 100 else progress end
     where task_id = $2 and owner = $1 and status = 'started'`,
    [
      owner,
      taskId,
      end.status,
      end.descriptor && toStoreJson(end.descriptor),
      end.result === undefined ? null : toStoreJson(end.result),
      isoTime(end.now),
    ],
  );
  return rowCount > 0;
}

/** Releases a lease, so that another process resumes the run at once. */
export async function releaseTask(
  database: Queryable,
  owner: string,
  taskId: string,
  now: number,
): Promise<void> {
  await database.query(
    `update task set owner = null, lease_until = $3 where task_id = $2 and owner = $1 and status = 'started'`,
    [owner, taskId, isoTime(now)],
  );
}

export async function writeProgress(
  database: Queryable,
  owner: string,
  progress: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  await database.query(
    `update task set progress = g.percent, updated_at = $4
     from unnest($2::uuid[], $3::int[]) as g(id, percent)
     where task_id = g.id and owner = $1 and status = 'started'`,
    [owner, [...progress.keys()], [...progress.values()], isoTime(now)],
  );
}
