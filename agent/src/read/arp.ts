// Hardware addresses that a router has learned of the machines in its own networks.
import { ipv4Network } from '@yagura/core/sonar/ipv4-network';
import { isIpv4 } from '@yagura/core/validation/ipv4';
import { includesAddress, toRanges } from '../site/ipv4-ranges.ts';
import { type Interface, ownAddressesOf } from './interfaces.ts';
import { readJsonRows } from './text.ts';

export interface LearnedMac {
  addr: string;
  macaddr: string;
}

/** An entry of a router's ARP table, and when and with which account it was read. */
export interface ArpEntry extends LearnedMac {
  at: string;
  credential?: string | undefined;
}

/** `ip -j -4 neighbor show`; entries without an answer have no hardware address. */
export function parseIpNeighbor(text: string | undefined): LearnedMac[] {
  return readJsonRows(text).flatMap(({ dst, lladdr }) => {
    if (typeof dst !== 'string' || !isIpv4(dst) || typeof lladdr !== 'string') return [];
    const macaddr = lladdr.toLowerCase();
    return /^[\da-f][02468ace](:[\da-f]{2}){5}$/.test(macaddr) && !/^[0:]+$/.test(macaddr)
      ? [{ addr: dst, macaddr }]
      : [];
  });
}

/**
 * The entries that identify a machine: within the networks of the router's own interfaces, not of the router itself,
 * and with a hardware address that only one of the entries has. A machine that answers for others (proxy ARP) has
 * many addresses with one hardware address.
 */
export function identifyingEntries(
  entries: readonly LearnedMac[],
  interfaces: readonly Interface[],
): LearnedMac[] {
  const own = ownAddressesOf(interfaces);
  // A network of one address, such as a loopback address of the router, has no neighbors.
  const networks = own.flatMap(({ subnet }) => {
    const network = subnet === undefined ? undefined : ipv4Network(subnet);
    return network && network.bits < 32 && network.bits > 0 ? [network.text] : [];
  });
  const attached = toRanges(networks);
  const ownMacs = new Set(interfaces.map(({ macaddr }) => macaddr));
  const ownAddresses = new Set(own.map(({ addr }) => addr));
  const byMac = new Map<string, Set<string>>();
  for (const { addr, macaddr } of entries) byMac.set(macaddr, (byMac.get(macaddr) ?? new Set()).add(addr));
  const macsOf = new Map<string, Set<string>>();
  for (const { addr, macaddr } of entries) macsOf.set(addr, (macsOf.get(addr) ?? new Set()).add(macaddr));
  return [...macsOf].flatMap(([addr, macs]) => {
    const [macaddr] = macs;
    const isUsable =
      macs.size === 1 &&
      byMac.get(macaddr!)!.size === 1 &&
      !ownMacs.has(macaddr!) &&
      !ownAddresses.has(addr) &&
      includesAddress(attached, addr);
    return isUsable ? [{ addr, macaddr: macaddr! }] : [];
  });
}
