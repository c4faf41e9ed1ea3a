// Tags of managed nodes.
import { managedNode, managedNodeTags } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { findItem, type StoredItem } from '../../resource/item-store.ts';
import { setTags } from '../node-hosts.ts';
import { changeManagedNode, lockManagedNode, managedNodeTable } from './managed-node-behaviour.ts';

export const managedNodeTagsBehaviour: Behaviour<typeof managedNodeTags> = {
  resource: managedNodeTags,
  lock: lockManagedNode,
  async show(context) {
    const { database } = context.services;
    return tagsOf(
      await findItem(database, context, managedNode, managedNodeTable, context.params.managedNodeId ?? ''),
    );
  },
  async edit(tx, context, input, ifMatch) {
    const { tags } = input;
    const { before, after, onCommitted } = await changeManagedNode(tx, context, ifMatch, async (id, now) => {
      await setTags(tx, id, tags);
      await tx.query(
        'update managed_node set updated_at = $2, version = version + 1 where managed_node_id = $1',
        [id, now],
      );
    });
    return { before: pickTags(before!), after: tagsOf(after)!, onCommitted };
  },
};

function tagsOf(stored: StoredItem | null): StoredItem | null {
  if (!stored) return null;
  return { version: stored.version, item: pickTags(stored.item) };
}

function pickTags({ managedNodeId, tags }: StoredItem['item']): StoredItem['item'] {
  return { managedNodeId, tags };
}
