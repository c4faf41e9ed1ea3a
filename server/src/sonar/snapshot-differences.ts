// Finds what changed between two snapshots of a network, host by host in small batches.
import { type ComparedHost, compareHosts, type Difference } from '@yagura/core/inventory/compare-hosts';
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import { combineInventories } from '@yagura/core/inventory/merge-inventory';
import type { Database } from '../db/database.ts';

/** Differences after which the comparison stops; a lower bound is returned then. */
export const maxDifferences = 10_000;
/** Hosts that are read at most; those whose contents are equal are not read. */
const maxHosts = 10_000;
/** Hosts per query; small, since the embedded database serves other callers in between. */
const batchSize = 50;

export interface HostDifference extends Difference {
  managedNodeId: string | null;
  nodeId: string;
  nodeSnapshotId: string;
  displayName: string;
  addr: string | null;
}

/** A host of both snapshots whose contents may differ, or of one; ids of the nodes that are one device. */
interface Pair {
  managed_node_id: string | null;
  display_name: string;
  addr: string | null;
  before: string[] | null;
  after: string[] | null;
}

export interface Comparison {
  /** The first `maxDifferences` that `isWanted`, by the names of the hosts. */
  differences: HostDifference[];
  /** False if there may be more. */
  isComplete: boolean;
}

export async function compareSnapshots(
  database: Database,
  { before, after }: { before: string; after: string },
  isWanted: (difference: HostDifference) => boolean,
): Promise<Comparison> {
  const pairs = await findPairs(database, before, after);
  const differences: HostDifference[] = [];
  for (let at = 0; at < pairs.length && at < maxHosts; at += batchSize) {
    const batch = pairs.slice(at, at + batchSize);
    const hosts = await loadHosts(database, batch);
    for (const pair of batch) {
      const nodes = pair.after ?? pair.before!;
      const host = {
        managedNodeId: pair.managed_node_id,
        nodeId: nodes[0]!,
        nodeSnapshotId: pair.after ? after : before,
        displayName: pair.display_name,
        addr: pair.addr,
      };
      for (const difference of comparePair(pair, hosts)) {
        const one = { ...host, ...difference };
        if (!isWanted(one)) continue;
        if (differences.length === maxDifferences) return { differences, isComplete: false };
        differences.push(one);
      }
    }
  }
  return { differences, isComplete: pairs.length <= maxHosts };
}

/**
 * A host is the same in both snapshots if it is the same managed node; hosts without one are the same if they
 * have the same address.
 */
async function findPairs(database: Database, before: string, after: string): Promise<Pair[]> {
  const devicesOf = (
    parameter: string,
  ) => `(select coalesce(managed_node_id::text, addr, node_id::text) as device,
      (array_agg(managed_node_id))[1] as managed_node_id, (array_agg(display_name order by chunk, place))[1] as display_name,
      (array_agg(addr order by chunk, place))[1] as addr, array_agg(node_id order by chunk, place) as nodes,
      array_agg(contents_hash order by contents_hash) as hashes, bool_and(contents_hash is not null) as is_hashed
    from snapshot_node where snapshot_id = ${parameter} group by 1)`;
  const { rows } = await database.query<Pair>(
    `select coalesce(a.managed_node_id, b.managed_node_id) as managed_node_id,
       coalesce(a.display_name, b.display_name) as display_name, coalesce(a.addr, b.addr) as addr,
       b.nodes as before, a.nodes as after
     from ${devicesOf('$1')} b full join ${devicesOf('$2')} a on a.device = b.device
     where a.device is null or b.device is null or a.hashes <> b.hashes or not a.is_hashed or not b.is_hashed
     order by coalesce(a.display_name, b.display_name) collate "natural_order", coalesce(a.device, b.device)
     limit ${maxHosts + 1}`,
    [before, after],
  );
  return rows;
}

async function loadHosts(database: Database, pairs: readonly Pair[]): Promise<Map<string, ComparedHost>> {
  const ids = pairs.flatMap(({ before, after }) => (before && after ? [...before, ...after] : []));
  const { rows } = await database.query<{
    node_id: string;
    inventory: HostInventory;
    packages: ComparedHost['packages'];
    windows_updates: ComparedHost['windowsUpdates'];
  }>(
    'select node_id, facts as inventory, packages, windows_updates from snapshot_node where node_id = any($1::uuid[])',
    [ids],
  );
  return new Map(
    rows.map(({ node_id, inventory, packages, windows_updates }) => [
      node_id,
      { ...inventory, packages, windowsUpdates: windows_updates },
    ]),
  );
}

function comparePair({ before, after, addr }: Pair, hosts: ReadonlyMap<string, ComparedHost>): Difference[] {
  if (before && after) {
    const [old, now] = [deviceOf(before, hosts), deviceOf(after, hosts)];
    // The snapshot was deleted meanwhile.
    return old && now ? compareHosts(old, now) : [];
  }
  const change = after ? 'added' : 'removed';
  const text = addr ?? '';
  return [{ kind: 'host', change, entry: text, before: after ? null : text, after: after ? text : null }];
}

/** A device of which a scan found several hosts has what each of them has. */
function deviceOf(
  ids: readonly string[],
  hosts: ReadonlyMap<string, ComparedHost>,
): ComparedHost | undefined {
  const [first, ...others] = ids.flatMap((id) => hosts.get(id) ?? []);
  return others.reduce(
    (device, host) => ({
      ...combineInventories(device ?? {}, host as HostInventory),
      packages: host.packages.length > 0 ? host.packages : (device?.packages ?? []),
      windowsUpdates: host.windowsUpdates.length > 0 ? host.windowsUpdates : (device?.windowsUpdates ?? []),
    }),
    first,
  );
}
