// Serializes the writes of the pipeline: batches and the changes between them run one at a time.
import { SerialQueue } from '../../common/serial-queue.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import type { LockedWriteKind } from '../../resource/request-context.ts';

/** Key of the advisory lock under which one replica at a time evaluates. */
const lockKey = '7810774121093153901';

/** Takes the advisory lock until the end of the transaction. */
const lockStatement = `select pg_advisory_xact_lock(${lockKey})`;
/** A statement of its own: that of the lock sees the database as it was before the wait. */
const readVersionStatement = 'select last_value as version from pipeline_settings_version';
const nextVersionStatement = `select nextval('pipeline_settings_version') as version`;

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
  private readonly onSettingsChanged: () => void;
  private changedTurns = 0;
  /** Of the settings at the end of the last turn. */
  private settingsVersion: string | undefined;

  /**
   * `onSettingsChanged` is called at the beginning of a turn if another server has written settings in a turn since the
   * last one of this server.
   */
  constructor(database: Database, onSettingsChanged: () => void) {
    this.database = database;
    this.onSettingsChanged = onSettingsChanged;
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
              await this.take(tx);
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
  runTransaction<T>(
    kind: LockedWriteKind,
    work: (tx: Transaction) => Promise<T>,
    after: (result: T) => void,
  ): Promise<T> {
    const { database } = this;
    return this.queue.run(async () => {
      this.changedTurns++;
      const result = await database.transaction(async (tx) => {
        if (database.kind === 'embedded') return work(tx);
        await this.take(tx);
        if (kind === 'settings') await this.advanceVersion(tx);
        return work(tx);
      });
      after(result);
      return result;
    });
  }

  private async take(tx: Queryable): Promise<void> {
    await tx.query(lockStatement);
    const { rows } = await tx.query<{ version: string }>(readVersionStatement);
    const { version } = rows[0]!;
    if (version === this.settingsVersion) return;
    this.settingsVersion = version;
    this.onSettingsChanged();
  }

  private async advanceVersion(tx: Queryable): Promise<void> {
    const { rows } = await tx.query<{ version: string }>(nextVersionStatement);
    this.settingsVersion = rows[0]!.version;
  }

  /** Resolves when everything requested so far has ended; never rejects. */
  idle(): Promise<unknown> {
    return this.queue.idle();
  }
}
