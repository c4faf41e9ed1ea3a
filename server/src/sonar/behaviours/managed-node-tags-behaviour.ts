// Tags of managed nodes.
import { managedNode, managedNodeTags } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { findItem, type StoredItem } from '../../resource/item-store.ts';
import { changeManagedNode, managedNodeTable } from './managed-node-behaviour.ts';

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
    const stored = await changeManagedNode(context, ifMatch, async (tx, id, now) => {
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
