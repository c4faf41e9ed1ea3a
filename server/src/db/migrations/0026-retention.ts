import type { Migration } from '../migrate.ts';

export const retention: Migration = {
  number: 26,
  name: 'retention',
  up: `
-- How long a space keeps messages and what became of them; without a row it keeps everything.
create table retention (
  space_id uuid primary key,
  message_days integer,
  history_days integer,
  last_run_at timestamptz,
  removed_messages bigint not null default 0,
  removed_events bigint not null default 0,
  removed_records bigint not null default 0,
  version bigint not null default 1,
  updated_at timestamptz not null
);
`,
};
