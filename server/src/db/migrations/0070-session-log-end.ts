import type { Migration } from '../migrate.ts';

export const sessionLogEnd: Migration = {
  number: 70,
  name: 'session log end',
  up: `
-- What a gateway has signed at the end of a log: how many parts it has, and what they contain.
create table greac_log_end (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  kind text not null,
  parts integer not null,
  bytes bigint not null,
  digest text not null,
  reason text not null,
  ended_at text not null,
  signature text not null,
  signing_key text not null,
  created_at timestamptz not null,
  primary key (session_id, kind)
);
`,
};
