import type { Migration } from '../migrate.ts';

export const sessionLog: Migration = {
  number: 61,
  name: 'session-log',
  up: `
-- Encrypted to the log key; the server cannot read it.
create table greac_log_chunk (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  kind text not null,
  part integer not null,
  chunk integer not null,
  key_id uuid not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (session_id, kind, part, chunk)
);
insert into greac_log_chunk (session_id, space_id, kind, part, chunk, key_id, body, created_at)
select session_id, space_id, kind, 1, 0, key_id, body, created_at from greac_log;
drop table greac_log;

-- What a gateway has signed at the end of a part.
create table greac_log_seal (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  kind text not null,
  part integer not null,
  chunks integer not null,
  bytes bigint not null,
  digest text not null,
  started_at text not null,
  ended_at text not null,
  signature text not null,
  signing_key text not null,
  created_at timestamptz not null,
  primary key (session_id, kind, part)
);
`,
};
