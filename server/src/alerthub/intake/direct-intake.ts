// Stores incoming messages in the database before they are acknowledged, when there is no journal.
import { Batcher, BatcherFull, RejectedItem } from '../../jobs/batcher.ts';
import { isRowFault } from '../../jobs/poison-row-guard.ts';
import { arrivalSize, createArrivalRow, overloadedProblem } from '../../receiver/intake-journal-writer.ts';
import type { Arrival, ArrivalRow } from '../arrivals/arrival.ts';
import type { IntakeDeps } from './intake-deps.ts';
import { arrivalChanges, storeArrivals } from './store-arrivals.ts';

/** Limits of one write, and of the queue; beyond the latter, messages are rejected with 503. */
const limits = { items: 500, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };

export class DirectIntake {
  private readonly deps: IntakeDeps;
  private readonly batcher = new Batcher<ArrivalRow, string>((rows) => this.store(rows), limits);

  constructor(deps: IntakeDeps) {
    this.deps = deps;
  }

  /** Resolves with the message id once it is stored; for a duplicate, with the id of the original. */
  async receive(arrival: Arrival): Promise<string> {
    const row = createArrivalRow(arrival, this.deps);
    try {
      return await this.batcher.add(row, arrivalSize(row));
    } catch (error) {
      throw error instanceof BatcherFull ? overloadedProblem(error) : error;
    }
  }

  /** Bytes not yet stored in the database. */
  get waitingBytes(): number {
    return this.batcher.size;
  }

  async drained(): Promise<void> {
    await this.batcher.drained();
  }

  private async store(rows: ArrivalRow[]): Promise<(string | RejectedItem)[]> {
    try {
      const { stored, ids } = await storeArrivals(this.deps.database, rows);
      this.deps.onStored(stored);
      this.deps.changes.publish(arrivalChanges(stored));
      return ids;
    } catch (error) {
      // The write may have succeeded although the response was lost.
      this.deps.onStored(undefined);
      if (!isRowFault(error) || rows.length === 1) throw error;
      const results: (string | RejectedItem)[] = [];
      for (const row of rows) results.push(...(await this.storeAlone(row)));
      return results;
    }
  }

  private async storeAlone(row: ArrivalRow): Promise<(string | RejectedItem)[]> {
    try {
      return await this.store([row]);
    } catch (error) {
      return [new RejectedItem(error)];
    }
  }
}
