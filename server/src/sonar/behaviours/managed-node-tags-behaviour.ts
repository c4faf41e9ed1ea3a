// Tags of managed nodes.
import { managedNode, managedNodeTags } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { findItem, type StoredItem } from '../../resource/item-store.ts';
import { setTags } from '../node-hosts.ts';
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
      await setTags(tx, id, tags);
      await tx.query(
        'update managed_node set updated_at = $2, version = version + 1 where managed_node_id = $1',
        [id, now],
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
