// Windows updates of managed nodes.
import { managedNodeWindowsUpdate } from '@yagura/core/sonar/managed-node';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { managedNodeBehaviour } from './managed-node-behaviour.ts';

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
