// What waits for a limited resource: the spaces take turns, so that none waits for all that another has queued.

export class FairQueue<Item> {
  /** The space whose turn it is comes first; each has its oldest item first. */
  private readonly bySpace = new Map<string, Set<Item>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(space: string, item: Item): void {
    const items = this.bySpace.get(space) ?? new Set();
    this.bySpace.set(space, items.add(item));
    this.count += 1;
  }

  /** Removes the next item. */
  shift(): Item | undefined {
    for (const [space, items] of this.bySpace) {
      for (const item of items) {
        this.remove(space, item);
        if (items.size > 0) {
          this.bySpace.delete(space);
          this.bySpace.set(space, items);
        }
        return item;
      }
    }
    return undefined;
  }

  remove(space: string, item: Item): void {
    const items = this.bySpace.get(space);
    if (!items?.delete(item)) return;
    this.count -= 1;
    if (items.size === 0) this.bySpace.delete(space);
  }
}
