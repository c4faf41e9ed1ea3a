// Serializes the writes of the pipeline: batches and the changes between them run one at a time.
import { SerialQueue } from '../../common/serial-queue.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';

/** Key of the advisory lock under which one replica at a time evaluates. */
const lockKey = '7810774121093153901';

/** Takes the advisory lock until the end of the transaction. */
const lockStatement = `select pg_advisory_xact_lock(${lockKey})`;

export interface TurnOutcome<T> {
  done: T;
  /** Called after the commit and before the next turn. */
  after: () => void;
  /** Set if the turn has written nothing. */
  isUnchanged?: boolean;
}

export class PipelineLock {
  private readonly database: Database;
  private readonly queue = new SerialQueue();
  private changedTurns = 0;

  constructor(database: Database) {
    this.database = database;
  }

  /** Number of turns that may have changed anything. */
  get changes(): number {
    return this.changedTurns;
  }

  /**
   * The embedded engine has one process and one connection: an in-memory queue serves as the lock, and each
   * batch is one statement. On PostgreSQL each turn is a transaction under an advisory lock.
   */
  runBatch<T>(work: (db: Queryable) => Promise<TurnOutcome<T>>): Promise<T> {
    const { database } = this;
    return this.queue.run(async () => {
      // Counted before it ends: what fails may have changed something.
      this.changedTurns++;
      const outcome =
        database.kind === 'embedded'
          ? await work(database)
          : await database.transaction(async (tx) => {
              await tx.query(lockStatement);
              return work(tx);
            });
      if (outcome.isUnchanged) this.changedTurns--;
      outcome.after();
      return outcome.done;
    });
  }

  /**
   * Runs a write of several statements between batches. `after` is called after the commit and before the
   * next batch.
   */
  runTransaction<T>(work: (tx: Transaction) => Promise<T>, after: (result: T) => void): Promise<T> {
    const { database } = this;
    return this.queue.run(async () => {
      this.changedTurns++;
      const result = await database.transaction(async (tx) => {
        if (database.kind === 'postgresql') await tx.query(lockStatement);
        return work(tx);
      });
      after(result);
      return result;
    });
  }

  /** Resolves when everything requested so far has ended; never rejects. */
  idle(): Promise<unknown> {
    return this.queue.idle();
  }
}
