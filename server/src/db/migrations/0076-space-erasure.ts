import type { Migration } from '../migrate.ts';

export const spaceErasure: Migration = {
  number: 76,
  name: 'space-erasure',
  up: `
-- Since when the rows of a cancelled space are deleted in batches. It is not served any more, and its host name is free.
alter table space add column erasing_since timestamptz(3);
drop index space_host;
create unique index space_host on space (coalesce(host, '')) where erasing_since is null;
`,
};
