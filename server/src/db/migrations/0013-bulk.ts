import type { Migration } from '../migrate.ts';

export const bulk: Migration = {
  number: 13,
  name: 'bulk',
  up: `
-- Integers that stand for ids in files.
create table bulk_key (
  space_id uuid not null,
  kind text not null,
  id uuid not null,
  key integer not null,
  primary key (space_id, kind, id)
);
create unique index bulk_key_key on bulk_key (space_id, kind, key);

create table bulk_import (
  import_id uuid primary key,
  space_id uuid not null references space,
  kind text not null,
  status text not null,
  file_name text not null,
  size bigint not null default 0,
  creates integer not null default 0,
  updates integer not null default 0,
  deletes integer not null default 0,
  unchanged integer not null default 0,
  error_count integer not null default 0,
  -- Key of a word that says why it failed.
  reason text,
  -- While it is processing: after that nobody works on it any more.
  lease_until timestamptz,
  requested_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz
);
create index bulk_import_space on bulk_import (space_id, kind, requested_at, import_id);
create index bulk_import_processing on bulk_import (space_id, status) where status = 'processing';

-- The plan of an import: what becomes of each row of the file.
create table bulk_import_row (
  import_id uuid not null references bulk_import on delete cascade,
  line integer not null,
  operation text not null,
  item_id uuid,
  parent_id uuid,
  key integer,
  version text,
  name text not null,
  -- The row's item as files see it, before and after.
  before jsonb,
  after jsonb,
  -- What is to be stored.
  body jsonb,
  unique_key text,
  named jsonb not null default '[]',
  primary key (import_id, line)
);
create index bulk_import_row_item on bulk_import_row (import_id, item_id);

create table bulk_import_error (
  import_id uuid not null references bulk_import on delete cascade,
  position integer not null,
  line integer not null,
  column_name text,
  en text not null,
  ja text not null,
  primary key (import_id, position)
);

create table bulk_export (
  export_id uuid primary key,
  space_id uuid not null references space,
  kind text not null,
  status text not null,
  file_name text not null,
  size bigint not null default 0,
  rows integer not null default 0,
  lease_until timestamptz,
  requested_at timestamptz not null,
  ended_at timestamptz
);
create index bulk_export_space on bulk_export (space_id, kind, requested_at, export_id);

create table bulk_export_chunk (
  export_id uuid not null references bulk_export on delete cascade,
  part integer not null,
  data bytea not null,
  primary key (export_id, part)
);
`,
};
