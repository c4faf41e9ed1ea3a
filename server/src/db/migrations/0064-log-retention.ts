import type { Migration } from '../migrate.ts';

export const logRetention: Migration = {
  number: 64,
  name: 'log-retention',
  up: `
-- How long a space keeps the logs of closed sessions; without a row it keeps them.
create table greac_log_retention (
  space_id uuid primary key,
  log_days integer,
  last_run_at timestamptz,
  removed_sessions bigint not null default 0,
  version bigint not null default 1,
  updated_at timestamptz not null
);

-- From logs_deleted_at on, the logs of a session can no longer be read or added to; while logs_leaving is true, they are
-- still being deleted.
alter table greac_session add column logs_deleted_at timestamptz;
alter table greac_session add column logs_leaving boolean not null default false;
create index greac_session_with_logs on greac_session (space_id, closed_at)
  where status = 'closed' and logs_deleted_at is null;
create index greac_session_logs_leaving on greac_session (space_id, session_id) where logs_leaving;
`,
};
