import type { Migration } from '../migrate.ts';

export const messageBodyPart: Migration = {
  number: 72,
  name: 'message body part',
  up: `
-- The rest of a large body behind what the row of its message holds, in order. The parts are stored before the
-- message, so that no statement writes all of them.
create table message_body_part (
  message_id uuid not null,
  -- Bytes of the body before this part.
  start integer not null,
  space_id uuid not null,
  bytes bytea not null,
  primary key (message_id, start)
);
alter table message_body_part alter column bytes set statistics 0;
`,
};
