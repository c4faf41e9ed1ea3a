// Deletes snapshots: a snapshot goes at once; then its hosts and refusals, of which there may be thousands, go in batches.
import { network } from '@yagura/core/sonar/network';
import { scanTaskName } from '@yagura/core/sonar/scan-schedules';
import { finalSnapshotStatuses, snapshot } from '@yagura/core/sonar/snapshot';
import { snapshotRetention } from '@yagura/core/sonar/snapshot-retention';
import { task } from '@yagura/core/tasks/task';
import { isoTime } from '../common/clock.ts';
import type { Change } from '../db/change-bus.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { PeriodicJob } from '../jobs/periodic-job.ts';
import { createRetentionBehaviour } from '../resource/retention/create-retention-behaviour.ts';
import { deleteInBatches } from '../resource/retention/delete-in-batches.ts';
import { createRetentionJob, type RetentionDeps } from '../resource/retention/retention-job.ts';

const table = 'sonar_snapshot_retention';
/** Hosts or refusals that are deleted in one statement. */
const rowsPerStatement = 500;

export const snapshotRetentionBehaviour = createRetentionBehaviour(snapshotRetention, table);

/** Deletes snapshots; `deleteRemovedSnapshots` deletes the rest of them. Returns the ids of those that were still there. */
export async function removeSnapshots(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `with gone as (delete from snapshot where snapshot_id = any($1::uuid[]) returning snapshot_id, space_id)
     insert into removed_snapshot (snapshot_id, space_id) select snapshot_id, space_id from gone
     returning snapshot_id as id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Deletes what is left of removed snapshots of a space, until `isClosed`; the next call continues. */
export async function deleteRemovedSnapshots(
  database: Queryable,
  spaceId: string,
  isClosed: () => boolean,
): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    'select snapshot_id as id from removed_snapshot where space_id = $1 order by snapshot_id',
    [spaceId],
  );
  for (const { id } of rows) {
    for (const [of, key] of [
      ['snapshot_node', 'node_id'],
      ['snapshot_refusal', 'refusal_id'],
    ]) {
      const isDone = await deleteInBatches(rowsPerStatement, isClosed, async () => {
        const { rowCount } = await database.query(
          `delete from ${of} where ${key} in (select ${key} from ${of} where snapshot_id = $1 limit $2)`,
          [id, rowsPerStatement],
        );
        return rowCount!;
      });
      if (!isDone) return;
    }
    // Another replica may be deleting the same rows.
    await database.query(
      `delete from removed_snapshot r where snapshot_id = $1
         and not exists (select 1 from snapshot_node n where n.snapshot_id = r.snapshot_id)
         and not exists (select 1 from snapshot_refusal f where f.snapshot_id = r.snapshot_id)`,
      [id],
    );
  }
}

/** Deletes the records of scans that have no snapshot, except for the last one of a schedule, which links to it. */
async function deleteScanTasks(
  { database, changes, clock, spaceId }: RetentionDeps,
  until: string,
  isClosed: () => boolean,
): Promise<void> {
  await deleteInBatches(rowsPerStatement, isClosed, async () => {
    const { rows } = await database.query<{ id: string }>(
      `delete from task where task_id in (select t.task_id from task t
         where t.space_id = $1 and t.namespace = $2 and t.method = $3 and t.created_at < $4 and t.ended_at is not null
           and not exists (select 1 from snapshot s where s.space_id = $1 and s.task_id = t.task_id)
           and not exists (select 1 from task_schedule c where c.space_id = $1 and c.last_task_id = t.task_id)
         order by t.created_at limit $5)
       returning task_id as id`,
      [spaceId, scanTaskName.namespace, scanTaskName.method, until, rowsPerStatement],
    );
    const at = isoTime(clock.now());
    changes.publish(rows.map(({ id }) => ({ spaceId, resource: task.name, op: 'delete', at, id })));
    return rows.length;
  });
}

/** Whether a change means that snapshots were removed. */
export const isDeletedSnapshot = ({ resource, op }: Pick<Change, 'resource' | 'op'>): boolean =>
  op === 'delete' && (resource === snapshot.name || resource === network.name);

export function createSnapshotRetention(deps: RetentionDeps): PeriodicJob {
  return createRetentionJob(deps, {
    ...{ settings: snapshotRetention, table, resource: snapshot, lockSeed: '6620447193308127745' },
    ...{ daysColumn: 'snapshot_days', totalColumn: 'removed_snapshots', batchSize: 50 },
    // The latest successful one of a network shows what is there, and is what the next scan is compared with.
    select: `select s.snapshot_id as id from snapshot s
      where s.space_id = $1 and s.created_at < $2 and s.status in (${finalSnapshotStatuses.map((status) => `'${status}'`).join(', ')}) and s.snapshot_id <> all($3::uuid[])
        and (s.status <> 'succeeded' or exists (select 1 from snapshot l where l.network_id = s.network_id
          and l.status = 'succeeded' and (l.created_at, l.snapshot_id) > (s.created_at, s.snapshot_id)))
      order by s.created_at limit $4`,
    remove: removeSnapshots,
    async finish(until, isClosed) {
      await deleteRemovedSnapshots(deps.database, deps.spaceId, isClosed);
      if (until !== null) await deleteScanTasks(deps, until, isClosed);
    },
  });
}
