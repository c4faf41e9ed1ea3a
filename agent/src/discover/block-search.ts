// The search for the neighbors among a block of addresses, from its plan to its end.
import type { Neighbor } from './neighbor-table.ts';

export class BlockSearch {
  readonly index: number;
  readonly addresses: readonly string[];
  /** Addresses on the links of this machine, each with the interface. */
  readonly interfaces: Map<string, string>;
  readonly found = new Map<string, Neighbor>();
  /** Addresses of `interfaces` that the kernel did not look for; complete when the search has ended. */
  readonly withoutEntry = new Set<string>();
  private readonly listeners: ((address: string, neighbor: Neighbor) => void)[] = [];
  private readonly beginning = makeDeferred<ReadonlySet<string>>();
  private readonly ending = makeDeferred<void>();

  constructor(index: number, addresses: readonly string[], interfaces: Map<string, string>) {
    this.index = index;
    this.addresses = addresses;
    this.interfaces = interfaces;
    // Passed on to those who wait, if anybody does.
    for (const { promise } of [this.beginning, this.ending]) promise.catch(() => undefined);
  }

  /** Addresses that the kernel knew before: their entries prove no answer. `interfaces` does not change any more. */
  get begun(): Promise<ReadonlySet<string>> {
    return this.beginning.promise;
  }

  get ended(): Promise<void> {
    return this.ending.promise;
  }

  /** Calls for each neighbor, also for those found before. */
  onFound(listener: (address: string, neighbor: Neighbor) => void): void {
    for (const [address, neighbor] of this.found) listener(address, neighbor);
    this.listeners.push(listener);
  }

  begin(knownBefore: ReadonlySet<string> = new Set()): void {
    this.beginning.resolve(knownBefore);
  }

  add(address: string, neighbor: Neighbor): void {
    this.found.set(address, neighbor);
    for (const listener of this.listeners) listener(address, neighbor);
  }

  end(): void {
    this.ending.resolve();
  }

  fail(error: unknown): void {
    this.beginning.reject(error);
    this.ending.reject(error);
  }
}

function makeDeferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
