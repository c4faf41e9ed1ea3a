import type { Migration } from '../migrate.ts';

export const searchNetworks: Migration = {
  number: 57,
  name: 'search-networks',
  up: `
-- Search values now contain routes, listening ports and networks: those of each node are written again after
-- the next scan that finds it.
update managed_node set values_hash = null;
`,
};
