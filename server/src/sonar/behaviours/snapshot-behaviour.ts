// Snapshots: the results of scans.
import { Problem } from '@yagura/core/http/problem';
import { scanFailureText } from '@yagura/core/inventory/scan-failure';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { checkCapability, type KsocketOrders } from '../agent-capability.ts';
import { isOpen, isRunning } from '../scan-snapshot.ts';
import { removeSnapshots } from '../snapshot-retention.ts';

const totalTime = 'extract(epoch from s.terminated_at - s.started_at)::int';

const snapshotTable = rowTable(snapshot, {
  from: 'snapshot s',
  alias: 's',
  parent: 'network_id',
  without: ['task', 'scanTotalTime', 'numberOfFoundHosts'],
  columns: {
    scanTotalTime: { sql: `(${totalTime})`, type: 'number' },
    numberOfFoundHosts: { sql: 's.found', type: 'number' },
  },
  select: `s.task_id, s.found, ${totalTime} as scan_total_time`,
  item: (row) => ({
    numberOfFoundHosts: row.found ?? null,
    task: row.task_id ? { taskId: row.task_id } : null,
    scanTotalTime: row.scan_total_time ?? null,
  }),
});

interface SnapshotServices extends ResourceServices {
  ksocket: KsocketOrders;
}

/** Orders the agent of a running scan to pause or resume it. */
async function orderAgent(
  context: CallContext<SnapshotServices>,
  type: 'pause' | 'resume',
): Promise<{ snapshotId: string; paused: boolean }> {
  const { database, ksocket } = context.services;
  const found = await findItem(database, context, snapshot, snapshotTable, context.params.snapshotId ?? '');
  if (!found) throw itemNotFound(context, snapshot);
  const { snapshotId, status, ksocketSlotId, paused } = found.item as {
    snapshotId: string;
    status: string;
    ksocketSlotId: string | null;
    paused: boolean;
  };
  if (!isRunning({ status }) || !ksocketSlotId)
    throw new Problem('not-possible', { detail: context.t('sonar.snapshot.not-running') });
  await checkCapability(context, ksocketSlotId, 'pause');
  await context.transaction((tx) => ksocket.order(tx, ksocketSlotId, { type, snapshotId }));
  return { snapshotId, paused };
}

export const snapshotBehaviour: Behaviour<typeof snapshot, SnapshotServices> = {
  resource: snapshot,
  table: snapshotTable,
  present: ({ t }, item) => ({
    ...item,
    reason: typeof item.reason === 'string' ? scanFailureText(item.reason, t) : null,
  }),
  calls: {
    pause: (context) => orderAgent(context, 'pause'),
    resume: (context) => orderAgent(context, 'resume'),
  },
  async remove(tx, context) {
    const id = context.params.snapshotId ?? '';
    if (!(await findItem(tx, context, snapshot, snapshotTable, id))) throw itemNotFound(context, snapshot);
    const { rows } = await tx.query<{ status: string }>(
      'select status from snapshot where snapshot_id = $1 for update',
      [id],
    );
    if (rows[0] && isOpen(rows[0])) {
      const word = isRunning(rows[0]) ? 'sonar.snapshot.running' : 'sonar.snapshot.processing';
      throw new Problem('not-possible', { detail: context.t(word) });
    }
    await removeSnapshots(tx, [id]);
    return () => announce(context, snapshot, id, 'delete');
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
