import type { Migration } from '../migrate.ts';

export const trouble: Migration = {
  number: 38,
  name: 'trouble',
  up: `
-- Work that failed for good and has no record of its own that the notification addresses could be told by.
create table trouble (
  trouble_id uuid primary key,
  space_id uuid not null,
  -- message: the receive slot of one that could not be decided; trigger: a waiting one; scope: one that could not recover.
  kind text not null,
  subject_id uuid not null,
  about_id uuid,
  reason jsonb not null,
  created_at timestamptz not null,
  noticed_at timestamptz
);
create index trouble_unnoticed on trouble (space_id, subject_id) where noticed_at is null;
create index trouble_noticed on trouble (noticed_at) where noticed_at is not null;

-- Messages that could be neither decided nor marked as undecided; due_at is null once they are back in the line.
create table message_set_aside (
  message_id uuid primary key,
  space_id uuid not null,
  attempts integer not null,
  due_at timestamptz,
  reason jsonb not null
);
create index message_set_aside_due on message_set_aside (due_at) where due_at is not null;

-- How often a row was put behind the others because it could be neither done nor ended.
alter table waiting_trigger add column attempts integer not null default 0;
alter table runbook_record add column attempts integer not null default 0;

-- When a failed runbook was told of, or need not be.
alter table runbook_record add column noticed_at timestamptz;
update runbook_record set noticed_at = updated_at where status = 'failed';
create index runbook_record_unnoticed on runbook_record (space_id, runbook_id)
  where status = 'failed' and noticed_at is null;

-- Actions whose deliveries keep failing: since when, how often, when that was told of and when one was delivered again.
create table action_trouble (
  space_id uuid not null,
  action_id uuid primary key,
  since timestamptz not null,
  late_at timestamptz not null,
  late_count integer not null,
  reason jsonb,
  worked_at timestamptz,
  told_at timestamptz
);
`,
};
