import type { Migration } from '../migrate.ts';

export const runbook: Migration = {
  number: 12,
  name: 'runbook',
  up: `
alter table waiting_trigger add column depth integer not null default 0;

-- An action may also be run by a runbook: then no trigger and no event stand behind it.
alter table action_record add column runbook_record_id uuid;
-- The answer that a runbook waits for: status, headers and body.
alter table action_record add column output jsonb;

create table runbook_record (
  runbook_record_id uuid primary key,
  space_id uuid not null,
  runbook_id uuid not null,
  status text not null,
  origin text not null,
  source_message_id uuid,
  source_scope_id uuid,
  trigger_id uuid,
  event_id uuid,
  rerun_of uuid,
  depth integer not null,
  display_name text not null,
  -- The graph and the data as they were when the record was requested.
  flow jsonb not null,
  context jsonb not null,
  reason jsonb,
  -- The step to run next, the action record that is waited for, and when to look again; null when it has ended.
  at_step text,
  waits_for uuid,
  due_at timestamptz,
  requested_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null
);
create index runbook_record_requested on runbook_record (space_id, requested_at, runbook_record_id);
create index runbook_record_due on runbook_record (due_at) where due_at is not null;
create index runbook_record_waits on runbook_record (waits_for) where waits_for is not null;
create index runbook_record_message on runbook_record (source_message_id) where source_message_id is not null;
create index runbook_record_trigger on runbook_record (trigger_id, requested_at) where trigger_id is not null;

create table runbook_record_step (
  runbook_record_id uuid not null,
  space_id uuid not null,
  seq integer not null,
  step_id text not null,
  flow_step_id text not null,
  kind text not null,
  display_name text not null,
  status text not null,
  input jsonb,
  output jsonb,
  reason jsonb,
  action_record_id uuid,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (runbook_record_id, seq),
  unique (runbook_record_id, step_id)
);
`,
};
