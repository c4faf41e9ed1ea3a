// Has the kernel look for neighbors, and reads what it found.
import type { Log } from '../log.ts';
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
  log: Log;
}

/**
 * Makes the kernel look for each address; returns those that the policy permits. While its table is full, the kernel drops
 * requests and removes entries of unanswered ones: requests that left no entry are repeated.
 */
export async function requestNeighbors(
  addresses: readonly string[],
  { admit, signal, timing, table, log }: AskContext,
): Promise<Set<string>> {
  const asked = new Set<string>();
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
      asked.add(address);
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
  const message = 'the kernel looked for too few neighbors; its table may be full';
  if (withoutEntry.size > 0) log({ level: 'warn', message, addresses: withoutEntry.size });
  return asked;
}

/** Returns when all have answered, or when the time for it is over. */
export async function awaitNeighbors(
  asked: ReadonlySet<string>,
  { signal, timing, table }: AskContext,
  onFound: (address: string, neighbor: Neighbor) => void,
): Promise<void> {
  const missing = new Set(asked);
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
