// Finds the hosts among a block of addresses.

import type { NeighborTablePlan } from '@yagura/core/inventory/scan-report';
import { Slots } from '@yagura/core/live/slots';
import { forEachParallel, type Timing } from '../pace.ts';
import { neighborTableSize } from './abilities.ts';
import { blockSize, neighborWaitMs, probeTimeoutMs } from './discovery-limits.ts';
import { type InstalledScanners, packetsPerTarget } from './installed-scanners.ts';
import { countNeighborEntries, type Neighbor, NeighborRequests, readNeighbors } from './neighbor-table.ts';
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

export interface DiscoveryContext {
  /** Resolves when one packet may be sent to the address; false if the policy does not permit it now. */
  admit(address: string): Promise<boolean>;
  /** The interface on whose link the address is; undefined behind routers. */
  interfaceOf(address: string): string | undefined;
  scanners: InstalledScanners;
  /** How a search that is larger than the kernel's table is made. */
  tablePlan: NeighborTablePlan | undefined;
  perSecond: number;
  /** Hardware address of one of this machine's own addresses. */
  ownMacaddr(address: string): string | undefined;
  portsOf(address: string): readonly number[];
  parallelHosts: number;
  /** Limits hosts that all scans contact at the same time. */
  slots: Slots;
  signal: AbortSignal;
  timing: Timing;
  /** Wall clock. */
  now(): number;
  /** Called for each address whose search has ended. */
  onProbed(): void;
}

/** Addresses on the links of this machine, each with the interface. */
type InterfaceNames = Map<string, string>;

/** Milliseconds after which the kernel has confirmed or dropped an entry that it had before (5 s + 3 × 1 s). */
const confirmationMs = 10_000;
const pollMs = 100;
/** Milliseconds between looks at the table, and at most, until it has room: the kernel clears it each 15 s or so. */
const roomPollMs = 500;
const roomWaitMs = 30_000;
/** Attempts while the kernel's table is full. */
const maxSendAttempts = 50;

export async function discoverBlock(
  addresses: readonly string[],
  context: DiscoveryContext,
): Promise<FoundHost[]> {
  const before = await readNeighbors();
  const neighborInterfaces: InterfaceNames = new Map();
  if (before !== undefined || context.scanners.findNeighbors !== undefined)
    for (const address of addresses) {
      const ifname = context.ownMacaddr(address) === undefined ? context.interfaceOf(address) : undefined;
      if (ifname !== undefined) neighborInterfaces.set(address, ifname);
    }
  // Where the table does not suffice, or does not exist.
  const usesScanner = before === undefined || context.tablePlan === 'arp-scan';
  const scanned = usesScanner ? await scanNeighbors(neighborInterfaces, context) : undefined;
  if (scanned === undefined && before === undefined) neighborInterfaces.clear();
  const onLink = [...neighborInterfaces.keys()];
  const offLink = addresses.filter((address) => !neighborInterfaces.has(address));
  const found: FoundHost[] = [];
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
      else if (neighbor) (scanned === undefined && before?.has(address) ? unconfirmed : found).push(host);
      else silent.push(host);
      context.onProbed();
    });
    // Its error is passed on below.
    work.catch(() => undefined);
    probes.push(work);
  };
  try {
    for (const address of offLink) probe(address);
    for (const [address, neighbor] of scanned ?? []) probe(address, neighbor);
    const neighbors = scanned ?? (await findNeighbors(onLink, context, probe));
    for (const address of onLink) if (!neighbors.has(address)) context.onProbed();
  } finally {
    // All have ended before an error is passed on.
    await Promise.allSettled(probes);
  }
  await Promise.all(probes);
  found.push(...(await confirm(unconfirmed, context)), ...(await pinged(silent, context)));
  // After the last use of the table for this block.
  if (context.tablePlan !== undefined) await flush(neighborInterfaces, context);
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

/** Undefined if arp-scan cannot be used. */
async function scanNeighbors(
  interfaces: InterfaceNames,
  context: DiscoveryContext,
): Promise<Map<string, Neighbor> | undefined> {
  const { scanners, perSecond, signal } = context;
  if (!scanners.findNeighbors || interfaces.size === 0) return scanners.findNeighbors && new Map();
  const found = new Map<string, Neighbor>();
  for (const [ifname, all] of byInterface(interfaces)) {
    const permitted = await admitAll(all, context);
    if (permitted.length === 0) continue;
    const part = await scanners.findNeighbors({ addresses: permitted, perSecond, signal }, ifname);
    if (!part) return undefined;
    for (const [address, neighbor] of part) found.set(address, neighbor);
  }
  return found;
}

