// Merges hosts of a finished scan into the managed nodes: matches them to known devices, and detects new and
// changed ones. Everything it needs to know is read in its transaction, so that hosts can be merged in batches
// of any size, and users can decide about nodes in between.

import { featuresOf, type MatchReason } from '@yagura/core/inventory/device-decisions';
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import type { Signature, SignatureKind } from '@yagura/core/inventory/host-signature';
import { combineInventories, mergeInventory } from '@yagura/core/inventory/merge-inventory';
import type { AggregationType } from '@yagura/core/sonar/snapshot';
import type { NextId } from '../../common/id.ts';
import type { Transaction } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import { inventoryColumns, inventoryColumnTypes } from '../inventory-columns.ts';
import { valuesOf, withoutCloned } from './cloned-signatures.ts';
import { loadDevices } from './known-devices.ts';
import type { NamedNode } from './named-nodes.ts';

export interface MergeRequest {
  spaceId: string;
  networkId: string;
  snapshotId: string;
  /** End of the scan, ISO 8601. */
  seenAt: string;
  /** ISO 8601. */
  now: string;
  nextId: NextId;
}

export interface MergeResult {
  created: NamedNode[];
  merged: number;
  unidentified: number;
}

/** Merges the next hosts of a snapshot; those before them have been merged. */
export async function mergeHosts(
  tx: Transaction,
  request: MergeRequest,
  nodeIds: readonly string[],
): Promise<MergeResult> {
  const { rows } = await tx.query<ScannedNode>(
    `select node_id, display_name, signatures, facts as inventory, number_of_windows_updates > 0 as has_updates
     from snapshot_node where node_id = any($1::uuid[]) order by chunk, place`,
    [nodeIds],
  );
  const matches = await matchNodes(tx, request, rows);
  await writeNodes(tx, request, matches);
  const ofType = (type: AggregationType) => matches.filter((one) => one.type === type);
  return {
    created: ofType('created').map(({ id, row }) => ({ managedNodeId: id!, displayName: row.display_name })),
    merged: ofType('merged').length,
    unidentified: ofType('unidentified').length,
  };
}

interface ScannedNode {
  node_id: string;
  display_name: string;
  signatures: Signature[];
  inventory: HostInventory;
  has_updates: boolean;
}

interface NodeMatch {
  /** Without cloned signatures. */
  row: ScannedNode;
  /** The managed node. */
  id: string | null;
  /** Differs from the managed node if a user has merged the device into another one. */
  deviceId: string | null;
  type: AggregationType;
  /** What recognized it as a known device. */
  matchedBy: MatchReason | null;
}

async function matchNodes(
  tx: Transaction,
  { networkId, nextId }: MergeRequest,
  hosts: readonly ScannedNode[],
): Promise<NodeMatch[]> {
  const reported = hosts.flatMap(({ signatures }) => signatures);
  const identifying = await withoutCloned(tx, networkId, reported);
  const known = await loadDevices(tx, networkId, identifying(reported));
  const found = hosts.map((host) => {
    const row = { ...host, signatures: identifying(host.signatures) };
    const features = featuresOf(host.signatures, host.inventory.addresses);
    return { row, match: known.assign({ signatures: row.signatures, features }, nextId) };
  });
  const { rows: nodes } = await tx.query<{ id: string }>(
    'select managed_node_id as id from managed_node where managed_node_id = any($1::uuid[])',
    [found.flatMap(({ match }) => (match ? [match.nodeId] : []))],
  );
  const existing = new Set(nodes.map(({ id }) => id));
  return found.map(({ row, match }) => {
    if (!match) return { row, id: null, deviceId: null, type: 'unidentified', matchedBy: null };
    const { nodeId: id, deviceId, by } = match;
    // A node that was deleted is created again if a decision is about its hosts.
    const isKnown = existing.has(id);
    existing.add(id);
    return { row, id, deviceId, type: isKnown ? 'merged' : 'created', matchedBy: isKnown ? by : null };
  });
}

async function writeNodes(
  tx: Transaction,
  request: MergeRequest,
  matches: readonly NodeMatch[],
): Promise<void> {
  // Before the hosts of this batch count as seen.
  const devices = await mergeInventories(tx, request, matches);
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
  /** The host with the Windows updates to store: the last one that has any, or the last one. */
  nodeId: string;
  hasUpdates: boolean;
  isNew: boolean;
  inventory: HostInventory;
}

