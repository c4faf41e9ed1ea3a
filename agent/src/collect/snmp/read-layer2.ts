// Reads the neighbors of a device: LLDP, CDP and the forwarding tables of its bridges.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { type BridgeTables, limitForwarding, readForwarding } from '../../read/snmp/bridge.ts';
import { readCdp } from '../../read/snmp/cdp.ts';
import type { Port } from '../../read/snmp/interfaces.ts';
import { readLldp } from '../../read/snmp/lldp.ts';
import type { Neighbor } from '../../read/snmp/neighbor.ts';
import { IndexReader, type SnmpTable } from '../../read/snmp/values.ts';
import type { HostPart } from '../host-part.ts';
import type { TableReader } from './table-reader.ts';

/** VLANs that a switch shows one by one. */
const maxVlans = 128;
/**
 * VLANs that cannot be read after which the others are not asked for: the switch does not show VLANs in this way, or is
 * silent about those that it does not use, and each silence takes seconds of the time for the host.
 */
const maxUnreadVlans = 2;
/** Value of `vtpVlanState`. */
const operational = 1;
/** VLANs of Token Ring and FDDI, which every Cisco switch has. */
const isLegacyVlan = (vlan: number) => vlan >= 1002 && vlan <= 1005;

export interface Layer2 {
  neighbors: Neighbor[];
  /** Protocols that were read, even without a neighbor. */
  learnedBy: Learned[];
}

type Learned = NonNullable<HostPart['learnedBy']>[number];
type WithVlan = <T>(vlan: number, read: (reader: TableReader) => Promise<T>) => Promise<T>;

export async function readLayer2(
  reader: TableReader,
  ports: ReadonlyMap<number, Port>,
  has: { lldp: boolean; cdp: boolean; bridge: boolean },
  withVlan: WithVlan,
): Promise<Layer2> {
  const found: Layer2 = { neighbors: [], learnedBy: [] };
  const add = (read: Omit<Learned, 'group'>, neighbors: Neighbor[] | undefined) => {
    if (!neighbors) return;
    found.neighbors.push(...neighbors);
    found.learnedBy.push({ group: 'neighbors', ...read });
  };
  if (has.lldp) add({ source: 'lldp' }, await readLldpTables(reader, ports));
  const cache = await reader.read('cdpCache');
  if (cache && (has.cdp || cache.size > 0)) add({ source: 'cdp' }, readCdp(cache, ports));
  found.neighbors.splice(inventoryLimits.neighbors);
  const bridges = has.bridge ? await readBridges(reader, ports, withVlan) : undefined;
  if (bridges) {
    const { entries, unreadVlans } = bridges;
    const limited = limitForwarding(entries, inventoryLimits.neighbors - found.neighbors.length);
    if (limited.length < entries.length) reader.codes.add('LIST_TOO_LONG');
    add({ source: 'fdb', ...(unreadVlans.length > 0 ? { unreadVlans } : {}) }, limited);
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

/** Undefined if a table of the switch as a whole could not be read. */
async function readBridges(
  reader: TableReader,
  ports: ReadonlyMap<number, Port>,
  withVlan: WithVlan,
): Promise<{ entries: Neighbor[]; unreadVlans: number[] } | undefined> {
  const whole = await readBridge(reader);
  const qEntries = await reader.read('qForwarding');
  const qVlans = qEntries && qEntries.size > 0 ? await reader.read('qVlans') : qEntries;
  const vtpVlans = await reader.read('vtpVlans');
  if (!whole || !qEntries || !qVlans || !vtpVlans) return undefined;
  const bridges: BridgeTables[] = [];
  const unreadVlans: number[] = [];
  for (const vlan of vlansOf(vtpVlans)) {
    const bridge = unreadVlans.length < maxUnreadVlans ? await withVlan(vlan, readBridge) : undefined;
    if (bridge) bridges.push({ vlan, ...bridge });
    else unreadVlans.push(vlan);
  }
  const entries = readForwarding(
    [...bridges, whole],
    { basePorts: whole.basePorts, entries: qEntries, vlans: qVlans },
    ports,
  );
  // Q-BRIDGE-MIB has all VLANs in one table.
  return { entries, unreadVlans: qEntries.size > 0 ? [] : unreadVlans };
}

async function readBridge(reader: TableReader): Promise<BridgeTables | undefined> {
  const basePorts = await reader.read('basePorts');
  const entries = basePorts && (await reader.read('forwarding'));
  return entries && { basePorts, entries };
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
