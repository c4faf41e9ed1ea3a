import type { Migration } from '../migrate.ts';

export const spaceHost: Migration = {
  number: 27,
  name: 'space-host',
  up: `
-- The host name that selects the space, in lower case; null: the space at the server's own address, of which there is one.
alter table space add column host text;
-- Where people reach it, when that does not follow from the host name and the server's own address.
alter table space add column origin text;
create unique index space_host on space (coalesce(host, ''));
`,
};
