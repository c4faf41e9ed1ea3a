// Reads neighbors from LLDP-MIB (IEEE 802.1AB).
import type { Port } from './interfaces.ts';
import { type Neighbor, portByName } from './neighbor.ts';
import {
  countOf,
  emptyTable,
  IndexReader,
  inetAddressOf,
  ipv4Of,
  macOf,
  type SnmpRow,
  type SnmpTable,
  type SnmpValue,
  textOf,
} from './values.ts';

const chassisSubtypes = { macAddress: 4, networkAddress: 5 };
const portSubtypes = { interfaceAlias: 1, macAddress: 3, networkAddress: 4, local: 7 };

export interface LldpTables {
  /** `lldpLocPortTable`: 2 subtype of the id, 3 id, 4 description; the index is the number of the port. */
  localPorts: SnmpTable;
  /**
   * `lldpRemTable`: 4 and 5 chassis id, 6 and 7 port id, 8 port description, 9 system name; the index has time, number of
   * the local port, number of the neighbor.
   */
  remotes: SnmpTable;
  /** `lldpRemManAddrTable`; the address is in the index. */
  managementAddresses?: SnmpTable;
  /** `lldpXdot1RemTable`: 1 VLAN. */
  vlans?: SnmpTable;
}

export function readLldp(tables: LldpTables, ports: ReadonlyMap<number, Port>): Neighbor[] {
  const { localPorts, remotes, managementAddresses = emptyTable, vlans = emptyTable } = tables;
  const addresses = addressesOf(managementAddresses);
  return [...remotes].flatMap(([index, row]): Neighbor[] => {
    const reader = new IndexReader(index);
    reader.next();
    const localPort = reader.next();
    const ifname = localName(localPort, localPorts.get(String(localPort)), ports);
    if (ifname === undefined) return [];
    const chassis = chassisOf(row);
    const remoteIfname = remotePort(row);
    const remoteName = textOf(row[9]) ?? chassis.name;
    const remoteAddr = addresses.get(index) ?? chassis.addr;
    // A device that tells nothing of itself is no neighbor that could be drawn.
    if (chassis.macaddr === undefined && remoteName === undefined && remoteAddr === undefined) return [];
    const vlan = countOf(vlans.get(index)?.[1]);
    return [
      {
        ifname,
        protocol: 'lldp',
        ...(chassis.macaddr === undefined ? {} : { macaddr: chassis.macaddr }),
        ...(remoteIfname === undefined ? {} : { remoteIfname }),
        ...(remoteName === undefined ? {} : { remoteName }),
        ...(remoteAddr === undefined ? {} : { remoteAddr }),
        ...(vlan !== undefined && vlan > 0 && vlan < 4096 ? { vlan } : {}),
      },
    ];
  });
}

/** The name that the device's own interfaces have; port numbers of LLDP need not be those of IF-MIB. */
function localName(
  number: number,
  row: SnmpRow | undefined,
  ports: ReadonlyMap<number, Port>,
): string | undefined {
  const mac = row?.[2] === portSubtypes.macAddress ? macOf(row[3]) : undefined;
  const id = mac === undefined ? textOf(row?.[3]) : undefined;
  const description = textOf(row?.[4]);
  const named = portByName(ports, id, description);
  if (named) return named.ifname;
  const withMac = [...ports.values()].filter(({ macaddr }) => mac !== undefined && macaddr === mac);
  if (withMac.length === 1) return withMac[0]!.ifname;
  return ports.get(number)?.ifname ?? description ?? id ?? mac;
}

function chassisOf(row: SnmpRow): { macaddr?: string; addr?: string; name?: string } {
  if (row[4] === chassisSubtypes.macAddress) {
    const macaddr = macOf(row[5]);
    return macaddr === undefined ? {} : { macaddr };
  }
  if (row[4] === chassisSubtypes.networkAddress) {
    const addr = networkAddressOf(row[5]);
    return addr === undefined ? {} : { addr };
  }
  const name = textOf(row[5]);
  return name === undefined ? {} : { name };
}

/**
 * The name of a port. An id that is no name of an interface, such as an address, an administrator's text or the SNMP index
 * of Junos, tells less than the description, which should be `ifDescr` (IEEE 802.1AB, port description TLV).
 */
function remotePort(row: SnmpRow): string | undefined {
  const description = textOf(row[8]);
  if (row[6] === portSubtypes.macAddress) return description ?? macOf(row[7]);
  if (row[6] === portSubtypes.networkAddress) return description ?? networkAddressOf(row[7]);
  const id = textOf(row[7]);
  const isNumber = row[6] === portSubtypes.local && id !== undefined && /^\d+$/.test(id);
  const isName = row[6] !== portSubtypes.interfaceAlias && !isNumber;
  return isName ? (id ?? description) : (description ?? id);
}

/** One octet of the address family (IANA), then the address. */
function networkAddressOf(value: SnmpValue | undefined): string | undefined {
  return value instanceof Uint8Array ? inetAddressOf(value[0] ?? 0, value.subarray(1)) : undefined;
}

/** Management addresses by the index of the neighbor; IPv4 is preferred. */
function addressesOf(table: SnmpTable): Map<string, string> {
  const found = new Map<string, string>();
  for (const index of table.keys()) {
    const reader = new IndexReader(index);
    const neighbor = reader.take(3).join('.');
    const address = reader.takeInetAddress();
    if (address !== undefined && (!found.has(neighbor) || ipv4Of(address) !== undefined))
      found.set(neighbor, address);
  }
  return found;
}
