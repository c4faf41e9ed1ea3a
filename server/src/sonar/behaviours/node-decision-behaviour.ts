// Decisions of users about managed nodes; deleting one undoes it.
import { managedNode, nodeDecision } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { assertParentVisible, findItem } from '../../resource/item-store.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import { lockNetwork, undoDecision } from '../node-decisions.ts';
import { decisionContextOf, managedNodeBehaviour } from './managed-node-behaviour.ts';

/** A decision is listed at both of its nodes. */
const table: Table = {
  ...rowTable(nodeDecision, { from: 'node_decision d', alias: 'd' }),
  where: 'd.space_id = {space} and {parent} in (d.managed_node_id, d.other_node_id)',
};

export const nodeDecisionBehaviour: Behaviour<typeof nodeDecision> = {
  resource: nodeDecision,
  parent: managedNodeBehaviour,
  table,
  async remove(tx, context) {
    const id = context.params.decisionId ?? '';
    const decisionContext = decisionContextOf(context);
    await lockNetwork(tx, decisionContext);
    await assertParentVisible(tx, context, nodeDecision, managedNodeBehaviour);
    if (!(await findItem(tx, context, nodeDecision, table, id))) throw itemNotFound(context, nodeDecision);
    const { keptId, otherId, isOtherRestored } = await undoDecision(tx, decisionContext, id);
    return () => {
      announce(context, nodeDecision, id, 'delete');
      announce(context, managedNode, otherId, isOtherRestored ? 'create' : 'delete');
      announce(context, managedNode, keptId, 'update');
    };
  },
};
