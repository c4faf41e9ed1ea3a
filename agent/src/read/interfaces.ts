// Reads network interfaces from `ip` and `ifconfig -a`.
import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { ipv4Network, ipv4Number, ipv4Text } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { readJsonRows } from './text.ts';

export type Interface = NonNullable<ScannedHostInput['interfaces']>[number];

/** Of interfaces without hardware addresses, such as tunnels. */
export const emptyMac = '00:00:00:00:00:00';

/**
 * One row per address, or one without address. Temporary addresses (RFC 8981) are left out: a host makes itself a new one
 * every day, so that each scan would differ from the one before.
 */
export function parseIpAddress(text: string | undefined): Interface[] {
  return readJsonRows(text)
    .flatMap((link) => {
      if (typeof link.ifname !== 'string') return [];
      const base = {
        ifname: link.ifname,
        ...macOf(link.address),
        ...(typeof link.operstate === 'string'
          ? { linkState: link.operstate.toLowerCase().slice(0, 16) }
          : {}),
      };
      const addresses = Array.isArray(link.addr_info) ? (link.addr_info as Record<string, unknown>[]) : [];
      const rows = addresses.flatMap((one): Interface[] => {
        if (typeof one?.local !== 'string' || typeof one.prefixlen !== 'number') return [];
        if (one.temporary === true) return [];
        return [{ ...base, addr: one.local, ...netmaskOf(one.local, one.prefixlen) }];
      });
      return rows.length > 0 ? rows : [base];
    })
    .slice(0, inventoryLimits.interfaces);
}

/** `ip -o link` and `ip -o address`: one line per interface, then one per address; temporary ones are left out. */
export function parseIpText(text: string | undefined): Interface[] {
  const links = new Map<string, { base: Interface; addresses: Interface[] }>();
  for (const line of (text ?? '').split('\n')) {
    const [, ifname, rest = ''] = /^\d+: +([^\s:@]+)(?:@[^\s:]+)?:? +(.*)$/.exec(line) ?? [];
    if (ifname === undefined) continue;
    const state = /\bstate ([A-Z]+)\b/.exec(rest)?.[1]?.toLowerCase();
    const mac = /\blink\/ether ([\da-f:]+)/i.exec(rest)?.[1];
    const [, addr, bits] = /^inet6? ([\da-f.:]+)(?: peer [\da-f.:]+)?\/(\d+)/i.exec(rest) ?? [];
    const link = links.get(ifname) ?? { base: { ifname }, addresses: [] };
    if (state !== undefined) link.base = { ifname, ...macOf(mac), linkState: state.slice(0, 16) };
    if (addr !== undefined && !/\btemporary\b/.test(rest))
      link.addresses.push({ ifname, addr, ...netmaskOf(addr, Number(bits)) });
    links.set(ifname, link);
  }
  return [...links.values()]
    .flatMap(({ base, addresses }) =>
      addresses.length > 0 ? addresses.map((one) => ({ ...base, ...one })) : [base],
    )
    .slice(0, inventoryLimits.interfaces);
}

/** The forms of Linux (net-tools, BusyBox), the BSDs and macOS. */
export function parseIfconfig(text: string | undefined): Interface[] {
  const rows: Interface[] = [];
  for (const block of (text ?? '').split(/\n(?=\S)/)) {
    const ifname = /^([^\s:]+(?::\d+)?):?\s/.exec(block)?.[1];
    if (ifname === undefined || !/flags=|Link encap:|\bmtu\b/i.test(block)) continue;
    const mac = /(?:ether|HWaddr|lladdr|address:) +((?:[\da-f]{2}:){5}[\da-f]{2})/i.exec(block)?.[1];
    const isUp = /[<\s,]UP[\s,>]/.test(block);
    const base = { ifname, ...macOf(mac), linkState: isUp ? 'up' : 'down' };
    const found = [
      ...block.matchAll(/inet (?:addr:)?([\d.]+)(?:.*?(?:netmask |Mask:)(0x[\da-f]{8}|[\d.]+))?/g),
    ].flatMap(([, addr, mask]): Interface[] => {
      if (!addr || !isIpv4(addr)) return [];
      const netmask = mask?.startsWith('0x') ? ipv4Text(Number.parseInt(mask, 16)) : mask;
      return [{ ...base, addr, ...(netmask && isIpv4(netmask) ? { netmask } : {}) }];
    });
    rows.push(...(found.length > 0 ? found : [base]));
  }
  return rows.slice(0, inventoryLimits.interfaces);
}

/** IPv4 addresses that other machines can reach, with their networks. */
export function ownAddressesOf(interfaces: readonly Interface[]): { addr: string; subnet?: string }[] {
  return interfaces.flatMap(({ addr, netmask }) => {
    if (!addr || !isIpv4(addr) || /^(127|169\.254|0)\./.test(addr)) return [];
    const bits = prefixOf(netmask ?? undefined);
    const subnet = bits === undefined ? undefined : ipv4Network(`${addr}/${bits}`)?.text;
    return [{ addr, ...(subnet === undefined ? {} : { subnet }) }];
  });
}

/** The hardware addresses by which a host is known again, each once. */
export function macIdentities(interfaces: readonly Interface[]): string[] {
  return [...new Set(interfaces.flatMap(({ macaddr }) => (macaddr ? [`mac:${macaddr}`] : [])))];
}

export function macOf(text: unknown): { macaddr?: string } {
  const mac = typeof text === 'string' ? text.toLowerCase() : '';
  return /^([\da-f]{2}:){5}[\da-f]{2}$/.test(mac) && mac !== emptyMac ? { macaddr: mac } : {};
}

/** Dotted for IPv4, the prefix length for IPv6; nothing if the length is none of the address's version. */
export function netmaskOf(address: string, bits: number): { netmask?: string } {
  const isV4 = isIpv4(address);
  if (!Number.isInteger(bits) || bits < 0 || bits > (isV4 ? 32 : 128)) return {};
  return { netmask: isV4 ? ipv4Text(2 ** 32 - 2 ** (32 - bits)) : String(bits) };
}

/** Length of a contiguous mask. */
export function prefixOf(netmask: string | undefined): number | undefined {
  if (netmask === undefined || !isIpv4(netmask)) return undefined;
  const inverted = 2 ** 32 - ipv4Number(netmask);
  const bits = 32 - Math.log2(inverted);
  return Number.isInteger(bits) ? bits : undefined;
}
