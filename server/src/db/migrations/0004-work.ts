import type { Migration } from '../migrate.ts';

export const work: Migration = {
  number: 4,
  name: 'work',
  up: `
create table task (
  task_id uuid primary key,
  space_id uuid not null references space,
  namespace text not null,
  method text not null,
  params jsonb not null,
  status text not null,
  progress integer,
  error_descriptor jsonb,
  result jsonb,
  snapshot_id uuid,
  task_schedule_id uuid,
  late boolean not null default false,
  -- Null when a schedule started it.
  requested_by uuid,
  abort_requested boolean not null default false,
  -- The process that runs it, and until when it is believed to live.
  owner text,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  updated_at timestamptz(3) not null
);
create index task_created on task (space_id, created_at, task_id);
create index task_open on task (status, created_at, task_id) where status in ('requested', 'started');
create index task_network on task (space_id, (params #>> '{networkId}')) where params ? 'networkId';

-- When a schedule, a row of resource, runs next. No row: never again.
create table task_schedule (
  task_schedule_id uuid primary key,
  space_id uuid not null references space,
  namespace text not null,
  next_run_at timestamptz(3),
  last_run_at timestamptz(3),
  last_task_id uuid
);
create index task_schedule_due on task_schedule (next_run_at) where next_run_at is not null;
`,
};
