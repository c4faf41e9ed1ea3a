// Writes a managed node from the hosts that scans found of it, after users changed which hosts these are.
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import { combineInventories, mergeInventory } from '@yagura/core/inventory/merge-inventory';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { inventoryColumns, inventoryColumnTypes } from './inventory-columns.ts';
import { indexPackages, indexValues } from './search-index.ts';

/** Hosts that are merged at most, the last ones: older data has been replaced since. */
const maxHosts = 200;

interface Host {
  node_id: string;
  snapshot_id: string;
  inventory: HostInventory;
  number_of_packages: number;
  number_of_windows_updates: number;
}

export interface NodeContext {
  spaceId: string;
  networkId: string;
  /** ISO 8601. */
  now: string;
}

/** Creates the node if it does not exist. A node without hosts stays as it is. */
export async function rebuildNode(
  tx: Transaction,
  { spaceId, networkId, now }: NodeContext,
  managedNodeId: string,
): Promise<void> {
  const { rows } = await tx.query<Host>(
    `select n.node_id, n.snapshot_id, n.facts as inventory, n.number_of_packages, n.number_of_windows_updates
     from snapshot_node n join snapshot s on s.snapshot_id = n.snapshot_id
     where n.managed_node_id = $1 order by n.created_at desc, n.chunk desc, n.place desc limit ${maxHosts}`,
    [managedNodeId],
  );
  const [first, ...later] = rows.reverse();
  if (!first) return;
  let { inventory } = first;
  for (const [index, host] of later.entries()) {
    const merge = rows[index]!.snapshot_id === host.snapshot_id ? combineInventories : mergeInventory;
    inventory = merge(inventory, host.inventory);
  }
  await tx.query(
    `insert into managed_node (managed_node_id, space_id, network_id, display_name, addr, macaddr, system_family, system_version,
       system_serial, vendor, facts, number_of_addresses, number_of_packages, number_of_windows_updates,
       first_seen_at, last_seen_at, created_at, updated_at)
     select $1, $2, $3, x.display_name, x.addr, x.macaddr, x.system_family, x.system_version, x.system_serial, x.vendor,
       x.facts, x.number_of_addresses, 0, 0, seen.first, seen.last, $5, $5
     from jsonb_to_record($4::jsonb) as x(${inventoryColumnTypes}),
       (select min(at) as first, max(at) as last from (select coalesce(s.terminated_at, n.created_at) as at
         from snapshot_node n join snapshot s on s.snapshot_id = n.snapshot_id where n.managed_node_id = $1) t) seen
     on conflict (managed_node_id) do update set addr = excluded.addr, macaddr = excluded.macaddr,
       system_family = excluded.system_family, system_version = excluded.system_version,
       system_serial = excluded.system_serial, vendor = excluded.vendor, facts = excluded.facts,
       number_of_addresses = excluded.number_of_addresses,
       display_name = case when managed_node.named then managed_node.display_name else excluded.display_name end,
       first_seen_at = least(managed_node.first_seen_at, excluded.first_seen_at), last_seen_at = excluded.last_seen_at,
       outdated_told = managed_node.outdated_told and managed_node.last_seen_at >= excluded.last_seen_at,
       updated_at = $5, version = managed_node.version + 1`,
    [managedNodeId, spaceId, networkId, toStoreJson(inventoryColumns(inventory)), now],
  );
  const withUpdates = rows.findLast((one) => one.number_of_windows_updates > 0);
  await tx.query(
    `update managed_node m set windows_updates = coalesce(n.windows_updates, '[]'),
       number_of_windows_updates = coalesce(n.number_of_windows_updates, 0), packages_hash = null, number_of_packages = 0
     from (select 1) one left join snapshot_node n on n.node_id = $2 where m.managed_node_id = $1`,
    [managedNodeId, withUpdates?.node_id ?? null],
  );
  await tx.query('delete from managed_node_package where managed_node_id = $1', [managedNodeId]);
  const withPackages = rows.findLast((one) => one.number_of_packages > 0);
  if (withPackages) await indexPackages(tx, spaceId, [withPackages.node_id]);
  await indexValues(tx, [managedNodeId]);
}
