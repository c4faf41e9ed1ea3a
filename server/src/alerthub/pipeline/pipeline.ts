// Evaluates waiting messages in order of arrival, in batches; the effects of each message are stored exactly
// once.

import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import type { RequestedSeverityChange } from '@yagura/core/alerthub/engine/execution/decide-batch';
import type { AuditWriter } from '../../audit/audit-log.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { FailureLog } from '../../common/failure-log.ts';
import type { NextId } from '../../common/id.ts';
import type { Log } from '../../common/log.ts';
import { InterruptibleSleep } from '../../common/time/interruptible-sleep.ts';
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { isRowFault, OutdatedBatch, type PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import type { LockedWriteKind } from '../../resource/request-context.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';
import type { ArrivalRow as Arrived } from '../arrivals/arrival.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import { arrivalChanges, pairDuplicates, type StoredMessage } from '../intake/store-arrivals.ts';
import { toMessage } from '../messages/message-row.ts';
import { announceBatch } from './announce-batch.ts';
import { BatchPreparation } from './batch-preparation.ts';
import {
  type EvaluatedBatch,
  type EvaluatedDueRows,
  evaluateChanges,
  evaluateDueRunbooks,
  evaluateDueTriggers,
  evaluateMessages,
} from './evaluate-batch.ts';
import { deleteOrphanedPending, type PendingKey, requeuePostponedMessages } from './fail-pending.ts';
import { OrderedAnnouncements } from './ordered-announcements.ts';
import { PendingBuffer } from './pending-buffer.ts';
import { PipelineConfig } from './pipeline-config.ts';
import { PipelineLock } from './pipeline-lock.ts';
import { PipelineTimers } from './pipeline-timers.ts';
import { type PendingRow, readPendingMessages, toPendingRow } from './read-pending-messages.ts';
import { type FindChanges, RecoveryScheduler } from './recovery-scheduler.ts';
import { guardDueRunbooks, guardDueTriggers, guardMessages } from './row-guards.ts';
import { createScopeAudit } from './scope-audit.ts';
import {
  type NewDeliveryJob,
  storeArrivalsWithDecisions,
  storeDecisions,
} from './statements/decision-store.ts';
import { isScopeConflict } from './statements/scope-statement-parts.ts';
import { toDecidedBatch } from './to-decided-batch.ts';

export interface PipelineDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  deliveries: Deliveries;
  /** Seals the credentials in stored deliveries. */
  sealing: Sealing;
  /** The audit log of a space. */
  auditOf(space: { spaceId: string; host: string | null }): Pick<AuditWriter, 'write'>;
  /** Called after each stored batch with its number of messages. */
  onDecided(messages: number): void;
}

/** Maximum messages of a batch. */
const batchSize = 500;
/** Fallback poll interval; replicas notify one another through the database. */
const pollIntervalMs = 1000;
const failureMessage = 'deciding failed, will be tried again';

export class Pipeline {
  readonly config: PipelineConfig;
  private readonly deps: PipelineDeps;
  private readonly failures: FailureLog;
  private readonly pending = new PendingBuffer<PendingRow>();
  private readonly lock: PipelineLock;
  private readonly preparation: BatchPreparation;
  private isWakeRequested = false;
  private isClosed = false;
  private isRunning = false;
  /**
   * Set after a failure until the backlog is evaluated: messages are then stored first, since the faulty one
   * is found among stored messages.
   */
  private mustStoreFirst = false;
  /** The current round, and its pause. */
  private currentRun: Promise<void> = Promise.resolve();
  private readonly announcements = new OrderedAnnouncements();
  private readonly pause = new InterruptibleSleep();
  private readonly polling: PeriodicJob;
  private readonly createdScopeAudit: PeriodicJob;
  private readonly recovery: RecoveryScheduler;
  private readonly timers: PipelineTimers;
  private readonly messageGuard: PoisonRowGuard<PendingKey>;

