// Managed nodes and their sub-resources.

import { Problem } from '@yagura/core/http/problem';
import {
  managedNode,
  managedNodePackage,
  managedNodeSnapshot,
  managedNodeTags,
  managedNodeWindowsUpdate,
} from '@yagura/core/sonar/managed-node';
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
async function change(
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
    change(context, ifMatch, async (tx, id, now) => {
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

export const managedNodeTagsBehaviour: Behaviour<typeof managedNodeTags> = {
  resource: managedNodeTags,
  async show(context) {
    const { database } = context.services;
    return tagsOf(
      await findItem(database, context, managedNode, managedNodeTable, context.params.managedNodeId ?? ''),
    );
  },
  async edit(context, input, ifMatch) {
    const { tags } = input;
    const stored = await change(context, ifMatch, async (tx, id, now) => {
      await tx.query(
        'update managed_node set tags = $2, updated_at = $3, version = version + 1 where managed_node_id = $1',
        [id, JSON.stringify(tags), now],
      );
      await tx.query('delete from managed_node_tag where managed_node_id = $1', [id]);
      await tx.query(
        `insert into managed_node_tag (space_id, network_id, managed_node_id, key, value)
         select $1, $2, $3, key, value from unnest($4::text[], $5::text[]) as x(key, value)`,
        [context.spaceId, context.params.networkId, id, Object.keys(tags), Object.values(tags)],
      );
    });
    return tagsOf(stored)!;
  },
};

function tagsOf(stored: StoredItem | null): StoredItem | null {
  if (!stored) return null;
  const { managedNodeId, tags } = stored.item;
  return { version: stored.version, item: { managedNodeId, tags } };
}

const packageId = `(p.name || ' ' || p.version || ' ' || p.arch)`;

export const managedNodePackageBehaviour: Behaviour<typeof managedNodePackage> = {
  resource: managedNodePackage,
  parent: managedNodeBehaviour,
  table: {
    ...rowTable(managedNodePackage, {
      from: 'managed_node_package l join package p on p.package_id = l.package_id',
      alias: 'p',
      without: ['packageId'],
      id: { sql: packageId, type: 'text' },
      columns: { packageId: { sql: packageId, type: 'text' } },
      select: `${packageId} as package_id`,
      item: (row) => ({ packageId: row.package_id }),
    }),
    where: 'l.space_id = {space} and l.managed_node_id = {parent}',
  },
};

export const managedNodeWindowsUpdateBehaviour: Behaviour<typeof managedNodeWindowsUpdate> = {
  resource: managedNodeWindowsUpdate,
  parent: managedNodeBehaviour,
  table: {
    ...rowTable(managedNodeWindowsUpdate, {
      from: `managed_node m cross join lateral (select "hotfixId" as hotfix_id, description, "installedAt" as installed_at
        from jsonb_to_recordset(m.windows_updates) as x("hotfixId" text, description text, "installedAt" timestamptz)) u`,
      alias: 'u',
      id: { sql: 'u.hotfix_id', type: 'text' },
    }),
    where: 'm.space_id = {space} and m.managed_node_id = {parent}',
  },
};

export const managedNodeSnapshotBehaviour: Behaviour<typeof managedNodeSnapshot> = {
  resource: managedNodeSnapshot,
  parent: managedNodeBehaviour,
  table: rowTable(managedNodeSnapshot, { from: 'snapshot_node n', alias: 'n', parent: 'managed_node_id' }),
};
