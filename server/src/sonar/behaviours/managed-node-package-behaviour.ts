// Packages of managed nodes.
import { managedNodePackage } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { managedNodeBehaviour } from './managed-node-behaviour.ts';
import { packageColumns } from './package-columns.ts';

export const managedNodePackageBehaviour: Behaviour<typeof managedNodePackage> = {
  resource: managedNodePackage,
  parent: managedNodeBehaviour,
  table: {
    ...rowTable(managedNodePackage, {
      from: 'managed_node_package l join package p on p.package_id = l.package_id',
      ...packageColumns,
    }),
    where: 'l.space_id = {space} and l.managed_node_id = {parent}',
  },
};
