// Packages of managed nodes.
import { managedNodePackage } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { managedNodeBehaviour } from './managed-node-behaviour.ts';

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
