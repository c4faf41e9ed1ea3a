import type { Migration } from '../migrate.ts';

export const messageSearch: Migration = {
  number: 29,
  name: 'message-search',
  up: `
-- The terms that a message is found by: a table of its own, so that storing a message does not wait for it.
create table message_search (
  message_id uuid primary key,
  space_id uuid not null,
  terms tsvector not null
);
create index message_search_terms on message_search using gin (terms);

-- Decided messages that cannot be found yet.
create table message_unindexed (
  seq bigint generated always as identity primary key,
  message_id uuid not null
);
insert into message_unindexed (message_id) select message_id from decision order by message_id;
`,
};
