import type { Migration } from '../migrate.ts';

export const naturalOrder: Migration = {
  number: 80,
  name: 'natural-order',
  up: `
-- Digits in names are compared as numbers: 10.0.0.9 before 10.0.0.10, web2 before web10.
-- The embedded database ignores the same option in a language tag, und-u-kn.
create collation natural_order (provider = icu, locale = 'und@colNumeric=yes');
drop index managed_node_name;
create index managed_node_name on managed_node (network_id, display_name collate natural_order nulls first, managed_node_id);
drop index snapshot_node_name;
create index snapshot_node_name on snapshot_node (snapshot_id, display_name collate natural_order nulls first, node_id);
`,
};
