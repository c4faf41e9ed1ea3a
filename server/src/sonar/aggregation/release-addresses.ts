// Takes addresses from the nodes that had them before a scan saw them at other nodes: the latest sighting counts.
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import type { Database, Transaction } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import { inventoryColumns, inventoryColumnTypes } from '../inventory-columns.ts';
import { indexValues } from '../search-index.ts';
import { readHosts } from './snapshot-hosts.ts';

/** Addresses per query. */
const batchSize = 100;

type Addresses = HostInventory['addresses'];

/** Managed nodes at which a scan saw each address. */
export type Sightings = ReadonlyMap<string, ReadonlySet<string>>;

export async function readSightings(database: Database, snapshotId: string): Promise<Sightings> {
  const sightings = new Map<string, Set<string>>();
  const columns = `managed_node_id as id, case when managed_node_id is not null then facts->'addresses' end as addresses`;
  for await (const { id, addresses } of readHosts<{ id: string | null; addresses: Addresses }>(
    database,
    snapshotId,
    columns,
  )) {
    if (id === null) continue;
    for (const { addr } of addresses) {
      const nodes = sightings.get(addr);
      if (nodes) nodes.add(id);
      else sightings.set(addr, new Set([id]));
    }
  }
  return sightings;
}

/** Nodes that had an address which the scan saw, but not at them; in batches. */
export async function* findFormerNodes(
  database: Database,
  { spaceId, networkId }: { spaceId: string; networkId: string },
  sightings: Sightings,
): AsyncGenerator<string[]> {
  const all = [...sightings.keys()];
  for (let at = 0; at < all.length; at += batchSize) {
    const { rows } = await database.query<{ id: string; addr: string }>(
      `select v.managed_node_id as id, v.value as addr from managed_node_value v
       where v.space_id = $1 and v.network_id = $2 and v.field = 'addr' and v.folded = any($3::text[])`,
      [spaceId, networkId, all.slice(at, at + batchSize).map((addr) => addr.toLowerCase())],
    );
    const ids = rows.flatMap(({ id, addr }) => {
      const nodes = sightings.get(addr);
      return nodes && !nodes.has(id) ? [id] : [];
    });
    if (ids.length > 0) yield [...new Set(ids)];
  }
}

/** A node that has no address left keeps its name and its hardware address. */
export async function releaseAddresses(
  tx: Transaction,
  { snapshotId, now }: { snapshotId: string; now: string },
  ids: readonly string[],
  sightings: Sightings,
): Promise<void> {
  // Read again: users may have changed since which hosts the nodes have.
  const { rows: hosts } = await tx.query<{ id: string; addresses: Addresses }>(
    `select managed_node_id as id, facts->'addresses' as addresses from snapshot_node
     where managed_node_id = any($1::uuid[]) and snapshot_id = $2`,
    [ids, snapshotId],
  );
  const own = new Set(hosts.flatMap(({ id, addresses }) => addresses.map(({ addr }) => `${id} ${addr}`)));
  const { rows } = await tx.query<{ id: string; inventory: HostInventory }>(
    'select managed_node_id as id, facts as inventory from managed_node where managed_node_id = any($1::uuid[])',
    [ids],
  );
  const changed = rows.flatMap(({ id, inventory }) => {
    const addresses = inventory.addresses.filter(
      ({ addr }) => !sightings.has(addr) || own.has(`${id} ${addr}`),
    );
    // The index may be older than the node.
    if (addresses.length === inventory.addresses.length) return [];
    return [{ managed_node_id: id, ...inventoryColumns({ ...inventory, addresses }) }];
  });
  if (changed.length === 0) return;
  await tx.query(
    `update managed_node m set addr = x.addr, macaddr = coalesce(x.macaddr, m.macaddr), facts = x.facts,
       number_of_addresses = x.number_of_addresses,
       display_name = case when m.named or x.number_of_addresses = 0 then m.display_name else x.display_name end,
       updated_at = $2, version = m.version + 1
     from jsonb_to_recordset($1::jsonb) as x(managed_node_id uuid, ${inventoryColumnTypes})
     where m.managed_node_id = x.managed_node_id`,
    [toStoreJson(changed), now],
  );
  await indexValues(
    tx,
    changed.map((one) => one.managed_node_id),
  );
}
