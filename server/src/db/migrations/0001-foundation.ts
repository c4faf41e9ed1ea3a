import type { Migration } from '../migrate.ts';

export const foundation: Migration = {
  number: 1,
  name: 'foundation',
  up: `
create table space (
  space_id uuid primary key,
  display_name text not null,
  remarks text not null default '',
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table server_secret (
  name text primary key,
  value bytea not null
);

-- Every configured thing: its body is the resource's input, checked by its descriptor before it comes here.
create table resource (
  space_id uuid not null references space,
  kind text not null,
  id uuid not null,
  parent_id uuid,
  unique_key text,
  body jsonb not null,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, kind, id)
);
create unique index resource_unique
  on resource (space_id, kind, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), unique_key)
  where unique_key is not null;
create index resource_parent on resource (space_id, parent_id) where parent_id is not null;
create index resource_created on resource (space_id, kind, created_at, id);

-- Which thing names which: refuses dangling ids and deletes of what is still in use.
create table reference (
  space_id uuid not null,
  from_kind text not null,
  from_id uuid not null,
  to_kind text not null,
  to_id uuid not null,
  primary key (space_id, from_kind, from_id, to_kind, to_id)
);
create index reference_target on reference (space_id, to_kind, to_id);

create table idempotency (
  space_id uuid not null,
  caller text not null,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  reply jsonb not null,
  created_at timestamptz not null,
  primary key (space_id, caller, key)
);

create table job (
  id bigint generated always as identity primary key,
  queue text not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_by text,
  payload jsonb not null
);
create index job_due on job (queue, run_at, id);
`,
};
