import type { Migration } from '../migrate.ts';

export const sonar: Migration = {
  number: 8,
  name: 'sonar',
  up: `
create table ksocket_token (
  ksocket_token_id uuid primary key,
  space_id uuid not null references space,
  ksocket_slot_id uuid not null,
  display_name text not null,
  -- SHA-256 of the token, which is shown once and kept nowhere.
  token_hash bytea not null unique,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index ksocket_token_name on ksocket_token (ksocket_slot_id, display_name);

-- The one agent of a slot, in whatever replica; it counts as connected while it is heard of.
create table ksocket_connection (
  ksocket_slot_id uuid primary key,
  space_id uuid not null,
  ksocket_token_id uuid not null,
  instance text not null,
  connection_id uuid not null,
  agent_version text,
  connected_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);

create table snapshot (
  snapshot_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  ksocket_slot_id uuid,
  task_id uuid,
  status text not null,
  reason text,
  settings jsonb not null,
  probed integer not null default 0,
  to_probe integer not null default 0,
  number_of_nodes integer not null default 0,
  number_of_addresses integer not null default 0,
  number_of_created_nodes integer not null default 0,
  number_of_merged_nodes integer not null default 0,
  number_of_unidentified_nodes integer not null default 0,
  -- Last word of the agent about it.
  heard_at timestamptz(3) not null,
  started_at timestamptz(3),
  terminated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index snapshot_network on snapshot (network_id, created_at, snapshot_id);
create index snapshot_running on snapshot (heard_at) where status in ('requested', 'started');

create table snapshot_node (
  node_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  snapshot_id uuid not null,
  -- Chunk and place in it, as the agent numbered them: what comes twice is taken once.
  chunk integer not null,
  place integer not null,
  managed_node_id uuid,
  aggregation_type text,
  display_name text not null,
  addr text,
  macaddr text,
  system_family text not null,
  system_version text not null,
  system_serial text not null,
  vendor text not null,
  facts jsonb not null,
  signatures jsonb not null,
  packages jsonb not null,
  windows_updates jsonb not null,
  number_of_addresses integer not null,
  number_of_packages integer not null,
  number_of_windows_updates integer not null,
  created_at timestamptz(3) not null
);
create unique index snapshot_node_place on snapshot_node (snapshot_id, chunk, place);
create index snapshot_node_name on snapshot_node (snapshot_id, display_name collate "und-x-icu" nulls first, node_id);
create index snapshot_node_managed on snapshot_node (managed_node_id, created_at, node_id) where managed_node_id is not null;

create table managed_node (
  managed_node_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  display_name text not null,
  -- True once a person has named it.
  named boolean not null default false,
  remarks text not null default '',
  addr text,
  macaddr text,
  system_family text not null,
  system_version text not null,
  system_serial text not null,
  vendor text not null,
  facts jsonb not null,
  tags jsonb not null default '{}',
  windows_updates jsonb not null default '[]',
  number_of_addresses integer not null,
  number_of_packages integer not null,
  number_of_windows_updates integer not null,
  -- Fingerprints of what the tables of packages and search values were made of.
  packages_hash bytea,
  values_hash bytea,
  -- Set when people were told that it is outdated, cleared when it is seen again.
  outdated_told boolean not null default false,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index managed_node_name on managed_node (network_id, display_name collate "und-x-icu" nulls first, managed_node_id);
create index managed_node_seen on managed_node (network_id, last_seen_at, first_seen_at);

create table managed_node_signature (
  space_id uuid not null,
  network_id uuid not null,
  managed_node_id uuid not null,
  kind text not null,
  value text not null,
  primary key (managed_node_id, kind, value)
);
create index managed_node_signature_network on managed_node_signature (network_id);

-- What a search compares, in every form that a comparison may want.
create table managed_node_value (
  space_id uuid not null,
  network_id uuid not null,
  managed_node_id uuid not null,
  field text not null,
  value text not null,
  folded text not null,
  number double precision,
  ip bytea,
  instant double precision
);
create index managed_node_value_node on managed_node_value (managed_node_id);
create index managed_node_value_field on managed_node_value (space_id, field, folded collate "C");

create table managed_node_tag (
  space_id uuid not null,
  network_id uuid not null,
  managed_node_id uuid not null,
  key text not null,
  value text not null,
  primary key (managed_node_id, key)
);
create index managed_node_tag_key on managed_node_tag (space_id, key, value);

-- Each package of a space once: the same few thousand are installed on all nodes.
create table package (
  package_id bigint generated always as identity primary key,
  space_id uuid not null,
  name text not null,
  version text not null,
  arch text not null,
  folded text not null,
  version_key text collate "C" not null,
  number double precision,
  ip bytea,
  instant double precision
);
create unique index package_whole on package (space_id, name, version, arch);

create table managed_node_package (
  space_id uuid not null,
  network_id uuid not null,
  managed_node_id uuid not null,
  package_id bigint not null,
  primary key (managed_node_id, package_id)
);
create index managed_node_package_package on managed_node_package (package_id, managed_node_id);

-- Where people have moved things of a network's diagrams.
create table diagram_position (
  space_id uuid not null,
  network_id uuid not null,
  layer smallint not null,
  element_id text not null,
  pos_x double precision not null,
  pos_y double precision not null,
  primary key (network_id, layer, element_id)
);

create table sonar_notification (
  notification_history_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  notification_setting_id uuid not null,
  event text not null,
  result text,
  reason text,
  snapshot_id uuid,
  -- Kind and content of what is sent; emptied once it is.
  request jsonb,
  created_at timestamptz(3) not null
);
create index sonar_notification_setting on sonar_notification (notification_setting_id, created_at, notification_history_id);
`,
};
