// Has the kernel look for neighbors, and reads what it found.
import type { Timing } from '../pace.ts';
import { neighborWaitMs } from './discovery-limits.ts';

import { type Neighbor, NeighborRequests, readNeighbors } from './neighbor-table.ts';

const pollMs = 100;
/** Attempts while the kernel's table is full. */
const maxSendAttempts = 50;

export interface AskContext {
  /** Resolves when one packet may be sent to the address; false if the policy does not permit it now. */
  admit(address: string): Promise<boolean>;
  signal: AbortSignal;
  timing: Timing;
}

/** Makes the kernel look for each address; returns those that the policy permits. */
export async function requestNeighbors(
  addresses: readonly string[],
  { admit, signal, timing }: AskContext,
): Promise<Set<string>> {
  const asked = new Set<string>();
  const requests = new NeighborRequests();
  try {
    for (const address of addresses) {
      signal.throwIfAborted();
      if (!(await admit(address))) continue;
      asked.add(address);
      for (let attempt = 0; attempt < maxSendAttempts && !(await requests.send(address)); attempt++)
        await timing.sleep(pollMs, signal);
    }
  } finally {
    requests.close();
  }
  return asked;
}

/** Returns when all have answered, or when the time for it is over. */
export async function awaitNeighbors(
  asked: ReadonlySet<string>,
  { signal, timing }: AskContext,
  onFound: (address: string, neighbor: Neighbor) => void,
): Promise<void> {
  const missing = new Set(asked);
  const end = timing.now() + neighborWaitMs;
  for (;;) {
    const table = await readNeighbors();
    for (const address of missing) {
      const neighbor = table?.get(address);
      if (!neighbor) continue;
      missing.delete(address);
      onFound(address, neighbor);
    }
    if (missing.size === 0 || timing.now() >= end) return;
    await timing.sleep(pollMs, signal);
  }
}
