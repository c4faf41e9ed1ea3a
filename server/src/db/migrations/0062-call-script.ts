import type { Migration } from '../migrate.ts';

export const callScript: Migration = {
  number: 62,
  name: 'call-script',
  up: `
-- What happened in the call, in order: a list of call events.
alter table pigeon_call add column script jsonb not null default '[]';

-- Calls of a day (UTC) over a trunk of the sip line, for its daily limit.
create table pigeon_trunk_usage (
  trunk text not null,
  day date not null,
  calls integer not null,
  primary key (trunk, day)
);
`,
};
