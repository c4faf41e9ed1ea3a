// Networks: user settings, and counts of the nodes found by scans.

import { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import { network } from '@yagura/core/sonar/network';
import { scanTaskName } from '@yagura/core/sonar/scan-schedules';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { bodyTable } from '../../resource/list/table.ts';
import { type EstimateServices, estimateScan } from '../estimate-scan.ts';
import { boundSql } from '../node-state.ts';
import { removeSnapshots } from '../snapshot-retention.ts';

const counters = ['nodes', 'new', 'stable', 'outdated'] as const;
const fieldOf = {
  nodes: 'numberOfNodes',
  new: 'numberOfNewNodes',
  stable: 'numberOfStableNodes',
  outdated: 'numberOfOutdatedNodes',
} as const;

export const networkBehaviour: Behaviour<typeof network, EstimateServices> = {
  resource: network,
  table: bodyTable(network, {
    // Computes the time bounds once per network, so that its nodes are counted from the index on their times
    // alone. The network is bound to the space, and a node to its network.
    join: `left join lateral (
      select ${boundSql('outdatedDays')} as outdated_at, ${boundSql('newDays')} as new_at offset 0
    ) b on true
    left join lateral (
      select count(*)::int as nodes,
        count(*) filter (where m.last_seen_at > b.outdated_at and m.first_seen_at > b.new_at)::int as new,
        count(*) filter (where m.last_seen_at <= b.outdated_at)::int as outdated
      from managed_node m where m.network_id = r.id
    ) c on true
    left join lateral (
      select max(s.terminated_at) as last_at from snapshot s where s.network_id = r.id and s.status = 'succeeded'
    ) l on true`,
    select: 'c.nodes, c.new, c.nodes - c.new - c.outdated as stable, c.outdated, l.last_at',
    columns: {
      ...Object.fromEntries(
        counters.map((name) => [fieldOf[name], { sql: `c.${name}`, type: 'number' as const }]),
      ),
      numberOfStableNodes: { sql: '(c.nodes - c.new - c.outdated)', type: 'number' },
      lastScanSucceededAt: { sql: 'l.last_at', type: 'time' },
    },
    item: (row) => ({
      ...Object.fromEntries(counters.map((name) => [fieldOf[name], row[name]])),
      lastScanSucceededAt: row.last_at ?? null,
    }),
  }),
  calls: { estimate: estimateScan },
  body: (_context, input, before) => ({
    ...input,
    remarks: input.remarks ?? before?.remarks ?? '',
    ksocketSlotId: input.ksocketSlotId === undefined ? (before?.ksocketSlotId ?? null) : input.ksocketSlotId,
  }),
  async afterRemove(tx, context, id) {
    const { spaceId } = context;
    const { rows } = await tx.query<{ snapshot_id: string; ksocket_slot_id: string }>(
      `select snapshot_id, ksocket_slot_id from snapshot where network_id = $1 and status in ('requested', 'started')`,
      [id],
    );
    for (const row of rows) {
      await context.services.ksocket.order(tx, row.ksocket_slot_id, {
        type: 'abort',
        snapshotId: row.snapshot_id,
      });
    }
    await deleteScanSchedules(tx, spaceId, id);
    // Notes that are added meanwhile wait, and find their node gone.
    await tx.query(
      'select 1 from managed_node where space_id = $1 and network_id = $2 order by managed_node_id for update',
      [spaceId, id],
    );
    await tx.query(
      `delete from resource where space_id = $1 and kind = $2
         and parent_id in (select managed_node_id from managed_node where network_id = $3 and space_id = $1)`,
      [spaceId, managedNodeNote.name, id],
    );
    for (const table of ['managed_node_package', 'managed_node_value', 'managed_node_tag']) {
      await tx.query(
        `delete from ${table} where managed_node_id in (select managed_node_id from managed_node where network_id = $1)`,
        [id],
      );
    }
    const { rows: snapshots } = await tx.query<{ id: string }>(
      'select snapshot_id as id from snapshot where network_id = $1 and space_id = $2',
      [id, spaceId],
    );
    await removeSnapshots(
      tx,
      snapshots.map((row) => row.id),
    );
    for (const table of [
      'managed_node',
      'managed_node_signature',
      'managed_node_device',
      'node_decision',
      'cloned_signature',
      'diagram_position',
      'sonar_notification',
    ]) {
      await tx.query(`delete from ${table} where network_id = $1 and space_id = $2`, [id, spaceId]);
    }
  },
};

/** Their tasks would be rejected at every due time. */
async function deleteScanSchedules(tx: Queryable, spaceId: string, networkId: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `delete from resource where space_id = $1 and kind = 'task-schedule' and body->>'namespace' = $2
       and body->>'method' = $3 and body->'params'->>'networkId' = $4 returning id`,
    [spaceId, scanTaskName.namespace, scanTaskName.method, networkId],
  );
  const ids = rows.map(({ id }) => id);
  await tx.query('delete from task_schedule where space_id = $1 and task_schedule_id = any($2::uuid[])', [
    spaceId,
    ids,
  ]);
}
