import type { Migration } from '../migrate.ts';

export const factor: Migration = {
  number: 10,
  name: 'factor',
  up: `
-- The secret of one-time passwords (RFC 6238), encrypted with the server's secret.
create table person_totp (
  user_id uuid primary key references person on delete cascade,
  space_id uuid not null references space,
  sealed bytea not null,
  -- Null: made, but not yet confirmed by a code.
  enabled_at timestamptz(3),
  -- Number of the 30 seconds whose code was used last: no code works twice.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null
);

-- Keyed hashes; a used code is deleted.
create table recovery_code (
  space_id uuid not null references space,
  user_id uuid not null references person on delete cascade,
  code_hash bytea not null,
  primary key (space_id, user_id, code_hash)
);

create table remembered_browser (
  token_hash bytea primary key,
  space_id uuid not null references space,
  user_id uuid not null references person on delete cascade,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index remembered_browser_person on remembered_browser (space_id, user_id);

create table passkey (
  passkey_id uuid primary key,
  space_id uuid not null references space,
  user_id uuid not null references person on delete cascade,
  display_name text not null,
  -- As the browser names it, base64url.
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  synced boolean not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index passkey_credential on passkey (space_id, credential_id);
create unique index passkey_name on passkey (user_id, lower(display_name));

-- When and from where each sign-in that still stands was made.
create table sign_in_session (
  space_id uuid not null references space,
  grant_id text not null,
  sign_in_session_id uuid not null,
  user_id uuid not null references person on delete cascade,
  client text not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null,
  primary key (space_id, grant_id)
);
create index sign_in_session_person on sign_in_session (space_id, user_id, created_at);
`,
};
