// Reads ARP tables from IP-MIB.
import { isIpv4 } from '@yagura/core/validation/ipv4';
import type { LearnedMac } from '../arp.ts';
import { IndexReader, ipv4Of, macOf, type SnmpTable } from './values.ts';

/** Value of the types of both tables for an entry that is no longer used. */
const invalidType = 2;
/** Value of the type for an entry of the device itself. */
const localType = 5;

/**
 * Columns: `ipNetToMediaTable` 2 hardware address, 4 type, index interface and address; `ipNetToPhysicalTable` 4 and
 * 6, index interface, address type and address.
 */
export function readArp(netToMedia: SnmpTable, netToPhysical: SnmpTable): LearnedMac[] {
  const found: LearnedMac[] = [];
  const add = (addr: string | undefined, macaddr: string | undefined, type: unknown) => {
    if (addr === undefined || macaddr === undefined || !isIpv4(addr)) return;
    if (type !== invalidType && type !== localType) found.push({ addr, macaddr });
  };
  for (const [index, row] of netToMedia) {
    const reader = new IndexReader(index);
    reader.next();
    add(ipv4Of(reader.take(4)), macOf(row[2]), row[4]);
  }
  for (const [index, row] of netToPhysical) {
    const reader = new IndexReader(index);
    reader.next();
    add(reader.takeInetAddress(), macOf(row[4]), row[6]);
  }
  return found;
}
