// Finds the hosts among a block of addresses.

import { forEachParallel, Slots, type Timing } from '../pace.ts';
import { blockSize, neighborWaitMs, probeTimeoutMs } from './discovery-limits.ts';
import { type Neighbor, NeighborRequests, readNeighbors } from './neighbor-table.ts';
import { type ProbeResult, probeTcp } from './tcp-probe.ts';

export interface FoundHost {
  address: string;
  /** Only of hosts on the same link. */
  macaddr?: string;
  /** Open TCP ports in ascending order. */
  ports: number[];
  /** Milliseconds since the epoch. */
  at: number;
}

export interface DiscoveryContext {
  /** Resolves when one packet may be sent to the address; false if the policy does not permit it now. */
  admit(address: string): Promise<boolean>;
  isOnLink(address: string): boolean;
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

/** Milliseconds after which the kernel has confirmed or dropped an entry that it had before (5 s + 3 × 1 s). */
const confirmationMs = 10_000;
const pollMs = 100;
/** Attempts while the kernel's table is full. */
const maxSendAttempts = 50;

export async function discoverBlock(
  addresses: readonly string[],
  context: DiscoveryContext,
): Promise<FoundHost[]> {
  const before = await readNeighbors();
  const needsTable = (address: string) =>
    before !== undefined && context.isOnLink(address) && context.ownMacaddr(address) === undefined;
  const onLink = addresses.filter(needsTable);
  const offLink = addresses.filter((address) => !needsTable(address));
  const found: FoundHost[] = [];
  const unconfirmed: FoundHost[] = [];
  const slots = new Slots(context.parallelHosts);
  const probes: Promise<void>[] = [];
  // Ports are tried while the kernel still looks for other neighbors.
  const probe = (address: string, neighbor?: Neighbor) => {
    const work = slots.run(async () => {
      const { host, answered } = await probeHost(address, neighbor, context);
      if (answered) found.push(host);
      // A new entry of the table was made by an answer of the host.
      else if (neighbor) (before?.has(address) ? unconfirmed : found).push(host);
      context.onProbed();
    });
    // Its error is passed on below.
    work.catch(() => undefined);
    probes.push(work);
  };
  try {
    for (const address of offLink) probe(address);
    const neighbors = await findNeighbors(onLink, context, probe);
    for (const address of onLink) if (!neighbors.has(address)) context.onProbed();
  } finally {
    // All have ended before an error is passed on.
    await Promise.allSettled(probes);
  }
  await Promise.all(probes);
  found.push(...(await confirm(unconfirmed, context)));
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

/** Makes the kernel look for each address, and returns those that it knows afterwards. */
async function findNeighbors(
  addresses: readonly string[],
  { admit, signal, timing }: DiscoveryContext,
  onFound: (address: string, neighbor: Neighbor) => void = () => {},
): Promise<Map<string, Neighbor>> {
  const found = new Map<string, Neighbor>();
  const requests = new NeighborRequests();
  try {
    for (let start = 0; start < addresses.length; start += blockSize) {
      const wave = addresses.slice(start, start + blockSize);
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
