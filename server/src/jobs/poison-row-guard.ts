// Isolates rows that cannot be processed: distinguishes row errors from database failures, finds the faulty
// row and continues without it.
import pg from 'pg';
import { errorFields, type Log } from '../common/log.ts';
import { isDiskFull, StoreUnavailable } from '../db/store-unavailable.ts';

/** No row is faulty: the data read was outdated and must be read again. */
export class OutdatedBatch extends Error {
  override readonly name: string = 'OutdatedBatch';
}

// SQLSTATE classes that a value can cause: cardinality, data, integrity, program limits, internal errors.
const rowFaultSqlStates = /^(21|22|23|54|P0|XX)/;

/**
 * Whether a row caused the error, so that a retry is pointless; otherwise the database or the program did.
 */
export function isRowFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof OutdatedBatch) return false;
  if (error instanceof pg.DatabaseError) return rowFaultSqlStates.test(error.code ?? '');
  return true;
}

/** Error message, truncated for a record. */
export function faultText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

export const longestRetryDelayMs = 86_400_000;

/**
 * Milliseconds until a row is retried that can be neither processed nor marked as failed: one minute, two,
 * four ... one day.
 */
export function retryDelayAfter(attempts: number): number {
  return Math.min(60_000 * 2 ** Math.max(attempts - 1, 0), longestRetryDelayMs);
}

/**
 * Processes rows together. On a row error the batch is bisected until the faulty row is found and passed to
 * `fail`, which may itself throw. Errors not caused by a row abort everything.
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

/** A queue whose first rows are processed in one turn. */
export interface GuardedQueue<Key> {
  /** Name used in logs. */
  label: string;
  /** Maximum rows per turn when there are no errors. */
  maxBatchSize: number;
  /**
   * Processes at most `size` of the first rows; `took` is called with the first one before anything can fail.
   * True if more are waiting.
   */
  work(size: number, onFirst: (first: Key) => void): Promise<boolean>;
  /** Key of the first row, even if the row itself cannot be read. */
  firstKey(): Promise<Key | undefined>;
  /** Ends a row as failed with the reason. */
  failRow(key: Key, error: unknown): Promise<void>;
  /** Defers a row that cannot be ended, or on which the database does not respond. */
  postpone(key: Key, error: unknown): Promise<void>;
  /** Whether the database responds at all. */
  isStoreResponsive(): Promise<boolean>;
}

/**
 * Times in a row the database may fail on the same turn, while otherwise responding, before a row is
 * suspected.
 */
const maxUnanswered = 3;

/**
 * Processes a queue from its head; the batch size shrinks after an error and grows again after the faulty
 * row.
 */
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

  /**
   * Runs one turn; true if more may be waiting, false also if a row was deferred. Throws errors not caused by
   * a row.
   */
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
    // A database with a full disk still answers what only reads.
    if (!(error instanceof StoreUnavailable) || isDiskFull(error)) return false;
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
