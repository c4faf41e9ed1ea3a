// Has the kernel look for neighbors, and reads what it found.
import type { Log } from '../log.ts';
import type { Timing } from '../pace.ts';
import { neighborWaitMs } from './discovery-limits.ts';
import type { Neighbor, NeighborRequests, NeighborTable } from './neighbor-table.ts';

const pollMs = 100;
/** Milliseconds for which requests are repeated while the table is full: the kernel removes entries that are 5 s old. */
const maxRepeatMs = 8000;

export interface AskContext {
  /** Resolves when one packet may be sent to the address; false if the policy does not permit it now. */
  admit(address: string): Promise<boolean>;
  signal: AbortSignal;
  timing: Timing;
  table: NeighborTable;
  log: Log;
}

/** Makes the kernel look for each address; returns those that the policy permits. */
export async function requestNeighbors(
  addresses: readonly string[],
  context: AskContext,
): Promise<Set<string>> {
  const { admit, signal, table } = context;
  const asked = new Set<string>();
  const requests = table.openRequests();
  try {
    for (const address of addresses) {
      signal.throwIfAborted();
      if (!(await admit(address))) continue;
      asked.add(address);
      await requests.send(address);
    }
    await repeatDropped(asked, requests, context);
  } finally {
    requests.close();
  }
  return asked;
}

/** Repeats requests for which the kernel's table had no room: they left no entry, and nothing was sent. */
async function repeatDropped(
  asked: ReadonlySet<string>,
  requests: NeighborRequests,
  { signal, timing, table, log }: AskContext,
): Promise<void> {
  const dropped = new Set(asked);
  const end = timing.now() + maxRepeatMs;
  for (;;) {
    const entries = await table.readEntries();
    for (const address of dropped) if (!entries || entries.has(address)) dropped.delete(address);
    if (dropped.size === 0) return;
    if (timing.now() >= end) break;
    await timing.sleep(pollMs, signal);
    for (const address of dropped) await requests.send(address);
  }
  const message = "neighbors could not be searched: the kernel's neighbor table is full";
  log({ level: 'warn', message, addresses: dropped.size });
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
