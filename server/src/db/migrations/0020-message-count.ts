import type { Migration } from '../migrate.ts';

export const messageCount: Migration = {
  number: 20,
  name: 'message-count',
  up: `
-- Messages of each slot by the hour of their arrival, counted as they are decided; what retention removes stays counted.
create table message_count (
  space_id uuid not null,
  receive_slot_id uuid not null,
  hour timestamptz not null,
  received integer not null,
  matched integer not null,
  primary key (receive_slot_id, hour)
);
create index message_count_hour on message_count (space_id, hour, receive_slot_id) include (received, matched);
insert into message_count (space_id, receive_slot_id, hour, received, matched)
select m.space_id, m.receive_slot_id, date_trunc('hour', m.received_at, 'UTC'), count(*),
  count(*) filter (where d.matched > 0)
from message m join decision d using (message_id)
group by 1, 2, 3;
`,
};
