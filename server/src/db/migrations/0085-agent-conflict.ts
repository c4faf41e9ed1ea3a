import type { Migration } from '../migrate.ts';

export const agentConflict: Migration = {
  number: 85,
  name: 'agent-conflict',
  up: `
-- When a running agent of the slot was last replaced by this connection or an earlier one, and its address; null if none was.
alter table ksocket_connection add column replaced_at timestamptz;
alter table ksocket_connection add column replaced_address text;
-- When that last happened soon after the time before: two agents replace each other.
alter table ksocket_connection add column conflict_at timestamptz;
`,
};
