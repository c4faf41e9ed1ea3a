import type { Migration } from '../migrate.ts';

export const alerthub: Migration = {
  number: 3,
  name: 'alerthub',
  up: `
create unique index receive_slot_primary on resource ((body->>'primaryToken')) where kind = 'receive-slot';
create unique index receive_slot_secondary on resource ((body->>'secondaryToken')) where kind = 'receive-slot';

create table message (
  message_id uuid primary key,
  space_id uuid not null,
  receive_slot_id uuid not null,
  receive_slot_kind text not null,
  place text not null,
  received_at timestamptz not null,
  request_url text not null,
  headers jsonb not null,
  body bytea not null,
  size integer not null,
  summary text not null,
  fingerprint bytea not null
);
create index message_received on message (space_id, received_at, message_id);
create index message_slot on message (receive_slot_id, received_at, message_id);
create index message_fingerprint on message (receive_slot_id, fingerprint, received_at);

-- The second arrival of a message, at the other address of its slot; one message absorbs one.
create table message_twin (
  message_id uuid primary key,
  place text not null,
  received_at timestamptz not null
);

-- Messages that wait for their decision, in order of arrival.
create table message_pending (
  seq bigint generated always as identity primary key,
  message_id uuid not null
);

-- The decision log of a message: exactly one row once it is evaluated.
create table decision (
  message_id uuid primary key,
  space_id uuid not null,
  evaluated_at timestamptz not null,
  matched integer not null,
  total integer not null,
  rules jsonb not null,
  notes jsonb not null
);

create table severity (
  space_id uuid not null,
  scope_id uuid not null,
  name text not null,
  value integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (scope_id, name)
);

create table scope_state (
  scope_id uuid primary key,
  space_id uuid not null,
  status text not null,
  severity integer not null,
  last_event_at timestamptz,
  recovery_at timestamptz
);
create index scope_state_recovery on scope_state (recovery_at) where recovery_at is not null;

create table attribute (
  space_id uuid not null,
  scope_id uuid not null,
  name text not null,
  value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (scope_id, name)
);

create table event (
  event_id uuid primary key,
  space_id uuid not null,
  scope_id uuid not null,
  severity_name text not null,
  delta integer not null,
  previous_severity integer not null,
  severity integer not null,
  status_before text not null,
  status text not null,
  source text not null,
  rule_id uuid,
  message_id uuid,
  triggers jsonb not null,
  created_at timestamptz not null
);
create index event_scope on event (scope_id, created_at, event_id);
create index event_message on event (message_id) where message_id is not null;

create table action_record (
  action_record_id uuid primary key,
  space_id uuid not null,
  action_id uuid not null,
  kind text not null,
  status text not null,
  scope_id uuid not null,
  trigger_id uuid not null,
  event_id uuid not null,
  message_id uuid,
  delivery_id text not null,
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  request jsonb not null,
  missing jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index action_record_created on action_record (space_id, created_at, action_record_id);
create index action_record_trigger on action_record (trigger_id, created_at);
create index action_record_scope on action_record (scope_id, created_at);
create index action_record_message on action_record (message_id) where message_id is not null;
`,
};
