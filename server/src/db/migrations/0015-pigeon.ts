import type { Migration } from '../migrate.ts';

export const pigeon: Migration = {
  number: 15,
  name: 'pigeon',
  up: `
-- A chain of calls and what became of it: the result that people see, and the state that the engine goes on from.
create table pigeon_chain (
  result_id uuid primary key,
  space_id uuid not null references space,
  status text not null,
  reason text,
  callflow jsonb not null,
  guidance jsonb not null,
  parameters jsonb not null,
  message text not null,
  line text not null,
  source text not null,
  loop integer not null,
  number_of_calls integer not null,
  key_input text,
  plan jsonb not null,
  state jsonb not null,
  -- When the engine must look again; null while it waits for a line and when it is over.
  due_at timestamptz,
  -- The process that holds the call under way, until its lease runs out.
  owner text,
  lease_until timestamptz,
  action_record_id uuid unique,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index pigeon_chain_created on pigeon_chain (space_id, created_at, result_id);
create index pigeon_chain_waiting on pigeon_chain (created_at, result_id) where status = 'waiting';
create index pigeon_chain_active on pigeon_chain (due_at) where status in ('preparing', 'processing', 'aborting');

create table pigeon_call (
  call_id uuid primary key,
  space_id uuid not null references space,
  result_id uuid not null references pigeon_chain,
  number integer not null,
  loop integer not null,
  contact jsonb not null,
  phone_number text not null,
  status text not null,
  transfer boolean not null,
  key_input text,
  behavior text,
  readings integer not null,
  reason text,
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz
);
create index pigeon_call_result on pigeon_call (result_id, number);

alter table action_record add column result_id uuid;
`,
};
