import type { Migration } from '../migrate.ts';

export const identity: Migration = {
  number: 2,
  name: 'identity',
  up: `
create table person (
  user_id uuid primary key,
  space_id uuid not null references space,
  email text not null,
  display_name text not null,
  -- argon2id in PHC form; null: cannot sign in with a password.
  password_hash text,
  privileged boolean not null default false,
  roles text[] not null default '{}',
  disabled boolean not null default false,
  -- Access tokens carry it; counting up ends all that were issued before.
  token_epoch integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index person_email on person (space_id, lower(email));
create index person_created on person (space_id, created_at, user_id);

create table api_token (
  api_token_id uuid primary key,
  space_id uuid not null references space,
  user_id uuid not null references person on delete cascade,
  display_name text not null,
  -- SHA-256 of the token, which is shown once and kept nowhere.
  token_hash bytea not null unique,
  -- Null: all that its owner may do.
  roles text[],
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index api_token_name on api_token (space_id, display_name);
create index api_token_created on api_token (space_id, created_at, api_token_id);
create index api_token_owner on api_token (user_id);

-- What the embedded OpenID provider remembers: sessions, grants, codes, refresh tokens, sign-ins under way.
create table oidc_payload (
  space_id uuid not null references space,
  model text not null,
  -- Of codes and refresh tokens the SHA-256, so that the table gives nobody a token.
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  expires_at timestamptz(3),
  consumed_at timestamptz(3),
  primary key (space_id, model, id)
);
create index oidc_payload_grant on oidc_payload (space_id, grant_id) where grant_id is not null;
create index oidc_payload_uid on oidc_payload (space_id, uid) where uid is not null;
create index oidc_payload_user_code on oidc_payload (space_id, user_code) where user_code is not null;
create index oidc_payload_account on oidc_payload (space_id, (payload->>'accountId'));
create index oidc_payload_expiry on oidc_payload (expires_at);

create table oidc_key (
  kid text primary key,
  space_id uuid not null references space,
  public_jwk jsonb not null,
  -- The private JWK, encrypted with the server's secret.
  private_jwk bytea not null,
  created_at timestamptz(3) not null,
  -- From then on it signs nothing more, but what it signed is still verified.
  retired_at timestamptz(3)
);
create index oidc_key_space on oidc_key (space_id, created_at);

-- Failed sign-ins of an account name or a network address, which are kept as keyed hashes.
create table signin_attempt (
  space_id uuid not null references space,
  kind text not null,
  subject bytea not null,
  failures integer not null,
  failed_at timestamptz(3) not null,
  locked_until timestamptz(3),
  primary key (space_id, kind, subject)
);
create index signin_attempt_age on signin_attempt (failed_at);
`,
};
