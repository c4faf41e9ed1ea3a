import type { Migration } from '../migrate.ts';

export const waitingTrigger: Migration = {
  number: 5,
  name: 'waiting-trigger',
  up: `
-- Triggers that are looked at again at a time: when a mute schedule ends.
create table waiting_trigger (
  waiting_trigger_id uuid primary key,
  space_id uuid not null,
  scope_id uuid not null,
  trigger_id uuid not null,
  event_id uuid not null,
  message_id uuid,
  cause text not null,
  mute_schedule_id uuid,
  due_at timestamptz not null,
  trigger_values jsonb not null
);
create index waiting_trigger_due on waiting_trigger (due_at, waiting_trigger_id);
create index waiting_trigger_scope on waiting_trigger (scope_id);
create index waiting_trigger_trigger on waiting_trigger (trigger_id);
`,
};
