// Snapshots and the nodes found by each scan.
import { Problem } from '@yagura/core/http/problem';
import {
  node,
  nodePackage,
  nodeWindowsUpdate,
  refusalReasons,
  scanRefusal,
  snapshot,
} from '@yagura/core/sonar/snapshot';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { checkCapability, type KsocketOrders } from '../agent-capability.ts';
import { nodeDetailFields, nodeDetailsOf } from '../node-details.ts';
import { isRunning } from '../scan-snapshot.ts';

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

interface SnapshotServices extends ResourceServices {
  ksocket: KsocketOrders;
}

/** Orders the agent of a running scan to pause or resume it. */
async function orderAgent(
  context: RequestContext<SnapshotServices>,
  type: 'pause' | 'resume',
): Promise<{ snapshotId: string; paused: boolean }> {
  const { database, ksocket } = context.services;
  const found = await findItem(database, context, snapshot, snapshotTable, context.params.snapshotId ?? '');
  if (!found) throw new Problem('not-found', { detail: 'no snapshot has this id' });
  const { snapshotId, status, ksocketSlotId, paused } = found.item as {
    snapshotId: string;
    status: string;
    ksocketSlotId: string | null;
    paused: boolean;
  };
  if (!isRunning({ status }) || !ksocketSlotId)
    throw new Problem('conflict', { detail: context.t('sonar.snapshot.not-running') });
  await checkCapability(context, ksocketSlotId, 'pause');
  await database.transaction((tx) => ksocket.order(tx, ksocketSlotId, { type, snapshotId }));
  return { snapshotId, paused };
}

export const snapshotBehaviour: Behaviour<typeof snapshot, SnapshotServices> = {
  resource: snapshot,
  table: snapshotTable,
  calls: {
    pause: (context) => orderAgent(context, 'pause'),
    resume: (context) => orderAgent(context, 'resume'),
  },
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
      await tx.query('delete from snapshot_refusal where snapshot_id = $1', [id]);
      await tx.query('delete from snapshot where snapshot_id = $1', [id]);
    });
    announce(context, snapshot, id, 'delete');
  },
};

const knownReasons = refusalReasons.map((code) => `'${code}'`).join(', ');
const refusalReason = `(case when f.code in (${knownReasons}) then f.code else 'OTHER' end)`;

export const scanRefusalBehaviour: Behaviour<typeof scanRefusal> = {
  resource: scanRefusal,
  parent: snapshotBehaviour as Behaviour,
  table: rowTable(scanRefusal, {
    from: 'snapshot_refusal f',
    alias: 'f',
    parent: 'snapshot_id',
    without: ['reason', 'errorCode'],
    columns: {
      reason: { sql: refusalReason, type: 'text' },
      errorCode: { sql: 'f.code', type: 'text' },
    },
    select: `f.code, ${refusalReason} as reason`,
    item: (row) => ({ reason: row.reason, errorCode: row.code }),
  }),
};

export const nodeBehaviour: Behaviour<typeof node> = {
  resource: node,
  parent: snapshotBehaviour as Behaviour,
  resolvePath: resolveManagedNodeId,
  table: rowTable(node, {
    from: 'snapshot_node n',
    alias: 'n',
    parent: 'snapshot_id',
    without: nodeDetailFields,
    select: 'n.facts',
    item: nodeDetailsOf,
  }),
};

/** A node of a snapshot is also found by the id of its managed node; the first one if several hosts were merged. */
async function resolveManagedNodeId(context: RequestContext): Promise<void> {
  const { nodeId, snapshotId } = context.params;
  if (!nodeId || !isUuid(nodeId) || !snapshotId || !isUuid(snapshotId)) return;
  const { rows } = await context.services.database.query<{ node_id: string }>(
    `select node_id from snapshot_node
     where space_id = $1 and snapshot_id = $2 and managed_node_id = $3 order by chunk, place limit 1`,
    [context.spaceId, snapshotId, nodeId],
  );
  if (rows[0]) context.params.nodeId = rows[0].node_id;
}

const packageId = `(p.name || ' ' || p.version || ' ' || p.arch)`;

export const nodePackageBehaviour: Behaviour<typeof nodePackage> = {
  resource: nodePackage,
  parent: nodeBehaviour,
  table: {
    ...rowTable(nodePackage, {
      from: 'snapshot_node n cross join lateral jsonb_to_recordset(n.packages) as p(name text, version text, arch text)',
      alias: 'p',
      without: ['packageId'],
      id: { sql: packageId, type: 'text' },
      columns: { packageId: { sql: packageId, type: 'text' } },
      select: `${packageId} as package_id`,
      item: (row) => ({ packageId: row.package_id }),
    }),
    where: 'n.space_id = {space} and n.node_id = {parent}',
  },
};

export const nodeWindowsUpdateBehaviour: Behaviour<typeof nodeWindowsUpdate> = {
  resource: nodeWindowsUpdate,
  parent: nodeBehaviour,
  table: {
    ...rowTable(nodeWindowsUpdate, {
      from: `snapshot_node n cross join lateral (select "hotfixId" as hotfix_id, description, "installedAt" as installed_at
        from jsonb_to_recordset(n.windows_updates) as x("hotfixId" text, description text, "installedAt" timestamptz)) u`,
      alias: 'u',
      id: { sql: 'u.hotfix_id', type: 'text' },
    }),
    where: 'n.space_id = {space} and n.node_id = {parent}',
  },
};
