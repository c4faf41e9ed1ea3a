// Merges a finished scan into the managed nodes: matches hosts to known devices, and detects new, changed and
// outdated ones.
import { DeviceIndex, type Signature } from '@yagura/core/inventory/host-signature';
import type { AggregationType } from '@yagura/core/sonar/snapshot';
import type { NextId } from '../common/id.ts';
import type { Transaction } from '../db/database.ts';

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
  const known = await loadKnown(tx, networkId);
  const created: AggregationResult['created'] = [];
  for (let chunk = -1, place = 0; ; ) {
    const { rows } = await tx.query<ScannedNode>(
      `select node_id, chunk, place, display_name, signatures from snapshot_node
       where snapshot_id = $1 and (chunk, place) > ($2, $3) order by chunk, place limit ${batchSize}`,
      [snapshotId, chunk, place],
    );
    const last = rows.at(-1);
    if (!last) break;
    ({ chunk, place } = last);
    const matches = rows.map((row) => matchNode(row, known, nextId));
    for (const { row, id, type } of matches)
      if (type === 'created') created.push({ managedNodeId: id!, displayName: row.display_name });
    await writeNodes(tx, request, matches);
  }
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
}

interface NodeMatch {
  row: ScannedNode;
  id: string | null;
  type: AggregationType;
}

async function loadKnown(tx: Transaction, networkId: string): Promise<DeviceIndex> {
  const known = new DeviceIndex();
  const { rows } = await tx.query<Signature & { id: string }>(
    'select managed_node_id as id, kind, value from managed_node_signature where network_id = $1',
    [networkId],
  );
  for (const row of rows) known.add(row.id, [row]);
  return known;
}

function matchNode(row: ScannedNode, known: DeviceIndex, nextId: NextId): NodeMatch {
  if (row.signatures.length === 0) return { row, id: null, type: 'unidentified' };
  const found = known.find(row.signatures);
  const id = found ?? nextId();
  known.replace(id, row.signatures);
  return { row, id, type: found ? 'merged' : 'created' };
}

/** Packages and updates of a host that was not inspected this time are kept. */
const seenNow = `addr = n.addr, macaddr = n.macaddr, system_family = n.system_family, system_version = n.system_version,
  system_serial = n.system_serial, vendor = n.vendor, facts = n.facts, number_of_addresses = n.number_of_addresses,
  windows_updates = case when n.number_of_windows_updates > 0 then n.windows_updates else m.windows_updates end,
  number_of_windows_updates = case when n.number_of_windows_updates > 0 then n.number_of_windows_updates else m.number_of_windows_updates end`;

async function writeNodes(
  tx: Transaction,
  { spaceId, networkId, now }: AggregationRequest,
  matches: NodeMatch[],
): Promise<void> {
  await tx.query(
    `update snapshot_node n set managed_node_id = x.id, aggregation_type = x.type
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as x(node_id, id, type) where n.node_id = x.node_id`,
    [matches.map(({ row }) => row.node_id), matches.map(({ id }) => id), matches.map(({ type }) => type)],
  );
  const nodesOf = (type: AggregationType) => matches.filter((one) => one.type === type);
  await tx.query(
    `insert into managed_node (managed_node_id, space_id, network_id, display_name, addr, macaddr, system_family, system_version,
       system_serial, vendor, facts, windows_updates, number_of_addresses, number_of_packages, number_of_windows_updates,
       first_seen_at, last_seen_at, created_at, updated_at)
     select managed_node_id, space_id, network_id, display_name, addr, macaddr, system_family, system_version, system_serial,
       vendor, facts, windows_updates, number_of_addresses, number_of_packages, number_of_windows_updates, $2, $2, $2, $2
     from snapshot_node where node_id = any($1::uuid[])`,
    [nodesOf('created').map(({ row }) => row.node_id), now],
  );
  // When two hosts are the same device, the later one wins.
  const merged = new Map(nodesOf('merged').map(({ id, row }) => [id!, row.node_id]));
  await tx.query(
    `update managed_node m set ${seenNow}, display_name = case when m.named then m.display_name else n.display_name end,
       last_seen_at = $2, updated_at = $2, outdated_told = false, version = m.version + 1
     from snapshot_node n where n.node_id = any($1::uuid[]) and m.managed_node_id = n.managed_node_id`,
    [[...merged.values()], now],
  );
  const signed = [...new Map(matches.flatMap(({ id, row }) => (id ? [[id, row.signatures] as const] : [])))];
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
