// Reads neighbors from CISCO-CDP-MIB.
import type { Port } from './interfaces.ts';
import type { Neighbor } from './neighbor.ts';
import { countOf, IndexReader, inetAddressOf, macOf, type SnmpTable, textOf } from './values.ts';

/**
 * `cdpCacheTable`: 3 type of the address, 4 address, 6 name of the device, 7 its port, 11 native VLAN; the index begins
 * with the interface.
 */
export function readCdp(cache: SnmpTable, ports: ReadonlyMap<number, Port>): Neighbor[] {
  return [...cache].flatMap(([index, row]): Neighbor[] => {
    const ifname = ports.get(new IndexReader(index).next())?.ifname;
    if (ifname === undefined) return [];
    const octets = row[4] instanceof Uint8Array ? row[4] : new Uint8Array();
    // CiscoNetworkProtocol: 1 is IPv4, 20 is IPv6.
    const remoteAddr =
      row[3] === 1 ? inetAddressOf(1, octets) : row[3] === 20 ? inetAddressOf(2, octets) : undefined;
    // Some phones send their hardware address as the name.
    const macaddr = macOf(row[6]) ?? macOfText(textOf(row[6]));
    const remoteName = macOf(row[6]) === undefined ? deviceName(textOf(row[6])) : undefined;
    const remoteIfname = textOf(row[7]);
    if (macaddr === undefined && remoteName === undefined && remoteAddr === undefined) return [];
    const vlan = countOf(row[11]);
    return [
      {
        ifname,
        protocol: 'cdp',
        ...(macaddr === undefined ? {} : { macaddr }),
        ...(remoteIfname === undefined ? {} : { remoteIfname }),
        ...(remoteName === undefined ? {} : { remoteName }),
        ...(remoteAddr === undefined || remoteAddr === '0.0.0.0' ? {} : { remoteAddr }),
        ...(vlan !== undefined && vlan > 0 && vlan < 4096 ? { vlan } : {}),
      },
    ];
  });
}

/** Nexus switches append their serial number: `core1(FOX1234ABCD)`. */
function deviceName(text: string | undefined): string | undefined {
  return text?.replace(/\([A-Z\d]{8,}\)$/, '') || undefined;
}

/** `SEP001122334455`, as phones name themselves. */
function macOfText(text: string | undefined): string | undefined {
  const hex = /^SEP([\dA-F]{12})$/.exec(text ?? '')?.[1];
  return hex === undefined ? undefined : macOf(Buffer.from(hex, 'hex'));
}
