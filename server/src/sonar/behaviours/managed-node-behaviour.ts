// Managed nodes, and the snapshots that contain one.
import { Problem } from '@yagura/core/http/problem';
import { managedNode, managedNodeSnapshot } from '@yagura/core/sonar/managed-node';
import { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { announce, checkMatch } from '../../resource/item-operations.ts';
import { findItem, reloadItem, type StoredItem } from '../../resource/item-store.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import { removeNotes } from '../../resource/note-behaviour.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { nodeDetailFields, nodeDetailsOf } from '../node-details.ts';
import { stateSql } from '../node-state.ts';
import { indexValues } from '../search-index.ts';

export const managedNodeTable: Table = rowTable(managedNode, {
  from: `managed_node m join resource w on w.space_id = m.space_id and w.kind = 'network' and w.id = m.network_id
    cross join lateral (select ${stateSql} as state) s`,
  alias: 'm',
  parent: 'network_id',
  without: [...nodeDetailFields, 'state', 'lastScanSucceededAt'],
  columns: {
    state: { sql: 's.state', type: 'text' },
    lastScanSucceededAt: { sql: 'm.last_seen_at', type: 'time' },
  },
  select: 's.state, m.facts, m.last_seen_at, m.version',
  item: (row) => ({ state: row.state, lastScanSucceededAt: row.last_seen_at, ...nodeDetailsOf(row) }),
});

/** Updates a node visible to the caller, guarded by its version. */
export async function changeManagedNode(
  context: RequestContext,
  ifMatch: string | undefined,
  write: (tx: Transaction, id: string, now: string) => Promise<void>,
): Promise<StoredItem> {
  const { database, clock } = context.services;
  const id = context.params.managedNodeId ?? '';
  const stored = await database.transaction(async (tx) => {
    const before = await findItem(tx, context, managedNode, managedNodeTable, id);
    if (!before) throw new Problem('not-found', { detail: 'no managed node has this id' });
    await tx.query('select 1 from managed_node where managed_node_id = $1 for update', [id]);
    const { rows } = await tx.query<{ version: string }>(
      'select version::text as version from managed_node where managed_node_id = $1',
      [id],
    );
    checkMatch(ifMatch, rows[0]!.version);
    await write(tx, id, isoTime(clock.now()));
    await indexValues(tx, [id]);
    return reloadItem(tx, context, managedNode, managedNodeTable, id);
  });
  announce(context, managedNode, id, 'update');
  return stored;
}

export const managedNodeBehaviour: Behaviour<typeof managedNode> = {
  resource: managedNode,
  table: managedNodeTable,
  edit: (context, input, ifMatch) =>
    changeManagedNode(context, ifMatch, async (tx, id, now) => {
      await tx.query(
        `update managed_node set display_name = $2, named = named or display_name <> $2, remarks = $3, updated_at = $4, version = version + 1
         where managed_node_id = $1`,
        [id, input.displayName, input.remarks, now],
      );
    }),
  async remove(context, ifMatch) {
    const { database } = context.services;
    const id = context.params.managedNodeId ?? '';
    await database.transaction(async (tx) => {
      const before = await findItem(tx, context, managedNode, managedNodeTable, id);
      if (!before) throw new Problem('not-found', { detail: 'no managed node has this id' });
      checkMatch(ifMatch, before.version);
      for (const table of ['package', 'value', 'tag', 'signature']) {
        await tx.query(`delete from managed_node_${table} where managed_node_id = $1`, [id]);
      }
      await tx.query("delete from diagram_position where space_id = $1 and element_id = 'node:' || $2", [
        context.spaceId,
        id,
      ]);
      await removeNotes(tx, managedNodeNote, context.spaceId, [id]);
      await tx.query('update snapshot_node set managed_node_id = null where managed_node_id = $1', [id]);
      await tx.query('delete from managed_node where managed_node_id = $1', [id]);
    });
    announce(context, managedNode, id, 'delete');
  },
};

export const managedNodeSnapshotBehaviour: Behaviour<typeof managedNodeSnapshot> = {
  resource: managedNodeSnapshot,
  parent: managedNodeBehaviour,
  table: rowTable(managedNodeSnapshot, { from: 'snapshot_node n', alias: 'n', parent: 'managed_node_id' }),
};
