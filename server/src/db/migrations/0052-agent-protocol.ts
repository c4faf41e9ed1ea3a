import type { Migration } from '../migrate.ts';

export const agentProtocol: Migration = {
  number: 52,
  name: 'agent-protocol',
  up: `
alter table ksocket_connection
  add column protocol integer not null default 1,
  add column capabilities jsonb not null default '[]',
  -- How far the agent's clock is ahead of the server's; null if the agent did not tell its time.
  add column clock_offset integer;

alter table snapshot
  add column phase text,
  add column found integer,
  add column per_second double precision,
  add column seconds_left integer,
  add column paused boolean not null default false,
  add column number_of_refusals integer not null default 0;

-- Kind of the signature by which a host was recognized.
alter table snapshot_node add column matched_by text;

-- Hosts that answered a scan but gave no data.
create table snapshot_refusal (
  refusal_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  snapshot_id uuid not null,
  chunk integer not null,
  place integer not null,
  addr text not null,
  protocol text not null,
  code text not null,
  credential text,
  created_at timestamptz(3) not null
);
create unique index snapshot_refusal_place on snapshot_refusal (snapshot_id, chunk, place);

-- Values of signatures that several devices of a network have; they identify none of them.
create table cloned_signature (
  space_id uuid not null,
  network_id uuid not null,
  kind text not null,
  value text not null,
  primary key (network_id, kind, value)
);
`,
};
