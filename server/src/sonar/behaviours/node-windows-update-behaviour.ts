// Windows updates of the nodes of a snapshot.
import { nodeWindowsUpdate } from '@yagura/core/sonar/snapshot';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { nodeBehaviour } from './node-behaviour.ts';

export const nodeWindowsUpdateBehaviour: Behaviour<typeof nodeWindowsUpdate> = {
  resource: nodeWindowsUpdate,
  parent: nodeBehaviour,
  table: {
    ...rowTable(nodeWindowsUpdate, {
      from: `snapshot_node n cross join lateral (select "hotfixId" as hotfix_id, description, "installedAt" as installed_at
        from jsonb_to_recordset(n.windows_updates) as x("hotfixId" text, description text, "installedAt" timestamptz)) u`,
      alias: 'u',
      id: { sql: 'u.hotfix_id', type: 'text' },
    }),
    where: 'n.space_id = {space} and n.node_id = {parent}',
  },
};
