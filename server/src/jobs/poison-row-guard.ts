// Goes on without the row that cannot be done: tells errors of a row from those of the store, and finds the row to blame.
import pg from 'pg';
import { errorFields, type Log } from '../common/log.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';

/** Something that is wrong with no row: what was read is outdated, and is read again. */
export class OutdatedBatch extends Error {
  override readonly name = 'OutdatedBatch';
}

// SQLSTATE classes that a value can cause: cardinality, data, integrity, program limits, internal errors.
const rowFaultSqlStates = /^(21|22|23|54|P0|XX)/;

/** Whether a row is to blame, so that trying the same again cannot help; anything else is the store's or the program's. */
export function isRowFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof OutdatedBatch) return false;
  if (error instanceof pg.DatabaseError) return rowFaultSqlStates.test(error.code ?? '');
  return true;
}

/** What went wrong, short enough for a record. */
export function faultText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

/** When a row is looked at again that cannot be done and cannot be marked: after a minute, two, four ... a day; in ms. */
export function retryDelayAfter(attempts: number): number {
  return Math.min(60_000 * 2 ** Math.max(attempts - 1, 0), 86_400_000);
}

/**
 * Does rows together. Those that cannot be done together are done by halves, until the one to blame stands alone and is
 * given to `fail`, which may throw in turn. Errors that no row is to blame for end everything.
 */
export async function runIsolatingFaults<Row>(
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<void>,
  fail: (row: Row, error: unknown) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  try {
    await work(rows);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    if (rows.length === 1) return fail(rows[0]!, error);
    const half = rows.length >> 1;
    await runIsolatingFaults(rows.slice(0, half), work, fail);
    await runIsolatingFaults(rows.slice(half), work, fail);
  }
}

/** A queue whose first rows are done in one turn. */
export interface GuardedQueue<Key> {
  /** For the log. */
  label: string;
  /** Rows of one turn when nothing is wrong. */
  maxBatchSize: number;
  /** Does at most so many of the first rows; `took` is told the first before anything can go wrong. True when more wait. */
  work(size: number, onFirst: (first: Key) => void): Promise<boolean>;
  /** The first row by its key alone, for one that cannot even be read. */
  firstKey(): Promise<Key | undefined>;
  /** Ends a row with the reason. */
  failRow(key: Key, error: unknown): Promise<void>;
  /** Puts a row that cannot be ended, or that the store does not answer about, behind the others. */
  postpone(key: Key, error: unknown): Promise<void>;
  /** Whether the store answers at all. */
  isStoreResponsive(): Promise<boolean>;
}

/** Times in a row that the store may fail one and the same turn, while it answers otherwise, before a row is suspected. */
const maxUnanswered = 3;

/** Works off a queue from its head; a turn that fails is made smaller, and grows again behind the row to blame. */
export class PoisonRowGuard<Key> {
  private readonly queue: GuardedQueue<Key>;
  private readonly log: Log;
  private batchSize: number;
  private unanswered = 0;

  constructor(log: Log, queue: GuardedQueue<Key>) {
    this.log = log;
    this.queue = queue;
    this.batchSize = queue.maxBatchSize;
  }

  /** One turn; true when more may wait, false also when a row was set aside. Throws what no row is to blame for. */
  async runBatch(): Promise<boolean> {
    const { queue, batchSize } = this;
    let first: Key | undefined;
    try {
      const more = await queue.work(batchSize, (key) => {
        first = key;
      });
      this.unanswered = 0;
      this.batchSize = Math.min(batchSize * 2, queue.maxBatchSize);
      return more || batchSize < queue.maxBatchSize;
    } catch (error) {
      const isFault = isRowFault(error);
      if (!isFault && !(await this.isRowSuspected(error))) throw error;
      this.unanswered = 0;
      if (batchSize > 1) {
        this.batchSize = isFault ? batchSize >> 1 : 1;
        return true;
      }
      return this.handleFaultyRow(first, error, isFault);
    }
  }

  private async isRowSuspected(error: unknown): Promise<boolean> {
    if (!(error instanceof StoreUnavailable)) return false;
    if (++this.unanswered < maxUnanswered) return false;
    return this.queue.isStoreResponsive().catch(() => false);
  }

  private async handleFaultyRow(first: Key | undefined, error: unknown, isFault: boolean): Promise<boolean> {
    const { queue, log } = this;
    const key = first ?? (await queue.firstKey());
    if (key === undefined) throw error;
    const message = `${queue.label}: a row could not be done`;
    log({ level: 'error', message, ...(typeof key === 'string' ? { id: key } : {}), ...errorFields(error) });
    if (isFault) {
      try {
        await queue.failRow(key, error);
        return true;
      } catch (second) {
        if (!isRowFault(second)) throw second;
        log({ level: 'error', message: `${queue.label}: a row could not be ended`, ...errorFields(second) });
      }
    }
    await queue.postpone(key, error);
    return false;
  }
}
