import type { Migration } from '../migrate.ts';

export const nodeDecision: Migration = {
  number: 58,
  name: 'node-decision',
  up: `
alter table snapshot_node
  -- Hash over all that a comparison of snapshots looks at; null for older rows, which are compared in full.
  add column contents_hash bytea,
  -- The device that was recognized, if users have merged it into another one: managed_node_id is that one.
  add column device_id uuid;

-- What users decided about which hosts are the same device.
create table node_decision (
  decision_id uuid primary key,
  space_id uuid not null,
  network_id uuid not null,
  kind text not null,
  -- The node that was kept: another one was merged into it, or a host was split off from it.
  managed_node_id uuid not null,
  -- The node that was merged into it, or made of the split-off host.
  other_node_id uuid not null,
  other_name text not null,
  created_by text not null,
  created_at timestamptz(3) not null,
  -- Devices of the hosts that the decision was about, with what identifies each host.
  pins jsonb not null,
  -- What is needed to undo it.
  undo jsonb not null
);
create index node_decision_network on node_decision (network_id, decision_id);

-- Devices that users have merged into another node. Signatures belong to devices; a device that is not listed
-- has the id of its node.
create table managed_node_device (
  space_id uuid not null,
  network_id uuid not null,
  device_id uuid primary key,
  managed_node_id uuid not null
);
create index managed_node_device_network on managed_node_device (network_id);
create index managed_node_device_node on managed_node_device (managed_node_id);
`,
};
