// Takes addresses from the nodes that had them before a scan saw them at other nodes: the latest sighting counts.
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { inventoryColumns, inventoryColumnTypes } from './inventory-columns.ts';
import { indexValues } from './search-index.ts';

/** Addresses per query; limits memory. */
const batchSize = 500;

/** Managed nodes at which a scan saw each address. */
export class Sightings {
  private readonly nodes = new Map<string, Set<string>>();

  add(managedNodeId: string, { addresses }: HostInventory): void {
    for (const { addr } of addresses) {
      const seen = this.nodes.get(addr);
      if (seen) seen.add(managedNodeId);
      else this.nodes.set(addr, new Set([managedNodeId]));
    }
  }

  get addresses(): string[] {
    return [...this.nodes.keys()];
  }

  /** Whether the address was seen, but not at this node. */
  isElsewhere(addr: string, managedNodeId: string): boolean {
    const seen = this.nodes.get(addr);
    return seen !== undefined && !seen.has(managedNodeId);
  }
}

/** A node that has no address left keeps its name and its hardware address. */
export async function releaseAddresses(
  tx: Transaction,
  { spaceId, networkId, now }: { spaceId: string; networkId: string; now: string },
  sightings: Sightings,
): Promise<void> {
  const all = sightings.addresses;
  for (let at = 0; at < all.length; at += batchSize) {
    const { rows } = await tx.query<{ id: string; addr: string }>(
      `select v.managed_node_id as id, v.value as addr from managed_node_value v
       where v.space_id = $1 and v.network_id = $2 and v.field = 'addr' and v.folded = any($3::text[])`,
      [spaceId, networkId, all.slice(at, at + batchSize).map((addr) => addr.toLowerCase())],
    );
    const ids = [...new Set(rows.flatMap(({ id, addr }) => (sightings.isElsewhere(addr, id) ? [id] : [])))];
    if (ids.length > 0) await release(tx, { ids, now }, sightings);
  }
}

async function release(
  tx: Transaction,
  { ids, now }: { ids: readonly string[]; now: string },
  sightings: Sightings,
): Promise<void> {
  const { rows } = await tx.query<{ id: string; inventory: HostInventory }>(
    'select managed_node_id as id, facts as inventory from managed_node where managed_node_id = any($1::uuid[])',
    [ids],
  );
  const changed = rows.flatMap(({ id, inventory }) => {
    const addresses = inventory.addresses.filter(({ addr }) => !sightings.isElsewhere(addr, id));
    // The index may be older than the node.
    if (addresses.length === inventory.addresses.length) return [];
    return [{ managed_node_id: id, ...inventoryColumns({ ...inventory, addresses }) }];
  });
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