/** Hosts behind routers that answer on no port, but to a ping. */
async function pinged(hosts: readonly FoundHost[], context: DiscoveryContext): Promise<FoundHost[]> {
  const { scanners, perSecond, signal } = context;
  if (!scanners.findByPing || hosts.length === 0) return [];
  const all = hosts.map(({ address }) => address).filter((one) => context.ownMacaddr(one) === undefined);
  const permitted = await admitAll(all, context);
  if (permitted.length === 0) return [];
  const found = await scanners.findByPing({ addresses: permitted, perSecond, signal });
  return hosts.filter(({ address }) => found?.has(address)).map((host) => ({ ...host, isPinged: true }));
}

/** The addresses that the policy permits now, when all packets of a program to them may be sent. */
async function admitAll(addresses: readonly string[], { admit }: DiscoveryContext): Promise<string[]> {
  const permitted: string[] = [];
  for (const address of addresses) {
    let isPermitted = true;
    for (let packet = 0; packet < packetsPerTarget && isPermitted; packet++)
      isPermitted = await admit(address);
    if (isPermitted) permitted.push(address);
  }
  return permitted;
}

function byInterface(interfaces: InterfaceNames): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [address, ifname] of interfaces) {
    const group = groups.get(ifname);
    if (group) group.push(address);
    else groups.set(ifname, [address]);
  }
  return groups;
}

/** Makes room in the kernel's table for the next block. */
async function flush(interfaces: InterfaceNames, context: DiscoveryContext): Promise<void> {
  if (!context.scanners.flush) return;
  const { signal } = context;
  for (const [ifname, all] of byInterface(interfaces))
    await context.scanners.flush({ addresses: all, signal }, ifname);
}

/** Waits until entries have expired, so that the table has room for a block. */
async function waitForRoom(needed: number, { tablePlan, timing, signal }: DiscoveryContext): Promise<void> {
  if (tablePlan !== 'pace') return;
  const end = timing.now() + roomWaitMs;
  while (timing.now() < end && (await countNeighborEntries()) + needed > neighborTableSize)
    await timing.sleep(roomPollMs, signal);
}

/** Makes the kernel look for each address, and returns those that it knows afterwards. */
async function findNeighbors(
  addresses: readonly string[],
  context: DiscoveryContext,
  onFound: (address: string, neighbor: Neighbor) => void = () => {},
): Promise<Map<string, Neighbor>> {
  const { admit, signal, timing } = context;
  const found = new Map<string, Neighbor>();
  const requests = new NeighborRequests();
  try {
    for (let start = 0; start < addresses.length; start += blockSize) {
      const wave = addresses.slice(start, start + blockSize);
      await waitForRoom(wave.length, context);
      const missing = new Set<string>();
      for (const address of wave) {
        if (!(await admit(address))) continue;
        missing.add(address);
        for (let attempt = 0; attempt < maxSendAttempts && !(await requests.send(address)); attempt++)
          await timing.sleep(pollMs, signal);
      }
      const end = timing.now() + neighborWaitMs;
      for (;;) {
        const table = await readNeighbors();
        for (const address of missing) {
          const neighbor = table?.get(address);
          if (!neighbor) continue;
          found.set(address, neighbor);
          missing.delete(address);
          onFound(address, neighbor);
        }
        if (missing.size === 0 || timing.now() >= end) break;
        await timing.sleep(pollMs, signal);
      }
    }
  } finally {
    requests.close();
  }
  return found;
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
 * Hosts that answer on no port and were in the table before: those that are still in it, or that answer when the kernel
 * asks for them anew. If another machine has their address now, the packets so far went to the former one.
 */
async function confirm(hosts: readonly FoundHost[], context: DiscoveryContext): Promise<FoundHost[]> {
  if (hosts.length === 0) return [];
  await context.timing.sleep(confirmationMs, context.signal);
  const neighbors = await findNeighbors(
    hosts.map(({ address }) => address),
    context,
  );
  const confirmed: FoundHost[] = [];
  await forEachParallel(hosts, context.parallelHosts, async (host) => {
    const neighbor = neighbors.get(host.address);
    if (!neighbor) return;
    const isSame = neighbor.macaddr === host.macaddr;
    confirmed.push(isSame ? host : (await probeHost(host.address, neighbor, context)).host);
  });
  return confirmed;
}
