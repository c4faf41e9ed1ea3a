// Reads the neighbors of a device: LLDP, CDP and the forwarding tables of its bridges.
import { type InventorySource, inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { type BridgeTables, limitForwarding, readForwarding } from '../../read/snmp/bridge.ts';
import { readCdp } from '../../read/snmp/cdp.ts';
import type { Port } from '../../read/snmp/interfaces.ts';
import { readLldp } from '../../read/snmp/lldp.ts';
import type { Neighbor } from '../../read/snmp/neighbor.ts';
import { IndexReader, type SnmpTable } from '../../read/snmp/values.ts';
import type { TableReader } from './table-reader.ts';

/** VLANs that a switch shows one by one. */
const maxVlans = 128;
/** Value of `vtpVlanState`. */
const operational = 1;
/** VLANs of Token Ring and FDDI, which every Cisco switch has. */
const isLegacyVlan = (vlan: number) => vlan >= 1002 && vlan <= 1005;

export interface Layer2 {
  neighbors: Neighbor[];
  /** Protocols that were read, even without a neighbor. */
  sources: Extract<InventorySource, 'lldp' | 'cdp' | 'fdb'>[];
}

export async function readLayer2(
  reader: TableReader,
  ports: ReadonlyMap<number, Port>,
  has: { lldp: boolean; cdp: boolean; bridge: boolean },
  withVlan: <T>(vlan: number, read: (reader: TableReader) => Promise<T>) => Promise<T>,
): Promise<Layer2> {
  const found: Layer2 = { neighbors: [], sources: [] };
  const add = (source: Layer2['sources'][number], neighbors: Neighbor[] | undefined) => {
    if (!neighbors) return;
    found.neighbors.push(...neighbors);
    found.sources.push(source);
  };
  if (has.lldp) add('lldp', await readLldpTables(reader, ports));
  const cache = await reader.read('cdpCache');
  if (cache && (has.cdp || cache.size > 0)) add('cdp', readCdp(cache, ports));
  found.neighbors.splice(inventoryLimits.neighbors);
  if (has.bridge) {
    const entries = await readBridges(reader, ports, withVlan);
    add('fdb', entries && limitForwarding(entries, inventoryLimits.neighbors - found.neighbors.length));
  }
  return found;
}

async function readLldpTables(
  reader: TableReader,
  ports: ReadonlyMap<number, Port>,
): Promise<Neighbor[] | undefined> {
  const localPorts = await reader.read('lldpLocalPorts');
  const remotes = await reader.read('lldpRemotes');
  if (!localPorts || !remotes) return undefined;
  if (remotes.size === 0) return [];
  const managementAddresses = await reader.read('lldpAddresses');
  const vlans = await reader.read('lldpVlans');
  return readLldp(
    { localPorts, remotes, ...(managementAddresses && { managementAddresses }), ...(vlans && { vlans }) },
    ports,
  );
}

async function readBridges(
  reader: TableReader,
  ports: ReadonlyMap<number, Port>,
  withVlan: <T>(vlan: number, read: (reader: TableReader) => Promise<T>) => Promise<T>,
): Promise<Neighbor[] | undefined> {
  const whole = await readBridge(reader);
  const qEntries = await reader.read('qForwarding');
  const qVlans = qEntries && qEntries.size > 0 ? await reader.read('qVlans') : qEntries;
  const vtpVlans = await reader.read('vtpVlans');
  if (!whole || !qEntries || !qVlans || !vtpVlans) return undefined;
  const bridges: BridgeTables[] = [];
  for (const vlan of vlansOf(vtpVlans)) {
    const bridge = await withVlan(vlan, readBridge);
    if (!bridge) return undefined;
    bridges.push({ vlan, ...bridge });
  }
  return readForwarding(
    [...bridges, whole],
    { basePorts: whole.basePorts, entries: qEntries, vlans: qVlans },
    ports,
  );
}

async function readBridge(reader: TableReader): Promise<BridgeTables | undefined> {
  const basePorts = await reader.read('basePorts');
  const entries = await reader.read('forwarding');
  return basePorts && entries ? { basePorts, entries } : undefined;
}

function vlansOf(vtpVlans: SnmpTable): number[] {
  return [...vtpVlans]
    .flatMap(([index, row]) => {
      const vlan = new IndexReader(index).take(2)[1];
      return vlan !== undefined && vlan > 0 && vlan < 4096 && !isLegacyVlan(vlan) && row[2] === operational
        ? [vlan]
        : [];
    })
    .slice(0, maxVlans);
}
