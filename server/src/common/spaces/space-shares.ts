// How many of a limited number of places each space may take, so that none keeps the others waiting.

/** Stands for jobs that belong to no space. */
export const noSpace = '00000000-0000-0000-0000-000000000000';

/** A space alone gets three quarters. */
const defaultWeight = 3;

/**
 * Dynamic thresholds (Choudhury and Hahne, 1998): a space takes a further place as long as it has fewer than `weight`
 * times the free ones. Alone it gets weight / (weight + 1) of all; the more spaces want places, the fewer each may have,
 * and some always remain for the next one.
 */
export class SpaceShares {
  private readonly max: number;
  private readonly weight: number;
  private readonly counts = new Map<string, number>();
  private takenCount = 0;

  /** `spaces` has one entry for each place that is taken already. */
  constructor(
    { max, weight = defaultWeight }: { max: number; weight?: number },
    spaces: Iterable<string> = [],
  ) {
    this.max = max;
    this.weight = weight;
    for (const space of spaces) this.take(space);
  }

  take(space: string, count = 1): void {
    this.counts.set(space, this.countOf(space) + count);
    this.takenCount += count;
  }

  release(space: string, count = 1): void {
    const left = this.countOf(space) - count;
    if (left > 0) this.counts.set(space, left);
    else this.counts.delete(space);
    this.takenCount -= count;
  }

  /** Number of places that are taken. */
  get taken(): number {
    return this.takenCount;
  }

  countOf(space: string): number {
    return this.counts.get(space) ?? 0;
  }

  /** Spaces that may take no further place at present, of those that have any. */
  get full(): string[] {
    return [...this.counts].flatMap(([space, count]) => (this.freeAbove(count) === 0 ? [space] : []));
  }

  /** Number of places that a space may take at once. */
  freeFor(space: string): number {
    return this.freeAbove(this.countOf(space));
  }

  /** Number of places that may be taken at once by spaces that are not full, by a single one of them if need be. */
  get freeForOne(): number {
    const others = [...this.counts.values()].filter((count) => this.freeAbove(count) > 0);
    return this.freeAbove(Math.max(0, ...others));
  }

  /** Each further place needs `count < weight * free` before it is taken. */
  private freeAbove(count: number): number {
    const free = this.max - this.takenCount;
    return Math.max(0, Math.min(free, Math.ceil((this.weight * free - count) / (this.weight + 1))));
  }
}
