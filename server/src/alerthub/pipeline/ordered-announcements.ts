/** Makes announcements in the order of the batches, although some of them wait for the next turn of the event loop. */
export class OrderedAnnouncements {
  private deferred: (() => void)[] = [];

  /** Announces after everything that was deferred before. */
  now(announce: () => void): void {
    this.flush();
    announce();
  }

  /** Announces when the event loop comes to it, or before the next announcement. */
  soon(announce: () => void): void {
    this.deferred.push(announce);
    setImmediate(() => this.flush());
  }

  /** Announces what was deferred. */
  flush(): void {
    for (const announce of this.deferred.splice(0)) announce();
  }
}
