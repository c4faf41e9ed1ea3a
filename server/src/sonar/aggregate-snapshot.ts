// Merges a finished scan into the managed nodes: matches hosts to known devices, and detects new, changed and
// outdated ones.

import { type DecidedDevices, featuresOf, type MatchReason } from '@yagura/core/inventory/device-decisions';
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import type { Signature } from '@yagura/core/inventory/host-signature';
import { combineInventories, mergeInventory } from '@yagura/core/inventory/merge-inventory';
import type { AggregationType } from '@yagura/core/sonar/snapshot';
import type { NextId } from '../common/id.ts';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { ClonedSignatures } from './cloned-signatures.ts';
import { inventoryColumns, inventoryColumnTypes } from './inventory-columns.ts';
import { loadDevices } from './known-devices.ts';
import { releaseAddresses, Sightings } from './release-addresses.ts';

/** Hosts per batch; limits memory. */
const batchSize = 500;

export interface AggregationResult {
  networkId: string;
  created: { managedNodeId: string; displayName: string }[];
  outdated: { managedNodeId: string; displayName: string }[];
}

export interface AggregationRequest {
  spaceId: string;
  networkId: string;
  snapshotId: string;
  /** ISO 8601. */
  now: string;
  nextId: NextId;
}

/** Runs in the transaction that marks the snapshot as succeeded, so that it happens exactly once. */
export async function aggregateSnapshot(
  tx: Transaction,
  request: AggregationRequest,
): Promise<AggregationResult | null> {
  const { spaceId, networkId, snapshotId, now, nextId } = request;
  // Aggregates one scan of a network at a time, so that the next one sees the devices of this one.
  const { rows: networks } = await tx.query<{ outdated_days: number }>(
    `select (body->'configuration'->>'outdatedDays')::int as outdated_days from resource
     where space_id = $1 and kind = 'network' and id = $2 for update`,
    [spaceId, networkId],
  );
  if (!networks[0]) return null;
  const cloned = await ClonedSignatures.update(tx, { spaceId, networkId, snapshotId });
  const known = await loadDevices(tx, networkId);
  const { rows: nodes } = await tx.query<{ id: string }>(
    'select managed_node_id as id from managed_node where network_id = $1',
    [networkId],
  );
  const existing = new Set(nodes.map(({ id }) => id));
  /** Devices of which this scan has already merged a host. */
  const seen = new Set<string>();
  const sightings = new Sightings();
  const created: AggregationResult['created'] = [];
  for (let chunk = -1, place = 0; ; ) {
    const { rows } = await tx.query<ScannedNode>(
      `select node_id, chunk, place, display_name, signatures, facts as inventory from snapshot_node
       where snapshot_id = $1 and (chunk, place) > ($2, $3) order by chunk, place limit ${batchSize}`,
      [snapshotId, chunk, place],
    );
    const last = rows.at(-1);
    if (!last) break;
    ({ chunk, place } = last);
    const matches = rows.map((row) => matchNode(row, { cloned, known, existing, nextId }));
    for (const { row, id, type } of matches) {
      if (id !== null) sightings.add(id, row.inventory);
      if (type === 'created') created.push({ managedNodeId: id!, displayName: row.display_name });
    }
    await writeNodes(tx, request, matches, seen);
  }
  await releaseAddresses(tx, request, sightings);
  await tx.query(
    `update snapshot s set number_of_nodes = c.nodes, number_of_addresses = c.addresses, number_of_created_nodes = c.created,
       number_of_merged_nodes = c.merged, number_of_unidentified_nodes = c.unidentified
     from (select count(*)::int as nodes, coalesce(sum(number_of_addresses), 0)::int as addresses,
       count(*) filter (where aggregation_type = 'created')::int as created,
       count(*) filter (where aggregation_type = 'merged')::int as merged,
       count(*) filter (where aggregation_type = 'unidentified')::int as unidentified
       from snapshot_node where snapshot_id = $1) c where s.snapshot_id = $1`,
    [snapshotId],
  );
  const { rows: outdated } = await tx.query<{ managedNodeId: string; displayName: string }>(
    `update managed_node set outdated_told = true
     where network_id = $1 and not outdated_told and last_seen_at <= $2::timestamptz - make_interval(hours => 24 * $3::int)
     returning managed_node_id as "managedNodeId", display_name as "displayName"`,
    [networkId, now, networks[0].outdated_days],
  );
  return { networkId, created, outdated };
}