/** What is known of each device after its hosts of this batch, in their order. */
async function mergeInventories(
  tx: Transaction,
  { snapshotId }: MergeRequest,
  matches: readonly NodeMatch[],
): Promise<MergedDevice[]> {
  const ids = matches.flatMap(({ id }) => (id ? [id] : []));
  // The time limits how many hosts of earlier snapshots are read; servers may differ in their clocks.
  const { rows } = await tx.query<{ id: string; inventory: Partial<HostInventory>; is_seen: boolean }>(
    `select m.managed_node_id as id, m.facts as inventory, exists (select 1 from snapshot_node n
       where n.managed_node_id = m.managed_node_id and n.snapshot_id = $2
         and n.created_at >= (select created_at - interval '1 day' from snapshot where snapshot_id = $2)) as is_seen
     from managed_node m where m.managed_node_id = any($1::uuid[])`,
    [ids, snapshotId],
  );
  const stored = new Map(rows.map(({ id, inventory }) => [id, inventory]));
  /** Devices of which this scan has already merged a host. */
  const seen = new Set(rows.flatMap((one) => (one.is_seen ? [one.id] : [])));
  const devices = new Map<string, MergedDevice>();
  for (const { id, row } of matches) {
    if (!id) continue;
    const earlier = devices.get(id);
    const before = earlier?.inventory ?? stored.get(id);
    const merge = seen.has(id) ? combineInventories : mergeInventory;
    const inventory = before ? merge(before, row.inventory) : row.inventory;
    const keepsUpdates = earlier?.hasUpdates && !row.has_updates;
    devices.set(id, {
      managedNodeId: id,
      nodeId: keepsUpdates ? earlier.nodeId : row.node_id,
      hasUpdates: row.has_updates || earlier?.hasUpdates === true,
      isNew: !stored.has(id),
      inventory,
    });
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
  { spaceId, networkId, seenAt, now }: MergeRequest,
  devices: readonly MergedDevice[],
): Promise<void> {
  if (devices.length === 0) return;
  await tx.query(
    `insert into managed_node (managed_node_id, space_id, network_id, display_name, addr, macaddr, system_family, system_version,
       system_serial, vendor, facts, windows_updates, number_of_addresses, number_of_packages, number_of_windows_updates,
       first_seen_at, last_seen_at, created_at, updated_at)
     select x.managed_node_id, $1, $2, x.display_name, x.addr, x.macaddr, x.system_family, x.system_version, x.system_serial,
       x.vendor, x.facts, n.windows_updates, x.number_of_addresses, n.number_of_packages, n.number_of_windows_updates, $3, $3, $5, $5
     from jsonb_to_recordset($4::jsonb) as ${deviceColumns} join snapshot_node n on n.node_id = x.node_id`,
    [spaceId, networkId, seenAt, toRows(devices), now],
  );
}

/** Windows updates of a host that was not inspected this time are kept. */
async function updateDevices(
  tx: Transaction,
  { seenAt, now }: MergeRequest,
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
       last_seen_at = $2, updated_at = $3, outdated_told = false, version = m.version + 1
     from jsonb_to_recordset($1::jsonb) as ${deviceColumns} join snapshot_node n on n.node_id = x.node_id
     where m.managed_node_id = x.managed_node_id`,
    [toRows(devices), seenAt, now],
  );
}

/** Of each device, the signatures of each kind that were read last. */
async function replaceSignatures(
  tx: Transaction,
  { spaceId, networkId }: MergeRequest,
  matches: readonly NodeMatch[],
): Promise<void> {
  const devices = new Map<string, Map<SignatureKind, Signature[]>>();
  for (const { deviceId, row } of matches) {
    if (deviceId === null) continue;
    const kinds = devices.get(deviceId) ?? new Map<SignatureKind, Signature[]>();
    devices.set(deviceId, kinds);
    for (const kind of new Set(row.signatures.map((one) => one.kind)))
      kinds.set(
        kind,
        row.signatures.filter((one) => one.kind === kind),
      );
  }
  const entries = [...devices].flatMap(([id, kinds]) =>
    [...kinds.values()].flat().map((signature) => ({ id, signature })),
  );
  const ids = entries.map(({ id }) => id);
  const values = valuesOf(entries.map(({ signature }) => signature));
  await tx.query(
    `delete from managed_node_signature s using unnest($1::uuid[], $2::text[]) as x(id, kind)
     where s.managed_node_id = x.id and s.kind = x.kind`,
    [ids, values[0]],
  );
  await tx.query(
    `insert into managed_node_signature (space_id, network_id, managed_node_id, kind, value)
     select $1, $2, id, kind, value from unnest($3::uuid[], $4::text[], $5::text[]) as x(id, kind, value) on conflict do nothing`,
    [spaceId, networkId, ids, ...values],
  );
}
