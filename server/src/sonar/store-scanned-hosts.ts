// Stores hosts found by an agent as nodes of the snapshot; a repeated chunk changes nothing.

import { signaturesOf } from '@yagura/core/inventory/host-signature';
import { nodeSummary } from '@yagura/core/inventory/node-summary';
import type { ScannedHost } from '@yagura/core/ksocket/agent-protocol';
import type { NextId } from '../common/id.ts';
import type { Queryable } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';

export interface HostChunk {
  spaceId: string;
  networkId: string;
  snapshotId: string;
  chunk: number;
  hosts: readonly ScannedHost[];
  /** ISO 8601. */
  now: string;
}

export async function storeScannedHosts(db: Queryable, nextId: NextId, hostChunk: HostChunk): Promise<void> {
  const rows = hostChunk.hosts.map((host, place) => {
    const { signatures, packages, windowsUpdates, ...facts } = host;
    const summary = nodeSummary(facts);
    return {
      node_id: nextId(),
      place,
      display_name: summary.displayName,
      addr: summary.addr,
      macaddr: summary.macaddr,
      system_family: summary.systemFamily,
      system_version: summary.systemVersion,
      system_serial: summary.systemSerial,
      vendor: summary.vendor,
      facts,
      signatures: signaturesOf(facts, signatures),
      packages: uniqueBy(packages, (one) => `${one.name}\n${one.version}\n${one.arch}`),
      windows_updates: uniqueBy(windowsUpdates, (one) => one.hotfixId),
      number_of_addresses: summary.numberOfAddresses,
    };
  });
  await db.query(
    `insert into snapshot_node (node_id, space_id, network_id, snapshot_id, chunk, place, display_name, addr, macaddr,
       system_family, system_version, system_serial, vendor, facts, signatures, packages, windows_updates,
       number_of_addresses, number_of_packages, number_of_windows_updates, created_at)
     select node_id, $1, $2, $3, $4, place, display_name, addr, macaddr, system_family, system_version, system_serial, vendor,
       facts, signatures, packages, windows_updates, number_of_addresses,
       jsonb_array_length(packages), jsonb_array_length(windows_updates), $5
     from jsonb_to_recordset($6::jsonb) as x(node_id uuid, place int, display_name text, addr text, macaddr text,
       system_family text, system_version text, system_serial text, vendor text, facts jsonb, signatures jsonb,
       packages jsonb, windows_updates jsonb, number_of_addresses int)
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
