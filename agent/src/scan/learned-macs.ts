// Hardware addresses of hosts behind routers, as the routers of the same scan know them.
import type { ArpEntry } from '../read/arp.ts';
import { type Ipv4Range, includesAddress, toRanges } from '../site/ipv4-ranges.ts';
import type { KnownRouter } from './known-router.ts';
import type { ReadHost } from './merge-hosts.ts';

/** Routers that are asked for one block; computers that forward packets for their containers have fewer networks. */
const maxAsked = 4;

/** By address; null if routers disagree. */
export type LearnedMacs = ReadonlyMap<string, Omit<ArpEntry, 'addr'> | null>;

/** What the hosts know of targets of the scan; everything else is ignored. */
export function learnMacs(
  read: readonly Pick<ReadHost, 'arp'>[],
  targets: readonly Ipv4Range[],
): LearnedMacs {
  const learned = new Map<string, Omit<ArpEntry, 'addr'> | null>();
  for (const { arp = [] } of read)
    for (const { addr, ...entry } of arp) {
      if (!includesAddress(targets, addr)) continue;
      const before = learned.get(addr);
      if (before === undefined) learned.set(addr, entry);
      else if (before?.macaddr !== entry.macaddr) learned.set(addr, null);
    }
  return learned;
}

/** The same for a host that is read again. */
const identityKey = ({ identities }: Pick<ReadHost, 'identities'>) => [...identities].sort().join(' ');

/** Adds the routers among the hosts, each once. */
export function addRouters(known: readonly KnownRouter[], read: readonly ReadHost[]): KnownRouter[] {
  const routers = [...known];
  for (const host of read) {
    const { address, arp, ports = [], ownAddresses } = host;
    if (!arp) continue;
    const id = identityKey(host);
    const networks = ownAddresses.flatMap(({ subnet }) => (subnet === undefined ? [] : [subnet]));
    if (!routers.some((one) => one.identities === id))
      routers.push({ address, ports: [...ports], networks, identities: id });
  }
  return routers;
}

/** Routers that were read with earlier hosts, in whose networks there are hosts without hardware address. */
export function routersToAsk(known: readonly KnownRouter[], read: readonly ReadHost[]): KnownRouter[] {
  const present = new Set(read.filter(({ arp }) => arp).map(identityKey));
  const unknown = read.filter(({ host }) => !host.addresses?.[0]?.macaddr).map(({ address }) => address);
  return known
    .filter(({ networks, identities }) => {
      const ranges = toRanges(networks);
      return !present.has(identities) && unknown.some((address) => includesAddress(ranges, address));
    })
    .sort((a, b) => b.networks.length - a.networks.length)
    .slice(0, maxAsked);
}

/** Gives hosts their hardware address unless they have one from the link itself. */
export function applyLearnedMacs(read: readonly ReadHost[], learned: LearnedMacs): ReadHost[] {
  return read.map((one) => {
    const entry = learned.get(one.address);
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
