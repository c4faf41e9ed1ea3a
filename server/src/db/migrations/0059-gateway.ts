import type { Migration } from '../migrate.ts';

export const gateway: Migration = {
  number: 59,
  name: 'gateway',
  up: `
alter table kroker_state
  add column gateway_version text,
  -- Ed25519 public key of the gateway, in base64url.
  add column signing_key text;

-- The connection of each gateway, whichever replica holds it.
create table kroker_connection (
  kroker_id uuid primary key,
  space_id uuid not null,
  instance text not null,
  connection_id uuid not null,
  -- Address at which other replicas reach the one with the connection.
  replica_url text,
  connected_at timestamptz not null,
  seen_at timestamptz not null
);
create index kroker_connection_id on kroker_connection (connection_id);

-- Notifications about gateways that are still to be sent.
create table kroker_notice (
  notice_id uuid primary key,
  space_id uuid not null,
  kroker_id uuid not null,
  setting_name text not null,
  request jsonb not null,
  created_at timestamptz not null
);
`,
};
