import type { Migration } from '../migrate.ts';

export const audit: Migration = {
  number: 14,
  name: 'audit',
  up: `
-- Who did what: appended only, each record sealed with the hash of the one before.
create table audit_record (
  audit_record_id uuid primary key,
  space_id uuid not null references space,
  number bigint not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  api_token_id uuid,
  address text not null,
  user_agent text not null,
  action text not null,
  outcome text not null,
  resource text not null,
  resource_id text,
  detail text,
  before jsonb,
  after jsonb,
  hash bytea not null
);
create unique index audit_record_number on audit_record (space_id, number);
create index audit_record_resource on audit_record (space_id, resource, resource_id);
create index audit_record_actor on audit_record (space_id, actor_id);

-- Where the chain of a space ends, and where what is kept of it begins.
create table audit_chain (
  space_id uuid primary key references space,
  last_number bigint not null,
  last_hash bytea not null,
  kept_after bigint not null default 0,
  kept_hash bytea not null
);
`,
};
