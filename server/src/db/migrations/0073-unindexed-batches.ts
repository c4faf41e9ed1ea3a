import type { Migration } from '../migrate.ts';

export const unindexedBatches: Migration = {
  number: 73,
  name: 'unindexed batches',
  up: `
-- One row for the messages that are evaluated together: a row and an index entry for each message took a tenth of
-- the time of the statement that stores them.
alter table message_unindexed add column message_ids uuid[];
update message_unindexed set message_ids = array[message_id];
alter table message_unindexed alter column message_ids set not null, drop column message_id;
`,
};
