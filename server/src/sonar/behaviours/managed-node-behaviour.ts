// Managed nodes, and the snapshots that contain one.
import { managedNode, managedNodeSnapshot } from '@yagura/core/sonar/managed-node';
import { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import { network } from '@yagura/core/sonar/network';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import type { Transaction } from '../../db/database.ts';
import type { Behaviour, EditedItem } from '../../resource/behaviour.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { findItem, reloadItem } from '../../resource/item-store.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import { removeNotes } from '../../resource/note-behaviour.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { addressColumn, nodeNameColumn } from '../address-order.ts';
import { type DecisionContext, lockNetwork, mergeNodes, splitNode } from '../node-decisions.ts';
import { nodeDetailFields, nodeDetailsOf } from '../node-details.ts';
import { deleteNodeRows } from '../node-hosts.ts';
import { stateSql } from '../node-state.ts';
import { indexValues } from '../search-index.ts';

export const managedNodeTable: Table = rowTable(managedNode, {
  from: `managed_node m join resource w on w.space_id = m.space_id and w.kind = 'network' and w.id = m.network_id
    cross join lateral (select ${stateSql} as state) s`,
  alias: 'm',
  parent: 'network_id',
  without: [...nodeDetailFields, 'state', 'lastScanSucceededAt'],
  columns: {
    displayName: nodeNameColumn('m'),
    addr: addressColumn('m'),
    state: { sql: 's.state', type: 'text' },
    lastScanSucceededAt: { sql: 'm.last_seen_at', type: 'time' },
  },
  select: 's.state, m.facts, m.last_seen_at, m.version',
  item: (row) => ({ state: row.state, lastScanSucceededAt: row.last_seen_at, ...nodeDetailsOf(row) }),
});

/** Locks the node of the path until the transaction ends. */
export async function lockManagedNode(tx: Transaction, { spaceId, params }: RequestContext): Promise<void> {
  const { managedNodeId } = params;
  if (isUuid(managedNodeId))
    await tx.query('select 1 from managed_node where space_id = $1 and managed_node_id = $2 for update', [
      spaceId,
      managedNodeId,
    ]);
}

/** Updates a node that is visible to the caller and locked, guarded by its version. */
export async function changeManagedNode(
  tx: Transaction,
  context: RequestContext,
  ifMatch: string | undefined,
  write: (id: string, now: string) => Promise<void>,
): Promise<EditedItem> {
  const id = context.params.managedNodeId ?? '';
  const before = await findItem(tx, context, managedNode, managedNodeTable, id);
  if (!before) throw itemNotFound(context, managedNode);
  checkMatch(ifMatch, before.version);
  await write(id, isoTime(context.services.clock.now()));
  await indexValues(tx, [id]);
  return {
    before: before.item,
    after: await reloadItem(tx, context, managedNode, managedNodeTable, id),
    onCommitted: () => announce(context, managedNode, id, 'update'),
  };
}

/** What makes a host of a scan one of its node: a decision of a user, otherwise what the scan recognized. */
const matchedBySql = `(case when n.device_id is not null or d.decision_id is not null then 'manual' else n.matched_by end)`;

export const managedNodeBehaviour: Behaviour<typeof managedNode> = {
  resource: managedNode,
  table: managedNodeTable,
  lock: lockManagedNode,
  edit: (tx, context, input, ifMatch) =>
    changeManagedNode(tx, context, ifMatch, async (id, now) => {
      await tx.query(
        `update managed_node set display_name = $2, named = named or display_name <> $2, remarks = $3, updated_at = $4, version = version + 1
         where managed_node_id = $1`,
        [id, input.displayName, input.remarks, now],
      );
    }),
  async remove(tx, context) {
    const id = context.params.managedNodeId ?? '';
    if (!(await findItem(tx, context, managedNode, managedNodeTable, id)))
      throw itemNotFound(context, managedNode);
    // The same hosts are found anew by the next scan: as before, except that splits stay in force.
    await tx.query(
      `delete from managed_node_signature where managed_node_id = $1
           or managed_node_id in (select device_id from managed_node_device where managed_node_id = $1)`,
      [id],
    );
    await tx.query('delete from managed_node_device where managed_node_id = $1', [id]);
    await tx.query(`delete from node_decision where kind = 'merge' and managed_node_id = $1`, [id]);
    await removeNotes(tx, managedNodeNote, context.spaceId, [id]);
    await tx.query(
      'update snapshot_node set managed_node_id = null, device_id = null where managed_node_id = $1',
      [id],
    );
    await deleteNodeRows(tx, context.spaceId, id);
    return () => announce(context, managedNode, id, 'delete');
  },
  calls: {
    async merge(context, { otherNodeId }) {
      const managedNodeId = context.params.managedNodeId ?? '';
      const decisionId = await decide(context, (tx, decisionContext) =>
        mergeNodes(tx, decisionContext, managedNodeId, otherNodeId),
      );
      announce(context, managedNode, otherNodeId, 'delete');
      announce(context, managedNode, managedNodeId, 'update');
      return { managedNodeId, decisionId };
    },
    async split(context, { nodeId }) {
      const managedNodeId = context.params.managedNodeId ?? '';
      const made = await decide(context, (tx, decisionContext) =>
        splitNode(tx, decisionContext, managedNodeId, nodeId),
      );
      announce(context, managedNode, made.managedNodeId, 'create');
      announce(context, managedNode, managedNodeId, 'update');
      return made;
    },
  },
};

/** Runs a decision about a node that the caller sees, while no scan of its network is aggregated. */
async function decide<T>(
  context: CallContext,
  work: (tx: Transaction, decisionContext: DecisionContext) => Promise<T>,
): Promise<T> {
  return context.transaction(async (tx) => {
    const decisionContext = decisionContextOf(context);
    await lockNetwork(tx, decisionContext);
    const id = context.params.managedNodeId ?? '';
    const node = await findItem(tx, context, managedNode, managedNodeTable, id);
    if (!node) throw itemNotFound(context, managedNode);
    return work(tx, decisionContext);
  });
}

export function decisionContextOf(context: RequestContext): DecisionContext {
  const { services, spaceId, params, principal, t } = context;
  const { networkId } = params;
  if (!isUuid(networkId)) throw itemNotFound(context, network);
  return {
    ...{ spaceId, networkId, t },
    now: isoTime(services.clock.now()),
    nextId: services.nextId,
    createdBy: principal.displayName,
  };
}

export const managedNodeSnapshotBehaviour: Behaviour<typeof managedNodeSnapshot> = {
  resource: managedNodeSnapshot,
  parent: managedNodeBehaviour,
  table: rowTable(managedNodeSnapshot, {
    from: `snapshot_node n join snapshot s on s.snapshot_id = n.snapshot_id left join node_decision d on d.network_id = n.network_id and d.kind = 'split'
      and d.other_node_id = n.managed_node_id`,
    alias: 'n',
    parent: 'managed_node_id',
    without: ['matchedBy'],
    columns: { matchedBy: { sql: matchedBySql, type: 'text' } },
    select: `${matchedBySql} as matched_by`,
    item: (row) => ({ matchedBy: row.matched_by ?? null }),
  }),
};
