import type { Migration } from '../migrate.ts';

export const greac: Migration = {
  number: 7,
  name: 'greac',
  up: `
-- What a machine told of itself when it was set up; its token is known as a hash alone.
create table kroker_state (
  kroker_id uuid primary key,
  space_id uuid not null,
  public_key jsonb not null,
  thumbprint text not null,
  token_hash bytea not null unique,
  connected boolean not null default false,
  last_connected_at timestamptz
);

-- Machines that wait for their approval. A row goes when its token is collected or its time is over.
create table kroker_setup (
  setup_id uuid primary key,
  space_id uuid not null,
  user_code text not null,
  device_hash bytea not null unique,
  public_key jsonb not null,
  thumbprint text not null,
  host_name text not null,
  address_hash bytea not null,
  kroker_id uuid,
  denied boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (space_id, user_code)
);
create index kroker_setup_expiry on kroker_setup (expires_at);

create table kroker_log (
  kroker_log_id uuid primary key,
  space_id uuid not null,
  kroker_id uuid not null,
  event text not null,
  subject text not null,
  "user" text,
  created_at timestamptz not null
);
create index kroker_log_kroker on kroker_log (kroker_id, created_at, kroker_log_id);

create table greac_session (
  session_id uuid primary key,
  space_id uuid not null,
  destination_id uuid not null,
  destination_name text not null,
  protocol text not null,
  remarks text not null,
  status text not null,
  opened_at timestamptz not null,
  connected_at timestamptz,
  disconnected_at timestamptz,
  closed_at timestamptz,
  close_reason text,
  -- Since when nobody is in it; null while somebody is, and after it was closed.
  empty_since timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index greac_session_opened on greac_session (space_id, opened_at, session_id);
create index greac_session_destination on greac_session (destination_id) where status = 'opened';
create index greac_session_empty on greac_session (empty_since) where status = 'opened';

-- Who may see the history of a session: the members that its destination had when it was opened.
create table greac_session_member (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  user_id uuid not null,
  primary key (session_id, user_id)
);
create index greac_session_member_user on greac_session_member (user_id, session_id);

create table greac_participant (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  user_id uuid not null,
  joined_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (session_id, user_id)
);
create index greac_participant_seen on greac_participant (seen_at);

-- Encrypted to the log key; the server cannot read it.
create table greac_log (
  session_id uuid not null references greac_session,
  space_id uuid not null,
  kind text not null,
  key_id uuid not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (session_id, kind)
);

create table greac_log_key (
  key_id uuid primary key,
  space_id uuid not null,
  public_key text not null,
  -- Sealed with the secret of the installation; null after it was deleted.
  private_key bytea,
  private_key_deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index greac_log_key_created on greac_log_key (space_id, created_at, key_id);
`,
};
