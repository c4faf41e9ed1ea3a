// Lists sort addresses of hosts as numbers: 10.0.0.2 before 10.0.0.10, and IPv4 before IPv6.
import ipaddr from 'ipaddr.js';
import type { Column } from '../resource/list/table.ts';

/** Only valid addresses are stored. */
export function addressColumn(alias: string): Column {
  const sql = `${alias}.addr`;
  return { sql, type: 'text', order: `${sql}::inet` };
}

/** Nodes without a name of their own are named by their address; numbers in other names are in order too. */
export function nodeNameColumn(alias: string): Column {
  const sql = `${alias}.display_name`;
  return { sql, type: 'text', order: `${sql} collate "natural_order"` };
}

/** Compares addresses in memory in the same order; keeps what it has parsed, for one list. */
export function createAddressComparison(): (left: string, right: string) => number {
  const parsed = new Map<string, Buffer>();
  const bytesOf = (address: string) => {
    const bytes = parsed.get(address) ?? Buffer.from(ipaddr.parse(address).toByteArray());
    parsed.set(address, bytes);
    return bytes;
  };
  return (left, right) => {
    const [a, b] = [bytesOf(left), bytesOf(right)];
    return a.length - b.length || Buffer.compare(a, b);
  };
}
