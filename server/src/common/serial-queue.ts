// Runs asynchronous work one piece at a time, in the order of the calls.
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does; a failure does not stop what follows. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.tail.then(work);
    this.tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything requested so far has ended; never rejects. */
  idle(): Promise<unknown> {
    return this.tail;
  }
}
