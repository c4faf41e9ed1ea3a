// Goes on without the row that cannot be done: tells errors of a row from those of the store, and finds the row to blame.
import pg from 'pg';
import { StoreUnavailable } from '../db/unavailable.ts';
import { errorFacts, type Log } from '../log.ts';

/** Something that is wrong with no row: what was read is outdated, and is read again. */
export class OutdatedBatch extends Error {
  override readonly name = 'OutdatedBatch';
}

// SQLSTATE classes that a value can cause: cardinality, data, integrity, program limits, internal errors.
const rowStates = /^(21|22|23|54|P0|XX)/;

/** Whether a row is to blame, so that trying the same again cannot help; anything else is the store's or the program's. */
export function isRowFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable || error instanceof OutdatedBatch) return false;
  if (error instanceof pg.DatabaseError) return rowStates.test(error.code ?? '');
  return true;
}

/** What went wrong, short enough for a record. */
export function faultText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

/** When a row is looked at again that cannot be done and cannot be marked: after a minute, two, four ... a day; in ms. */
export function setAsideFor(attempts: number): number {
  return Math.min(60_000 * 2 ** Math.max(attempts - 1, 0), 86_400_000);
}

/**
 * Does rows together. Those that cannot be done together are done by halves, until the one to blame stands alone and is
 * given to `fail`, which may throw in turn. Errors that no row is to blame for end everything.
 */
export async function doWithoutFaulty<Row>(
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
    await doWithoutFaulty(rows.slice(0, half), work, fail);
    await doWithoutFaulty(rows.slice(half), work, fail);
  }
}

/** A queue whose first rows are done in one turn. */
export interface GuardedQueue<Key> {
  /** For the log. */
  what: string;
  /** Rows of one turn when nothing is wrong. */
  most: number;
  /** Does at most so many of the first rows; `took` is told the first before anything can go wrong. True when more wait. */
  work(size: number, took: (first: Key) => void): Promise<boolean>;
  /** The first row by its key alone, for one that cannot even be read. */
  first(): Promise<Key | undefined>;
  /** Ends a row with the reason. */
  fail(key: Key, error: unknown): Promise<void>;
  /** Puts a row that cannot be ended, or that the store does not answer about, behind the others. */
  setAside(key: Key, error: unknown): Promise<void>;
  /** Whether the store answers at all. */
  answers(): Promise<boolean>;
}

/** Times in a row that the store may fail one and the same turn, while it answers otherwise, before a row is suspected. */
const maxUnanswered = 3;

/** Works off a queue from its head; a turn that fails is made smaller, and grows again behind the row to blame. */
export class RowGuard<Key> {
  private readonly queue: GuardedQueue<Key>;
  private readonly log: Log;
  private size: number;
  private unanswered = 0;

  constructor(log: Log, queue: GuardedQueue<Key>) {
    this.log = log;
    this.queue = queue;
    this.size = queue.most;
  }

  /** One turn; true when more may wait, false also when a row was set aside. Throws what no row is to blame for. */
  async turn(): Promise<boolean> {
    const { queue, size } = this;
    let first: Key | undefined;
    try {
      const more = await queue.work(size, (key) => {
        first = key;
      });
      this.unanswered = 0;
      this.size = Math.min(size * 2, queue.most);
      return more || size < queue.most;
    } catch (error) {
      const isFault = isRowFault(error);
      if (!isFault && !(await this.isSuspect(error))) throw error;
      this.unanswered = 0;
      if (size > 1) {
        this.size = isFault ? size >> 1 : 1;
        return true;
      }
      return this.blame(first, error, isFault);
    }
  }

  private async isSuspect(error: unknown): Promise<boolean> {
    if (!(error instanceof StoreUnavailable)) return false;
    if (++this.unanswered < maxUnanswered) return false;
    return this.queue.answers().catch(() => false);
  }

  private async blame(first: Key | undefined, error: unknown, isFault: boolean): Promise<boolean> {
    const { queue, log } = this;
    const key = first ?? (await queue.first());
    if (key === undefined) throw error;
    const message = `${queue.what}: a row could not be done`;
    log({ level: 'error', message, ...(typeof key === 'string' ? { id: key } : {}), ...errorFacts(error) });
    if (isFault) {
      try {
        await queue.fail(key, error);
        return true;
      } catch (second) {
        if (!isRowFault(second)) throw second;
        log({ level: 'error', message: `${queue.what}: a row could not be ended`, ...errorFacts(second) });
      }
    }
    await queue.setAside(key, error);
    return false;
  }
}