interface ScannedNode {
  node_id: string;
  chunk: number;
  place: number;
  display_name: string;
  signatures: Signature[];
  inventory: HostInventory;
}

interface NodeMatch {
  row: ScannedNode;
  /** The managed node. */
  id: string | null;
  /** Differs from the managed node if a user has merged the device into another one. */
  deviceId: string | null;
  type: AggregationType;
  /** What recognized it as a known device. */
  matchedBy: MatchReason | null;
}

interface Known {
  cloned: ClonedSignatures;
  known: DecidedDevices;
  /** Managed nodes so far. */
  existing: Set<string>;
  nextId: NextId;
}

function matchNode(scanned: ScannedNode, { cloned, known, existing, nextId }: Known): NodeMatch {
  const row = { ...scanned, signatures: cloned.without(scanned.signatures) };
  const features = featuresOf(scanned.signatures, scanned.inventory.addresses);
  const match = known.assign({ signatures: row.signatures, features }, nextId);
  if (!match) return { row, id: null, deviceId: null, type: 'unidentified', matchedBy: null };
  const { nodeId: id, deviceId, by } = match;
  // A node that was deleted is created again if a decision is about its hosts.
  const isKnown = existing.has(id);
  existing.add(id);
  return { row, id, deviceId, type: isKnown ? 'merged' : 'created', matchedBy: isKnown ? by : null };
}

async function writeNodes(
  tx: Transaction,
  request: AggregationRequest,
  matches: readonly NodeMatch[],
  seen: Set<string>,
): Promise<void> {
  await tx.query(
    `update snapshot_node n set managed_node_id = x.id, device_id = nullif(x.device_id, x.id), aggregation_type = x.type,
       matched_by = x.matched_by
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) as x(node_id, id, device_id, type, matched_by)
     where n.node_id = x.node_id`,
    [
      matches.map(({ row }) => row.node_id),
      matches.map(({ id }) => id),
      matches.map(({ deviceId }) => deviceId),
      matches.map(({ type }) => type),
      matches.map(({ matchedBy }) => matchedBy),
    ],
  );
  const devices = await mergeHosts(tx, matches, seen);
  await insertDevices(
    tx,
    request,
    devices.filter((one) => one.isNew),
  );
  await updateDevices(
    tx,
    request,
    devices.filter((one) => !one.isNew),
  );
  await replaceSignatures(tx, request, matches);
}

interface MergedDevice {
  managedNodeId: string;
  /** The host that was merged last. */
  nodeId: string;
  isNew: boolean;
  inventory: HostInventory;
}

/** What is known of each device after its hosts of this batch, in their order. */
async function mergeHosts(
  tx: Transaction,
  matches: readonly NodeMatch[],
  seen: Set<string>,
): Promise<MergedDevice[]> {
  const ids = matches.flatMap(({ id }) => (id ? [id] : []));
  const { rows } = await tx.query<{ id: string; inventory: Partial<HostInventory> }>(
    'select managed_node_id as id, facts as inventory from managed_node where managed_node_id = any($1::uuid[])',
    [ids],
  );
  const stored = new Map(rows.map(({ id, inventory }) => [id, inventory]));
  const devices = new Map<string, MergedDevice>();
  for (const { id, row } of matches) {
    if (!id) continue;
    const before = devices.get(id)?.inventory ?? stored.get(id);
    const merge = seen.has(id) ? combineInventories : mergeInventory;
    const inventory = before ? merge(before, row.inventory) : row.inventory;
    devices.set(id, { managedNodeId: id, nodeId: row.node_id, isNew: !stored.has(id), inventory });
    seen.add(id);
  }
  return [...devices.values()];
}

