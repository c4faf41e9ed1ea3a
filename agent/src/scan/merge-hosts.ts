// Combines what was found at several addresses of one machine.
import { ipv4Number } from '@yagura/core/sonar/ipv4-network';
import type { ArpEntry } from '../read/arp.ts';
import { includesAddress } from '../site/ipv4-ranges.ts';
import type { HostResult } from './make-chunks.ts';
import type { ScanState } from './scan-spool.ts';

/** A host as read through one of its addresses. */
export interface ReadHost extends HostResult {
  address: string;
  /** IPv4 addresses of its interfaces, as the host itself told, with their networks. */
  ownAddresses: readonly { addr: string; subnet?: string }[];
  /** What identifies the machine: hardware addresses, host key, machine id; each with a prefix for its kind. */
  identities: readonly string[];
  /** What a router knows of the machines in its networks; absent if the host is none. */
  arp?: readonly ArpEntry[];
  /** Open ports through which the host was read. */
  ports?: readonly number[];
}

/**
 * An address belongs to another host if that host lists it among its own and both have an identity in common.
 * An address that a host only claims stays a host of its own: the same private address may exist twice.
 */
export function mergeHosts(
  read: readonly ReadHost[],
  { targets, owned }: Pick<ScanState, 'targets' | 'owned'>,
): { results: HostResult[]; owned: ScanState['owned'] } {
  const claims: ScanState['owned'] = { ...owned };
  const results: HostResult[] = [];
  // Hosts that told most come first, so that they take in the others; then the lowest address, not the fastest host.
  const ordered = [...read].sort(
    (a, b) => b.ownAddresses.length - a.ownAddresses.length || ipv4Number(a.address) - ipv4Number(b.address),
  );
  for (const one of ordered) {
    const owner = claims[one.address]?.split(' ');
    if (owner && one.identities.some((identity) => owner.includes(identity))) continue;
    const others = one.ownAddresses.filter(
      ({ addr }) => addr !== one.address && includesAddress(targets, addr) && claims[addr] === undefined,
    );
    const elsewhere = read.filter(({ address }) => others.some(({ addr }) => addr === address));
    const shared = elsewhere.filter((other) =>
      other.identities.some((identity) => one.identities.includes(identity)),
    );
    const conflicting = new Set(
      elsewhere.filter((other) => !shared.includes(other)).map(({ address }) => address),
    );
    const addresses = [...(one.host.addresses ?? [])];
    for (const { addr, subnet } of others) {
      if (conflicting.has(addr)) continue;
      claims[addr] = one.identities.join(' ');
      const known = shared.find(({ address }) => address === addr)?.host.addresses?.[0];
      addresses.push({ addr, ...(subnet === undefined ? {} : { subnet }), ...known });
    }
    results.push({ host: { ...one.host, addresses }, refusals: one.refusals });
  }
  return { results, owned: claims };
}
