// Finds the hosts among a block of addresses.

import { Slots } from '@yagura/core/live/slots';
import { forEachParallel } from '../pace.ts';
import { awaitNeighbors, requestNeighbors } from './ask-neighbors.ts';
import type { BlockSearch } from './block-search.ts';
import { probeTimeoutMs } from './discovery-limits.ts';
import { byInterface, nmapPauseMs } from './installed-scanners.ts';
import type { SearchContext } from './neighbor-search.ts';
import type { Neighbor } from './neighbor-table.ts';
import { type ProbeResult, probeTcp } from './tcp-probe.ts';

export interface FoundHost {
  address: string;
  /** Only of hosts on the same link. */
  macaddr?: string;
  /** Found by nothing but its answer to a ping. */
  isPinged?: boolean;
  /** Open TCP ports in ascending order. */
  ports: number[];
  /** Milliseconds since the epoch. */
  at: number;
}

export interface DiscoveryContext extends SearchContext {
  portsOf(address: string): readonly number[];
  parallelHosts: number;
  /** Limits hosts that all scans contact at the same time. */
  slots: Slots;
  /** Wall clock. */
  now(): number;
  /** Called for each address whose search has ended. */
  onProbed(): void;
}

/** Milliseconds after which the kernel has confirmed or dropped an entry that it had before (5 s + 3 × 1 s). */
const confirmationMs = 10_000;
/**
 * Addresses of a block that one machine may answer for without being heard on any of their ports. With more, it answers
 * for others (proxy ARP, RFC 1027), also for those that nobody has.
 */
export const maxSilentAddresses = 16;

export async function discoverBlock(search: BlockSearch, context: DiscoveryContext): Promise<FoundHost[]> {
  const { addresses, interfaces } = search;
  const knownBefore = await search.begun;
  const offLink = addresses.filter((address) => !interfaces.has(address));
  const found: FoundHost[] = [];
  const neighbors: FoundHost[] = [];
  const unconfirmed: FoundHost[] = [];
  const silent: FoundHost[] = [];
  const slots = new Slots(context.parallelHosts);
  const probes: Promise<void>[] = [];
  // Ports are tried while the kernel still looks for other neighbors.
  const probe = (address: string, neighbor?: Neighbor) => {
    const work = slots.run(async () => {
      const { host, answered } = await probeHost(address, neighbor, context);
      if (answered) found.push(host);
      // A new entry of the table was made by an answer of the host.
      else if (neighbor) (knownBefore.has(address) ? unconfirmed : neighbors).push(host);
      else silent.push(host);
      context.onProbed();
    });
    // Its error is passed on below.
    work.catch(() => undefined);
    probes.push(work);
  };
  try {
    for (const address of offLink) probe(address);
    search.onFound(probe);
    await search.ended;
    for (const address of interfaces.keys()) {
      if (search.withoutEntry.has(address)) probe(address);
      else if (!search.found.has(address)) context.onProbed();
    }
  } finally {
    // All have ended before an error is passed on.
    await Promise.allSettled(probes);
  }
  await Promise.all(probes);
  neighbors.push(...(await confirm(unconfirmed, interfaces, context)));
  // In a fixed order, so that every scan keeps the same address of a machine that answers for others.
  const order = new Map(addresses.map((address, at) => [address, at]));
  neighbors.sort((one, other) => order.get(one.address)! - order.get(other.address)!);
  const { own, doubtful } = setProxiedAside(neighbors, found);
  found.push(...own, ...(await findByPing([...silent, ...doubtful], context)));
  // After the last use of the table for this block.
  if (context.tablePlan !== undefined) await flush(interfaces, context);
  return found;
}

/** `answered`: whether any port did; a host that answers on none may still be there. */
async function probeHost(
  address: string,
  neighbor: Neighbor | undefined,
  context: DiscoveryContext,
): Promise<{ host: FoundHost; answered: boolean }> {
  const results = await context.slots.run(() => probePorts(address, context));
  const ports = [...results].flatMap(([port, result]) => (result === 'open' ? [port] : []));
  const macaddr = neighbor?.macaddr ?? context.ownMacaddr(address);
  return {
    host: {
      address,
      ...(macaddr === undefined ? {} : { macaddr }),
      ports: ports.sort((a, b) => a - b),
      at: context.now(),
    },
    answered: [...results.values()].some((result) => result !== 'silent'),
  };
}

