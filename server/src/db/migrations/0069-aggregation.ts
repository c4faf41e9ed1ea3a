import type { Migration } from '../migrate.ts';

export const aggregation: Migration = {
  number: 69,
  name: 'aggregation',
  up: `
-- Nodes of a snapshot that have been merged into the managed nodes.
alter table snapshot add column number_of_processed_nodes integer not null default 0;
update snapshot set number_of_processed_nodes = number_of_nodes where status = 'succeeded';

create index managed_node_signature_value on managed_node_signature (network_id, kind, value);
drop index managed_node_signature_network;
`,
};
