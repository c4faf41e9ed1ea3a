// Stores tasks: insert, claim under a lease, renew, end. Every write of a run is fenced by its owner.
import type { TaskStatus } from '@yagura/core/tasks/task';
import { isoTime } from '../common/clock.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { leaseExpiredSql } from './row-leases.ts';
import { type TaskEnd, type TaskInfo, TaskRejected, type TaskRunner } from './task-runner.ts';

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

export interface ErrorDescriptor {
  title: string;
  detail: string;
}

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
    rejected = {
      title: 'Failed to register task',
      detail: `no module runs ${task.namespace} ${task.method}`,
    };
  } else {
    await tx.query('savepoint task_accept');
    try {
      const { taskId, spaceId, params, requestedBy } = task;
      snapshotId = (await runner.accept?.(tx, { taskId, spaceId, params, requestedBy }))?.snapshotId;
    } catch (error) {
      if (!(error instanceof TaskRejected)) throw error;
      await tx.query('rollback to savepoint task_accept');
      rejected = { title: error.title, detail: error.detail };
      if (task.taskScheduleId) await runner.onScheduleRejected?.(tx, task, error.detail);
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

/** Claims the oldest requested tasks of these methods (`namespace method`), each by one process only. */
export async function claimTasks(
  database: Queryable,
  by: { owner: string; now: number; leaseUntil: number; methods: readonly string[]; limit: number },
): Promise<ClaimedTask[]> {
  const { rows } = await database.query<ClaimedTask>(
    {
      name: 'claim-tasks',
      text: `update task set status = 'started', owner = $1, lease_until = $3, started_at = $2, updated_at = $2
       where task_id = any(array(
         select task_id from task where status = 'requested' and namespace || ' ' || method = any($4::text[])
         order by created_at, task_id limit $5 for update skip locked))
       returning ${taskColumns}`,
    },
    [by.owner, isoTime(by.now), isoTime(by.leaseUntil), by.methods, by.limit],
  );
  return rows;
}

/** Claims running tasks of dead processes. */
export async function claimExpiredTasks(
  database: Queryable,
  by: { owner: string; now: number; leaseUntil: number; limit: number },
): Promise<ClaimedTask[]> {
  const { rows } = await database.query<ClaimedTask>(
    {
      name: 'claim-dead-tasks',
      text: `update task set owner = $1, lease_until = $3
       where task_id = any(array(
         select task_id from task where status = 'started' and ${leaseExpiredSql('$2')}
         order by lease_until limit $4 for update skip locked))
       returning ${taskColumns}`,
    },
    [by.owner, isoTime(by.now), isoTime(by.leaseUntil), by.limit],
  );
  return rows;
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
