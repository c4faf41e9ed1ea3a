// Hardware addresses of hosts behind routers, as the routers of the same scan know them.
import { ipv4Number } from '@yagura/core/sonar/ipv4-network';
import type { LearnedMac } from '../read/arp.ts';
import { type Ipv4Range, includesAddress } from '../site/ipv4-ranges.ts';
import type { ReadHost } from './merge-hosts.ts';

/** An entry of a router's ARP table, and when and with which account it was read. */
export interface ArpEntry extends LearnedMac {
  at: string;
  credential?: string | undefined;
}

/** By address; null if routers disagree. */
export type LearnedMacs = Record<string, Omit<ArpEntry, 'addr'> | null>;

/** Adds what the hosts know of targets of the scan; everything else is ignored. */
export function learnMacs(
  known: LearnedMacs,
  read: readonly Pick<ReadHost, 'arp'>[],
  targets: readonly Ipv4Range[],
): LearnedMacs {
  const learned = { ...known };
  for (const { arp = [] } of read)
    for (const { addr, ...entry } of arp) {
      if (!includesAddress(targets, addr)) continue;
      const before = learned[addr];
      if (before === undefined) learned[addr] = entry;
      else if (before?.macaddr !== entry.macaddr) learned[addr] = null;
    }
  return learned;
}

/** Entries of addresses that are still to be scanned. */
export function learnedAfter(learned: LearnedMacs, address: string): LearnedMacs {
  const last = ipv4Number(address);
  return Object.fromEntries(Object.entries(learned).filter(([addr]) => ipv4Number(addr) > last));
}

/** Gives hosts their hardware address unless they have one from the link itself. */
export function applyLearnedMacs(read: readonly ReadHost[], learned: LearnedMacs): ReadHost[] {
  return read.map((one) => {
    const entry = learned[one.address];
    const [address, ...others] = one.host.addresses ?? [];
    if (!entry || !address || address.macaddr) return one;
    const { macaddr, at, credential } = entry;
    return {
      ...one,
      identities: [`mac:${macaddr}`, ...one.identities],
      host: {
        ...one.host,
        addresses: [{ ...address, macaddr }, ...others],
        evidence: [
          ...(one.host.evidence ?? []),
          { group: 'addresses', source: 'arp', at, ...(credential === undefined ? {} : { credential }) },
        ],
      },
    };
  });
}
