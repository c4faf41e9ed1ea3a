// Reads forwarding tables from BRIDGE-MIB and Q-BRIDGE-MIB.
import type { Port } from './interfaces.ts';
import type { Neighbor } from './neighbor.ts';
import { countOf, IndexReader, macOf, type SnmpRow, type SnmpTable } from './values.ts';

/** Values of the status of an entry: learned from traffic, or entered by an administrator. */
const usableStatus = [3, 5];

/** The tables of one VLAN of a switch that has one bridge per VLAN, or of the only bridge. */
export interface BridgeTables {
  vlan?: number;
  /** `dot1dBasePortTable`: 2 interface; the index is the port. */
  basePorts: SnmpTable;
  /** `dot1dTpFdbTable`: 2 port, 3 status; the index is the address. */
  entries: SnmpTable;
}

export interface QBridgeTables {
  basePorts: SnmpTable;
  /** `dot1qTpFdbTable`: 2 port, 3 status; the index has the number of the database and the address. */
  entries: SnmpTable;
  /** `dot1qVlanCurrentTable`: 3 number of the database; the index has time and VLAN. */
  vlans: SnmpTable;
}

/** Devices behind each port, by port and address; an address that is known with its VLAN is not repeated without. */
export function readForwarding(
  bridges: readonly BridgeTables[],
  qBridge: QBridgeTables | undefined,
  ports: ReadonlyMap<number, Port>,
): Neighbor[] {
  const found = new Map<string, Neighbor>();
  const add = (basePorts: SnmpTable, octets: readonly number[], row: SnmpRow, vlan?: number) => {
    const macaddr = macOf(octets);
    const ifIndex = countOf(basePorts.get(String(row[2]))?.[2]);
    const port = ifIndex === undefined ? undefined : ports.get(ifIndex);
    if (!port || macaddr === undefined || !usableStatus.includes(countOf(row[3]) ?? 3)) return;
    const key = `${port.ifname}\n${macaddr}`;
    const known = found.get(key);
    if (known && known.vlan !== undefined) return;
    const usable = vlan !== undefined && vlan > 0 && vlan < 4096;
    found.set(key, { ifname: port.ifname, macaddr, protocol: 'fdb', ...(usable ? { vlan } : {}) });
  };
  if (qBridge) {
    const vlanOf = vlansByDatabase(qBridge.vlans);
    for (const [index, row] of qBridge.entries) {
      const reader = new IndexReader(index);
      const database = reader.next();
      add(qBridge.basePorts, reader.take(6), row, vlanOf(database));
    }
  }
  for (const { vlan, basePorts, entries } of bridges)
    for (const [index, row] of entries) add(basePorts, new IndexReader(index).take(6), row, vlan);
  const own = new Set([...ports.values()].map(({ macaddr }) => macaddr));
  return [...found.values()].filter(({ macaddr }) => !own.has(macaddr));
}

/** A database that several VLANs share tells none. Without the table, most switches number databases as VLANs. */
function vlansByDatabase(table: SnmpTable): (database: number) => number | undefined {
  if (table.size === 0) return (database) => database;
  const vlans = new Map<number, Set<number>>();
  for (const [index, row] of table) {
    const database = countOf(row[3]);
    const vlan = new IndexReader(index).take(2)[1];
    if (database === undefined || vlan === undefined) continue;
    vlans.set(database, (vlans.get(database) ?? new Set()).add(vlan));
  }
  return (database) => {
    const [vlan, ...others] = vlans.get(database) ?? [];
    return others.length === 0 ? vlan : undefined;
  };
}

/**
 * At most `max` entries: ports with the most addresses lead to other switches and are left out first, always whole, so
 * that none of them looks like the port of a single device.
 */
export function limitForwarding(entries: readonly Neighbor[], max: number): Neighbor[] {
  const sizes = new Map<string, number>();
  for (const { ifname } of entries) sizes.set(ifname, (sizes.get(ifname) ?? 0) + 1);
  const kept = new Set<string>();
  let count = 0;
  for (const [ifname, size] of [...sizes].sort(([, a], [, b]) => a - b)) {
    if (count + size > max) break;
    count += size;
    kept.add(ifname);
  }
  return entries.filter(({ ifname }) => kept.has(ifname));
}