  constructor(deps: PipelineDeps) {
    this.deps = deps;
    this.failures = new FailureLog(deps);
    this.config = new PipelineConfig(deps.changes, deps.sealing);
    this.lock = new PipelineLock(deps.database, () => this.config.forget());
    this.preparation = new BatchPreparation({ ...deps, config: this.config, lock: this.lock });
    const { clock, log } = deps;
    this.polling = new PeriodicJob({
      ...{ clock, log },
      intervalMs: pollIntervalMs,
      failureMessage: 'messages were not looked for',
      work: async () => {
        // Only when idle: while messages stream in, this process knows them already.
        if (!this.isRunning) this.pending.invalidate();
        this.wake();
      },
    });
    this.createdScopeAudit = createScopeAudit(deps);
    const runSeparately = this.runSeparately.bind(this);
    this.messageGuard = guardMessages(deps, runSeparately, {
      maxBatchSize: batchSize,
      work: (size, onFirst) =>
        this.decideNextBatch(size, onFirst).catch((error: unknown) => {
          this.pending.invalidate();
          throw error;
        }),
      onPostponed: () => this.timers.postponed.schedule(),
    });
    const triggerGuard = guardDueTriggers(deps, runSeparately, (size, onFirst) =>
      this.runDueRows((db) => evaluateDueTriggers(this.evaluationDeps, db, size, onFirst)),
    );
    const runbookGuard = guardDueRunbooks(deps, runSeparately, (size, onFirst) =>
      this.runDueRows((db) => evaluateDueRunbooks(this.evaluationDeps, db, size, onFirst)),
    );
    const applyChanges = this.applyChanges.bind(this);
    this.recovery = new RecoveryScheduler(deps, applyChanges, () => triggerGuard.runBatch());
    this.timers = new PipelineTimers(deps, {
      runDueTriggers: () => this.recovery.runDue(),
      runDueRunbooks: () => runbookGuard.runBatch(),
      requeuePostponed: async () => {
        await this.runSeparately(async (db) => {
          if (await requeuePostponedMessages(db, deps.clock.now())) this.addStored(undefined);
          return [];
        });
        return false;
      },
    });
  }

  start(): void {
    this.polling.start();
    this.wake();
    this.createdScopeAudit.start();
    void this.createdScopeAudit.runNow();
    this.reschedule();
  }

  /** Adds messages that this process has just stored; undefined means that unknown ones may be waiting. */
  addStored(messages: readonly StoredMessage[] | undefined): void {
    if (!messages) this.pending.invalidate();
    else if (this.deps.database.kind === 'embedded') this.pending.add(messages.map(toPendingRow));
    this.wake();
  }

  /** Looks for what is due next: at the start, and after the clock was set back. */
  reschedule(): void {
    this.recovery.schedule();
    this.timers.start();
  }

  /** Signals that messages may be waiting. */
  wake(): void {
    this.isWakeRequested = true;
    if (this.isRunning || this.isClosed) return;
    this.isRunning = true;
    this.currentRun = this.run();
  }

  /**
   * Stores messages of the intake journal and evaluates them in the same statement: one commit instead of
   * two, and nothing to read back. Returns false and stores nothing if they must be stored first: when others
   * wait before them, some are duplicates, or the statement does not take all of them. Those that `upcoming`
   * returns are evaluated while these are being stored, for the next call.
   */
  async storeAndDecide(
    arrivals: readonly Arrived[],
    upcoming: () => readonly Arrived[] | undefined = () => undefined,
  ): Promise<boolean> {
    const spaceId = arrivals[0]?.address.spaceId;
    const isOneSpace = arrivals.every(({ address }) => address.spaceId === spaceId);
    if (this.mustStoreFirst || spaceId === undefined || !isOneSpace || !(await this.isCaughtUp()))
      return false;
    if (pairDuplicates(arrivals).duplicates.length > 0) return false;
    try {
      return await this.lock.runBatch(async (db) => {
        const after = this.hasBacklog()
          ? undefined
          : await this.decideArrivals(db, spaceId, arrivals, upcoming);
        return { done: after !== undefined, after: after ?? (() => undefined) };
      });
    } catch (error) {
      this.mustStoreFirst = true;
      if (isRowFault(error)) return false;
      throw error;
    }
  }

