// Snapshots: the results of scans.
import { Problem } from '@yagura/core/http/problem';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';

const totalTime = 'extract(epoch from s.terminated_at - s.started_at)::int';

const snapshotTable = rowTable(snapshot, {
  from: 'snapshot s',
  alias: 's',
  parent: 'network_id',
  without: ['task', 'scanTotalTime'],
  columns: { scanTotalTime: { sql: `(${totalTime})`, type: 'number' } },
  select: `s.task_id, ${totalTime} as scan_total_time`,
  item: (row) => ({
    task: row.task_id ? { taskId: row.task_id } : null,
    scanTotalTime: row.scan_total_time ?? null,
  }),
});

export const snapshotBehaviour: Behaviour<typeof snapshot> = {
  resource: snapshot,
  table: snapshotTable,
  async remove(context, ifMatch) {
    const { database } = context.services;
    const id = context.params.snapshotId ?? '';
    await database.transaction(async (tx) => {
      const before = await findItem(tx, context, snapshot, snapshotTable, id);
      if (!before) throw new Problem('not-found', { detail: 'no snapshot has this id' });
      checkMatch(ifMatch, before.version);
      const { rows } = await tx.query<{ status: string }>(
        'select status from snapshot where snapshot_id = $1 for update',
        [id],
      );
      if (rows[0]?.status === 'requested' || rows[0]?.status === 'started') {
        throw new Problem('conflict', { detail: context.t('sonar.snapshot.running') });
      }
      await tx.query('delete from snapshot_node where snapshot_id = $1', [id]);
      await tx.query('delete from snapshot where snapshot_id = $1', [id]);
    });
    announce(context, snapshot, id, 'delete');
  },
};

/** A node of a snapshot is also found by the id of its managed node; the first one if several hosts were merged. */
export async function resolveManagedNodeId(context: RequestContext): Promise<void> {
  const { nodeId, snapshotId } = context.params;
  if (!nodeId || !isUuid(nodeId) || !snapshotId || !isUuid(snapshotId)) return;
  const { rows } = await context.services.database.query<{ node_id: string }>(
    `select node_id from snapshot_node
     where space_id = $1 and snapshot_id = $2 and managed_node_id = $3 order by chunk, place limit 1`,
    [context.spaceId, snapshotId, nodeId],
  );
  if (rows[0]) context.params.nodeId = rows[0].node_id;
}