const deviceColumns = `x(managed_node_id uuid, node_id uuid, ${inventoryColumnTypes})`;

function toRows(devices: readonly MergedDevice[]): string {
  return toStoreJson(
    devices.map(({ managedNodeId, nodeId, inventory }) => ({
      managed_node_id: managedNodeId,
      node_id: nodeId,
      ...inventoryColumns(inventory),
    })),
  );
}

async function insertDevices(
  tx: Transaction,
  { spaceId, networkId, now }: AggregationRequest,
  devices: readonly MergedDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  await tx.query(
    `insert into managed_node (managed_node_id, space_id, network_id, display_name, addr, macaddr, system_family, system_version,
       system_serial, vendor, facts, windows_updates, number_of_addresses, number_of_packages, number_of_windows_updates,
       first_seen_at, last_seen_at, created_at, updated_at)
     select x.managed_node_id, $1, $2, x.display_name, x.addr, x.macaddr, x.system_family, x.system_version, x.system_serial,
       x.vendor, x.facts, n.windows_updates, x.number_of_addresses, n.number_of_packages, n.number_of_windows_updates, $3, $3, $3, $3
     from jsonb_to_recordset($4::jsonb) as ${deviceColumns} join snapshot_node n on n.node_id = x.node_id`,
    [spaceId, networkId, now, toRows(devices)],
  );
}

/** Windows updates of a host that was not inspected this time are kept. */
async function updateDevices(
  tx: Transaction,
  { now }: AggregationRequest,
  devices: readonly MergedDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  await tx.query(
    `update managed_node m set addr = x.addr, macaddr = x.macaddr, system_family = x.system_family,
       system_version = x.system_version, system_serial = x.system_serial, vendor = x.vendor, facts = x.facts,
       number_of_addresses = x.number_of_addresses,
       windows_updates = case when n.number_of_windows_updates > 0 then n.windows_updates else m.windows_updates end,
       number_of_windows_updates = case when n.number_of_windows_updates > 0 then n.number_of_windows_updates
         else m.number_of_windows_updates end,
       display_name = case when m.named then m.display_name else x.display_name end,
       last_seen_at = $2, updated_at = $2, outdated_told = false, version = m.version + 1
     from jsonb_to_recordset($1::jsonb) as ${deviceColumns} join snapshot_node n on n.node_id = x.node_id
     where m.managed_node_id = x.managed_node_id`,
    [toRows(devices), now],
  );
}

async function replaceSignatures(
  tx: Transaction,
  { spaceId, networkId }: AggregationRequest,
  matches: readonly NodeMatch[],
): Promise<void> {
  const signed = [
    ...new Map(
      matches.flatMap(({ deviceId, row }) => (deviceId ? [[deviceId, row.signatures] as const] : [])),
    ),
  ];
  const signatures = signed.flatMap(([id, list]) => list.map((one) => ({ id, ...one })));
  await tx.query(
    `delete from managed_node_signature s using unnest($1::uuid[], $2::text[]) as x(id, kind)
     where s.managed_node_id = x.id and s.kind = x.kind`,
    [signatures.map((one) => one.id), signatures.map((one) => one.kind)],
  );
  await tx.query(
    `insert into managed_node_signature (space_id, network_id, managed_node_id, kind, value)
     select $1, $2, id, kind, value from unnest($3::uuid[], $4::text[], $5::text[]) as x(id, kind, value) on conflict do nothing`,
    [
      spaceId,
      networkId,
      signatures.map((one) => one.id),
      signatures.map((one) => one.kind),
      signatures.map((one) => one.value),
    ],
  );
}
