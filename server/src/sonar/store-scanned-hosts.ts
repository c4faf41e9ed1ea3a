// Stores the hosts and refusals of a chunk in the snapshot; a repeated chunk changes nothing.

import { signaturesOf } from '@yagura/core/inventory/host-signature';
import { evidenceOf } from '@yagura/core/inventory/merge-inventory';
import { storedFailure } from '@yagura/core/inventory/scan-failure';
import { agentLimits, type ScannedHost, type ScanRefusal } from '@yagura/core/ksocket/agent-protocol';
import type { NextId } from '../common/id.ts';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { inventoryColumns, inventoryColumnTypes } from './inventory-columns.ts';

export interface HostChunk {
  spaceId: string;
  networkId: string;
  snapshotId: string;
  chunk: number;
  hosts: readonly ScannedHost[];
  refusals: readonly ScanRefusal[];
  /** ISO 8601. */
  now: string;
}

/** Totals of a snapshot after a chunk was stored. */
interface StoredTotals {
  nodes: number;
  refusals: number;
}

/** Returns null when the scan is over. */
export async function storeChunk(
  tx: Transaction,
  nextId: NextId,
  chunk: HostChunk,
): Promise<StoredTotals | null> {
  const { snapshotId, now } = chunk;
  const { rows } = await tx.query(
    `update snapshot set heard_at = $2, updated_at = $2
     where snapshot_id = $1 and status in ('requested', 'started') returning snapshot_id`,
    [snapshotId, now],
  );
  if (rows.length === 0) return null;
  const { rows: known } = await tx.query(
    `select 1 from snapshot_node where snapshot_id = $1 and chunk = $2
     union all select 1 from snapshot_refusal where snapshot_id = $1 and chunk = $2 limit 1`,
    [snapshotId, chunk.chunk],
  );
  if (known.length === 0) {
    if (chunk.hosts.length > 0) await storeHosts(tx, nextId, chunk);
    if (chunk.refusals.length > 0) await storeRefusals(tx, nextId, chunk);
  }
  const { rows: totals } = await tx.query<StoredTotals>(
    `update snapshot set number_of_nodes = (select count(*) from snapshot_node where snapshot_id = $1),
       number_of_refusals = (select count(*) from snapshot_refusal where snapshot_id = $1)
     where snapshot_id = $1 returning number_of_nodes as nodes, number_of_refusals as refusals`,
    [snapshotId],
  );
  return totals[0]!;
}

/** Why a scan with these totals is failed; null while they are within the limits. */
export function excessOf({ nodes, refusals }: StoredTotals): string | null {
  if (nodes > agentLimits.hosts) return storedFailure('TOO_MANY_HOSTS', { max: agentLimits.hosts });
  return refusals > agentLimits.refusals
    ? storedFailure('TOO_MANY_REFUSALS', { max: agentLimits.refusals })
    : null;
}

/** Number of chunks that have arrived. */
export async function countChunks(tx: Transaction, snapshotId: string): Promise<number> {
  const { rows } = await tx.query<{ chunks: number }>(
    `select count(*)::int as chunks from (
       select chunk from snapshot_node where snapshot_id = $1
       union select chunk from snapshot_refusal where snapshot_id = $1) c`,
    [snapshotId],
  );
  return rows[0]!.chunks;
}

async function storeRefusals(tx: Transaction, nextId: NextId, chunk: HostChunk): Promise<void> {
  const rows = chunk.refusals.map((refusal, place) => ({ ...refusal, refusal_id: nextId(), place }));
  await tx.query(
    `insert into snapshot_refusal (refusal_id, space_id, network_id, snapshot_id, chunk, place, addr, protocol, code, credential, created_at)
     select refusal_id, $1, $2, $3, $4, place, addr, protocol, code, credential, $5
     from jsonb_to_recordset($6::jsonb) as x(refusal_id uuid, place int, addr text, protocol text, code text, credential text)`,
    [chunk.spaceId, chunk.networkId, chunk.snapshotId, chunk.chunk, chunk.now, toStoreJson(rows)],
  );
}

async function storeHosts(db: Transaction, nextId: NextId, hostChunk: HostChunk): Promise<void> {
  const rows = hostChunk.hosts.map((host, place) => {
    const { signatures, packages, windowsUpdates, ...reported } = host;
    const inventory = { ...reported, evidence: evidenceOf(host, hostChunk.now) };
    return {
      node_id: nextId(),
      place,
      ...inventoryColumns(inventory),
      facts_read: [...new Set(inventory.evidence.map(({ group }) => group))].sort().join(' '),
      signatures: signaturesOf(inventory, signatures),
      packages: uniqueBy(packages, (one) => `${one.name}\n${one.version}\n${one.arch}`),
      windows_updates: uniqueBy(windowsUpdates, (one) => one.hotfixId),
    };
  });
  await db.query(
    `insert into snapshot_node (node_id, space_id, network_id, snapshot_id, chunk, place, display_name, addr, macaddr,
       system_family, system_version, system_serial, vendor, facts, signatures, packages, windows_updates,
       number_of_addresses, number_of_packages, number_of_windows_updates, contents_hash, created_at)
     select node_id, $1, $2, $3, $4, place, display_name, addr, macaddr, system_family, system_version, system_serial, vendor,
       facts, signatures, packages, windows_updates, number_of_addresses,
       jsonb_array_length(packages), jsonb_array_length(windows_updates),
       sha256(convert_to(concat_ws(chr(31), facts - 'evidence', facts_read, packages, windows_updates), 'UTF8')), $5
     from jsonb_to_recordset($6::jsonb) as x(node_id uuid, place int, ${inventoryColumnTypes},
       signatures jsonb, packages jsonb, windows_updates jsonb, facts_read text)
     on conflict (snapshot_id, chunk, place) do nothing`,
    [
      hostChunk.spaceId,
      hostChunk.networkId,
      hostChunk.snapshotId,
      hostChunk.chunk,
      hostChunk.now,
      toStoreJson(rows),
    ],
  );
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
