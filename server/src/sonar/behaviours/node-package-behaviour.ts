// Packages of the nodes of a snapshot.
import { nodePackage } from '@yagura/core/sonar/snapshot';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { nodeBehaviour } from './node-behaviour.ts';
import { packageColumns } from './package-columns.ts';

export const nodePackageBehaviour: Behaviour<typeof nodePackage> = {
  resource: nodePackage,
  parent: nodeBehaviour,
  table: {
    ...rowTable(nodePackage, {
      from: 'snapshot_node n cross join lateral jsonb_to_recordset(n.packages) as p(name text, version text, arch text)',
      ...packageColumns,
    }),
    where: 'n.space_id = {space} and n.node_id = {parent}',
  },
};
