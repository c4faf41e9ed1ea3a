// Nodes of a snapshot.
import { node } from '@yagura/core/sonar/snapshot';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { addressColumn, nodeNameColumn } from '../address-order.ts';
import { nodeDetailFields, nodeDetailsOf } from '../node-details.ts';
import { resolveManagedNodeId, snapshotBehaviour } from './snapshot-behaviour.ts';

export const nodeBehaviour: Behaviour<typeof node> = {
  resource: node,
  parent: snapshotBehaviour as Behaviour,
  resolvePath: resolveManagedNodeId,
  table: rowTable(node, {
    from: 'snapshot_node n',
    alias: 'n',
    parent: 'snapshot_id',
    without: nodeDetailFields,
    columns: { displayName: nodeNameColumn('n'), addr: addressColumn('n') },
    select: 'n.facts',
    item: nodeDetailsOf,
  }),
};