  /** Whether stored messages are waiting for evaluation. On PostgreSQL the statement itself checks this. */
  private hasBacklog(): boolean {
    const { kind } = this.deps.database;
    return this.isClosed || (kind === 'embedded' && (!this.pending.isComplete || this.pending.length > 0));
  }

  /** Waits for the current batch; false if messages are still waiting after it. */
  private async isCaughtUp(): Promise<boolean> {
    if (this.pending.isComplete && this.pending.length <= batchSize) {
      this.pause.interrupt();
      await this.currentRun;
    } else await this.lock.idle();
    return !this.hasBacklog();
  }

  /** Resolves when nothing is waiting, except for what failed or came after `close`. */
  async idle(): Promise<void> {
    while (this.isRunning) await new Promise((resolve) => setImmediate(resolve));
    await this.timers.idle();
    await this.recovery.idle();
    await this.createdScopeAudit.idle();
    await this.lock.idle();
    this.announcements.flush();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.polling.close();
    await this.createdScopeAudit.close();
    this.recovery.close();
    this.timers.close();
    await this.lock.idle();
    this.announcements.flush();
  }

  /**
   * Applies changes that do not originate from a message, between batches; a function computes them at that
   * time.
   */
  async applyChanges(
    spaceId: string,
    requested: readonly RequestedSeverityChange[] | FindChanges,
  ): Promise<BatchResult & { notes: unknown[] }> {
    return this.lock.runBatch(async (db) => {
      const { result, onCommitted } = await this.applyChangesInTransaction(db, spaceId, requested);
      return { done: result, after: onCommitted };
    });
  }

  /** Like applyChanges, in a transaction that holds the pipeline lock; call `onCommitted` after its commit. */
  async applyChangesInTransaction(
    db: Queryable,
    spaceId: string,
    requested: readonly RequestedSeverityChange[] | FindChanges,
  ): Promise<{ result: BatchResult & { notes: unknown[] }; onCommitted: () => void }> {
    const batch = await evaluateChanges(this.evaluationDeps, db, spaceId, requested);
    return { result: batch.result, onCommitted: await this.store(db, batch) };
  }

  /** Evaluates due rows and stores the results; true if more may be due. */
  private runDueRows(evaluate: (db: Queryable) => Promise<EvaluatedDueRows | undefined>): Promise<boolean> {
    return this.lock.runBatch(async (db) => {
      const due = await evaluate(db);
      if (!due) return { done: false, after: () => undefined, isUnchanged: true };
      return { done: due.hasMore, after: await this.store(db, due.batch) };
    });
  }

  /**
   * Runs a write between batches, for settings and state that a running batch would overwrite. `after` is
   * called after the commit and before the next batch.
   */
  withPipelineLock<T>(
    kind: LockedWriteKind,
    work: (tx: Transaction) => Promise<T>,
    after: (result: T) => void,
  ): Promise<T> {
    return this.lock.runTransaction(kind, work, after);
  }

  private async run(): Promise<void> {
    while (this.isWakeRequested && !this.isClosed) {
      this.isWakeRequested = false;
      try {
        const begun = performance.now();
        while (!this.isClosed && (await this.messageGuard.runBatch())) {
          // Loops until nothing is waiting.
        }
        this.failures.succeeded(failureMessage);
        // Back off so that intake gets the connection, then evaluate the backlog as one batch.
        if (this.isWakeRequested) await this.backOff(performance.now() - begun);
      } catch (error) {
        const level = error instanceof StoreUnavailable ? 'warn' : 'error';
        this.failures.failed({ level, message: failureMessage }, error);
        break;
      }
    }
    this.isRunning = false;
  }

  /** At most 60 ms. Real time, not the injected clock, because the actual machine is to be relieved. */
  private backOff(milliseconds: number): Promise<void> {
    return this.pause.sleep(Math.min(milliseconds * 2, 60), systemClock);
  }

