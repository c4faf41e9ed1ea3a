import type { Migration } from '../migrate.ts';

export const snapshotAndResultRetention: Migration = {
  number: 78,
  name: 'snapshot-and-result-retention',
  up: `
-- How long a space keeps snapshots and call results; without a row it keeps them.
create table sonar_snapshot_retention (
  space_id uuid primary key,
  snapshot_days integer,
  last_run_at timestamptz,
  removed_snapshots bigint not null default 0,
  version bigint not null default 1,
  updated_at timestamptz not null
);
create table pigeon_result_retention (
  space_id uuid primary key,
  result_days integer,
  last_run_at timestamptz,
  removed_results bigint not null default 0,
  version bigint not null default 1,
  updated_at timestamptz not null
);
create index pigeon_chain_ended on pigeon_chain (space_id, ended_at) where ended_at is not null;

create index snapshot_created on snapshot (space_id, created_at);

-- Deleted snapshots whose hosts and refusals are still being deleted.
create table removed_snapshot (
  snapshot_id uuid primary key,
  space_id uuid not null
);
`,
};
