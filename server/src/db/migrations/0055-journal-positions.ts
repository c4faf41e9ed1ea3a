import type { Migration } from '../migrate.ts';

export const journalPositions: Migration = {
  number: 55,
  name: 'journal-positions',
  up: `
-- How far each intake journal was taken over; the statement that stores its messages advances the position. A server
-- that opens a journal continues it under a new id and ends the previous one, so that nobody else stores from it.
create table intake_journal (
  journal_id uuid primary key,
  stored_up_to bigint not null,
  opened_at timestamptz not null,
  ended_at timestamptz
);
-- Journals of earlier releases have no id.
insert into intake_journal (journal_id, stored_up_to, opened_at)
select '00000000-0000-0000-0000-000000000000', place, now() from intake_mark;
drop table intake_mark;
`,
};