  /** Runs work outside of a batch in its turn; its changes are announced after the commit. */
  private runSeparately(work: (db: Queryable) => Promise<Change[]>): Promise<void> {
    return this.lock.runBatch(async (db) => {
      const changed = await work(db);
      const announce = () => this.deps.changes.publish(changed);
      return { done: undefined, after: () => this.announcements.now(announce) };
    });
  }

  /** Evaluates the first messages; false if they were all that waited. */
  private decideNextBatch(size: number, onFirst: (first: PendingKey) => void): Promise<boolean> {
    return this.lock.runBatch(async (db) => {
      const isRead = !this.pending.isComplete;
      const { rows, isAll } = await readPendingMessages(db, this.deps.database.kind, this.pending, size);
      const head = rows[0];
      if (!head) {
        const areDeleted = isRead && (await deleteOrphanedPending(db)) > 0;
        return { done: areDeleted, after: () => undefined, isUnchanged: true };
      }
      onFirst({ seq: head.seq, messageId: head.message_id });
      const waiting = rows.filter((row) => row.space_id === head.space_id);
      const { after, count } = await this.decidePending(db, head.space_id, waiting, size > 1);
      this.mustStoreFirst = false;
      this.pending.remove(waiting.slice(0, count).map((row) => row.seq));
      return { done: !isAll || count < rows.length, after };
    });
  }

  /**
   * With `begins`, runbooks triggered by the messages start in the same batch, which saves a separate turn
   * per record. A message evaluated alone because its batch could not be stored leaves them to a later turn,
   * so that a failing runbook is not attributed to the message.
   */
  private async decidePending(
    db: Queryable,
    spaceId: string,
    waiting: PendingRow[],
    begins: boolean,
  ): Promise<{ after: () => void; count: number }> {
    const seqs = waiting.map((row) => row.seq);
    const messages = waiting.map((row) => toMessage(row));
    const batch = await evaluateMessages(this.evaluationDeps, db, spaceId, { seqs, messages }, begins);
    // Messages that would make the batch too large are left for the next one.
    return { after: await this.store(db, batch), count: batch.taken.messages.length };
  }

  /** Returns undefined if they must be stored first. */
  private async decideArrivals(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
    upcoming: () => readonly Arrived[] | undefined,
  ): Promise<(() => void) | undefined> {
    const prepared = await this.preparation.prepare(db, spaceId, arrivals);
    if (!prepared) return undefined;
    const { batch, statement } = prepared;
    const next = upcoming();
    const { onStored } = this.preparation.begin(db, batch, next);
    const jobs = await storeArrivalsWithDecisions(db, statement);
    if (!jobs) return undefined;
    onStored();
    const announce = () => {
      this.deps.changes.publish(arrivalChanges(arrivals));
      this.announce(batch, jobs);
    };
    // The engine gets the statement of the next batch first.
    return () => (next ? this.announcements.soon(announce) : this.announcements.now(announce));
  }

  /** Stores the results of a batch; the returned function announces them and is called after the commit. */
  private async store(db: Queryable, batch: EvaluatedBatch): Promise<() => void> {
    const jobs = await storeDecisions(db, toDecidedBatch(this.deps, batch)).catch((error: unknown) => {
      if (!isScopeConflict(batch, error)) throw error;
      this.config.forget();
      throw new OutdatedBatch('another server has created a scope of this batch', { cause: error });
    });
    return () => this.announcements.now(() => this.announce(batch, jobs));
  }

  private announce(batch: EvaluatedBatch, jobs: NewDeliveryJob[]): void {
    if (batch.result.createdScopes.length > 0) void this.createdScopeAudit.runNow();
    if (batch.result.waiting.length > 0) this.timers.triggers.schedule();
    announceBatch(this.deps, batch, jobs);
    this.deps.onDecided(batch.taken.decisions.length);
  }

  private get evaluationDeps() {
    const { clock, nextId } = this.deps;
    return { clock, nextId, config: this.config };
  }
}
