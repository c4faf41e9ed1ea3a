// Reads network interfaces and addresses from IF-MIB and IP-MIB.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { type Interface, netmaskOf, prefixOf } from '../interfaces.ts';
import { countOf, emptyTable, IndexReader, ipv4Of, macOf, type SnmpTable, textOf } from './values.ts';

/** Values of ifOperStatus, as Linux names them. */
const linkStates = ['up', 'down', 'testing', 'unknown', 'dormant', 'notpresent', 'lowerlayerdown'];

/** Value of ipAddressOrigin: a temporary address (RFC 8981), which a host replaces every day. */
const randomOrigin = 6;

export interface Port {
  ifIndex: number;
  /** Short name of the interface, such as `Gi0/1`. */
  ifname: string;
  /** Other texts by which the device names it. */
  aliases: readonly string[];
  macaddr?: string;
  linkState?: string;
}

/** Columns: `ifTable` 2 description, 6 address, 8 state; `ifXTable` 1 name, 18 alias. */
export function readPorts(ifTable: SnmpTable, ifXTable: SnmpTable = emptyTable): Map<number, Port> {
  const ports = new Map<number, Port>();
  for (const [index, row] of ifTable) {
    const ifIndex = Number(index);
    const more = ifXTable.get(index);
    const description = textOf(row[2]);
    const name = textOf(more?.[1]) ?? description;
    if (!Number.isInteger(ifIndex) || name === undefined) continue;
    const macaddr = macOf(row[6]);
    const linkState = linkStates[(countOf(row[8]) ?? 0) - 1];
    ports.set(ifIndex, {
      ifIndex,
      ifname: name,
      aliases: [description, textOf(more?.[18])].filter((one) => one !== undefined),
      ...(macaddr === undefined ? {} : { macaddr }),
      ...(linkState === undefined ? {} : { linkState }),
    });
  }
  return ports;
}

export interface PortAddress {
  ifIndex: number;
  addr: string;
  /** Length of the network prefix. */
  bits?: number;
}

/**
 * Columns: `ipAddrTable` 2 interface, 3 mask; `ipAddressTable` 3 interface, 4 type, 5 the row of its prefix, whose
 * last arc is the length, 6 origin.
 */
export function readPortAddresses(ipAddrTable: SnmpTable, ipAddressTable: SnmpTable): PortAddress[] {
  const found = new Map<string, PortAddress>();
  const add = (addr: string | undefined, ifIndex: number | undefined, bits: number | undefined) => {
    if (addr === undefined || ifIndex === undefined) return;
    const known = found.get(addr);
    found.set(addr, { ifIndex, addr, ...known, ...(bits === undefined ? {} : { bits }) });
  };
  for (const [index, row] of ipAddressTable) {
    // Only unicast addresses belong to one device.
    if (countOf(row[4]) !== undefined && row[4] !== 1) continue;
    if (row[6] === randomOrigin) continue;
    const prefix =
      typeof row[5] === 'string' && row[5] !== '0.0' ? Number(row[5].split('.').at(-1)) : undefined;
    add(new IndexReader(index).takeInetAddress(), countOf(row[3]), validBits(prefix));
  }
  for (const [index, row] of ipAddrTable) add(ipv4Of(index), countOf(row[2]), prefixOf(ipv4Of(row[3])));
  return [...found.values()];
}

/** One row per address, or one without address. */
export function readInterfaces(
  ports: ReadonlyMap<number, Port>,
  addresses: readonly PortAddress[],
): Interface[] {
  return [...ports.values()]
    .flatMap(({ ifIndex, ifname, macaddr, linkState }) => {
      const base = { ifname, ...(macaddr ? { macaddr } : {}), ...(linkState ? { linkState } : {}) };
      const rows = addresses
        .filter((one) => one.ifIndex === ifIndex)
        .map(
          ({ addr, bits }): Interface => ({
            ...base,
            addr,
            ...(bits === undefined ? {} : netmaskOf(addr, bits)),
          }),
        );
      return rows.length > 0 ? rows : [base];
    })
    .slice(0, inventoryLimits.interfaces);
}

function validBits(bits: number | undefined): number | undefined {
  return bits !== undefined && Number.isInteger(bits) && bits >= 0 && bits <= 128 ? bits : undefined;
}
