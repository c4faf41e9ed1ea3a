// Contributions to the severities of one scope: what each fingerprint has set.

/** Maximum number of contributions above 0 in one scope. */
export const maxContributions = 1000;

/** Contributions above 0, by severity name and fingerprint. */
export type ContributionValues = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Contribution {
  name: string;
  fingerprint: string;
  value: number;
}

/** The contributions of one scope during a batch. */
export class ScopeContributions {
  readonly #stored: ContributionValues | undefined;
  readonly #values = new Map<string, Map<string, number>>();
  /** Names and fingerprints that were set in this batch. */
  readonly #changed = new Map<string, Set<string>>();
  readonly #clearedNames = new Set<string>();
  #count = 0;

  /** `stored` is undefined if the batch did not load them, because none of its rules uses any. */
  constructor(stored: ContributionValues | undefined) {
    this.#stored = stored;
    for (const [name, own] of stored ?? []) {
      this.#values.set(name, new Map(own));
      this.#count += own.size;
    }
  }

  valueOf(name: string, fingerprint: string): number {
    return this.#values.get(name)?.get(fingerprint) ?? 0;
  }

  sumOf(name: string): number {
    let sum = 0;
    for (const value of this.#values.get(name)?.values() ?? []) sum += value;
    return sum;
  }

  get isFull(): boolean {
    return this.#count >= maxContributions;
  }

  /** Sets a contribution; 0 removes it. */
  set(name: string, fingerprint: string, value: number): void {
    const own = getOrCreate(this.#values, name, () => new Map<string, number>());
    if (own.delete(fingerprint)) this.#count -= 1;
    if (value > 0) {
      own.set(fingerprint, value);
      this.#count += 1;
    }
    getOrCreate(this.#changed, name, () => new Set<string>()).add(fingerprint);
  }

  /** Removes all contributions to a severity. */
  clear(name: string): void {
    for (const fingerprint of [...(this.#values.get(name)?.keys() ?? [])]) this.set(name, fingerprint, 0);
    if (!this.#stored) this.#clearedNames.add(name);
  }

  /** The contributions that differ from the stored ones; a value of 0 is to be removed. */
  get changes(): Contribution[] {
    return [...this.#changed].flatMap(([name, fingerprints]) =>
      [...fingerprints].flatMap((fingerprint) => {
        const value = this.valueOf(name, fingerprint);
        const before = this.#stored?.get(name)?.get(fingerprint) ?? 0;
        return value === before ? [] : [{ name, fingerprint, value }];
      }),
    );
  }

  /** Names whose stored contributions, which were not loaded, are all to be removed. */
  get clearedNames(): string[] {
    return [...this.#clearedNames];
  }
}

function getOrCreate<V>(map: Map<string, V>, key: string, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
