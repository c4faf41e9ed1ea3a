// Has the kernel look for neighbors, and reads what it found.
import type { Timing } from '../pace.ts';
import { neighborWaitMs } from './discovery-limits.ts';
import type { Neighbor, NeighborTable } from './neighbor-table.ts';

const pollMs = 100;
/** Milliseconds between looks for the entries that requests left; the kernel gives up an address after 3 s. */
const lookIntervalMs = 500;
/** Milliseconds for which requests are repeated: a full table has room again when its entries are 5 s old. */
const maxRepeatMs = 8000;

export interface AskContext {
  /** Resolves when one packet may be sent to the address; false if the policy does not permit it now. */
  admit(address: string): Promise<boolean>;
  signal: AbortSignal;
  timing: Timing;
  table: NeighborTable;
}

/** Addresses that the policy permits. */
export interface AskedNeighbors {
  /** The kernel looks for them. */
  requested: Set<string>;
  /** The kernel did not look for them: its table had no room in time, or a route leads elsewhere. */
  withoutEntry: Set<string>;
}

/**
 * Makes the kernel look for each address. While its table is full, the kernel drops requests and removes entries of
 * unanswered ones: requests that left no entry are repeated.
 */
export async function requestNeighbors(
  addresses: readonly string[],
  { admit, signal, timing, table }: AskContext,
): Promise<AskedNeighbors> {
  const requested = new Set<string>();
  const withoutEntry = new Set<string>();
  let lookedAt = timing.now();
  /** Soon after each request, because entries of addresses that do not answer disappear again. */
  const look = async () => {
    lookedAt = timing.now();
    const entries = await table.readEntries();
    for (const address of withoutEntry) if (!entries || entries.has(address)) withoutEntry.delete(address);
  };
  const requests = table.openRequests();
  const send = async (targets: readonly string[]) => {
    for (const address of targets) {
      signal.throwIfAborted();
      if (!(await admit(address))) {
        withoutEntry.delete(address);
        continue;
      }
      requested.add(address);
      withoutEntry.add(address);
      await requests.send(address);
      if (timing.now() - lookedAt >= lookIntervalMs) await look();
    }
    await look();
  };
  try {
    await send(addresses);
    for (const end = timing.now() + maxRepeatMs; withoutEntry.size > 0 && timing.now() < end; ) {
      await timing.sleep(pollMs, signal);
      await send([...withoutEntry]);
    }
  } finally {
    requests.close();
  }
  for (const address of withoutEntry) requested.delete(address);
  return { requested, withoutEntry };
}

/** Returns when all have answered, or when the time for it is over. */
export async function awaitNeighbors(
  requested: ReadonlySet<string>,
  { signal, timing, table }: AskContext,
  onFound: (address: string, neighbor: Neighbor) => void,
): Promise<void> {
  const missing = new Set(requested);
  const end = timing.now() + neighborWaitMs;
  for (;;) {
    const neighbors = await table.readNeighbors();
    for (const address of missing) {
      const neighbor = neighbors?.get(address);
      if (!neighbor) continue;
      missing.delete(address);
      onFound(address, neighbor);
    }
    if (missing.size === 0 || timing.now() >= end) return;
    await timing.sleep(pollMs, signal);
  }
}