/**
 * Of hosts that were heard by ARP alone, those that another machine seems to answer for, without its hardware address. One
 * address of each such machine stays, so that the machine itself is found, unless it is among `answering` hosts.
 */
function setProxiedAside(
  neighbors: readonly FoundHost[],
  answering: readonly FoundHost[],
): { own: FoundHost[]; doubtful: FoundHost[] } {
  const silent = new Map<string, number>();
  for (const { macaddr, ports } of neighbors)
    if (macaddr !== undefined && ports.length === 0) silent.set(macaddr, (silent.get(macaddr) ?? 0) + 1);
  const own: FoundHost[] = [];
  const doubtful: FoundHost[] = [];
  const kept = new Set(answering.map(({ macaddr }) => macaddr));
  for (const neighbor of neighbors) {
    const { macaddr, ...host } = neighbor;
    const isProxied =
      macaddr !== undefined && host.ports.length === 0 && silent.get(macaddr)! > maxSilentAddresses;
    if (isProxied && kept.has(macaddr)) doubtful.push(host);
    else own.push(neighbor);
    if (isProxied) kept.add(macaddr);
  }
  return { own, doubtful };
}

/** Hosts behind routers that answer on no port, but to a ping. */
async function findByPing(hosts: readonly FoundHost[], context: DiscoveryContext): Promise<FoundHost[]> {
  const { scanners, perSecond, signal } = context;
  const asked = hosts.map(({ address }) => address).filter((one) => context.ownMacaddr(one) === undefined);
  if (!scanners.findByPing || asked.length === 0) return [];
  const addresses = await context.reserve(asked, nmapPauseMs);
  if (addresses.length === 0) return [];
  const found = await scanners.findByPing({ addresses, perSecond, signal });
  return hosts.filter(({ address }) => found?.has(address)).map((host) => ({ ...host, isPinged: true }));
}

/** Makes room in the kernel's table; whether it could. */
async function flush(
  interfaces: ReadonlyMap<string, string>,
  { scanners, signal }: DiscoveryContext,
): Promise<boolean> {
  if (!scanners.flush) return false;
  let isFlushed = true;
  for (const [ifname, addresses] of byInterface(interfaces))
    isFlushed = (await scanners.flush({ addresses, signal }, ifname)) && isFlushed;
  return isFlushed;
}

async function probePorts(address: string, context: DiscoveryContext): Promise<Map<number, ProbeResult>> {
  const results = new Map<number, ProbeResult>();
  const probes: Promise<void>[] = [];
  try {
    for (const port of context.portsOf(address)) {
      if (!(await context.admit(address))) break;
      const probe = probeTcp({ address, port, timeoutMs: probeTimeoutMs, signal: context.signal });
      probes.push(probe.then((result) => void results.set(port, result)));
    }
  } finally {
    await Promise.allSettled(probes);
  }
  context.signal.throwIfAborted();
  return results;
}

/**
 * Hosts that answer on no port and were in the table before: those that answer when the kernel asks for them anew, at
 * once where entries can be removed, else after the time in which the kernel drops them itself. If another machine has their address now, the packets so far went to the former one.
 */
async function confirm(
  hosts: readonly FoundHost[],
  interfaces: ReadonlyMap<string, string>,
  context: DiscoveryContext,
): Promise<FoundHost[]> {
  if (hosts.length === 0) return [];
  const entries = new Map(hosts.map(({ address }) => [address, interfaces.get(address)!]));
  if (!(await flush(entries, context))) await context.timing.sleep(confirmationMs, context.signal);
  const neighbors = new Map<string, Neighbor>();
  const { requested } = await requestNeighbors([...entries.keys()], context);
  await awaitNeighbors(requested, context, (address, neighbor) => void neighbors.set(address, neighbor));
  const confirmed: FoundHost[] = [];
  await forEachParallel(hosts, context.parallelHosts, async (host) => {
    const neighbor = neighbors.get(host.address);
    if (!neighbor) return;
    const isSame = neighbor.macaddr === host.macaddr;
    confirmed.push(isSame ? host : (await probeHost(host.address, neighbor, context)).host);
  });
  return confirmed;
}
