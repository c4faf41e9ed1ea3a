import type { Migration } from '../migrate.ts';

export const bulkRequester: Migration = {
  number: 16,
  name: 'bulk-requester',
  up: `
-- Name of who asked, as it was then.
alter table bulk_import add column requested_by text;
alter table bulk_export add column requested_by text;
`,
};
