// Evaluates waiting messages in order of arrival, in batches; the effects of each message are stored exactly
// once.

import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import { type CompiledConfig, touchedScopes } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { scopesOfRunbook } from '@yagura/core/alerthub/engine/evaluation/compile-runbook';
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import {
  decideEvents,
  decideMessages,
  type MessageDecision,
  type RequestedSeverityChange,
} from '@yagura/core/alerthub/engine/execution/decide-batch';
import { decideDueTriggers } from '@yagura/core/alerthub/engine/execution/decide-due-triggers';
import { type RunbookProgress, runRunbooks } from '@yagura/core/alerthub/engine/execution/run-runbooks';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import { isRowFault, PoisonRowGuard } from '../../jobs/poison-row-guard.ts';
import type { Change, ChangeBus } from '../../resource/change-bus.ts';
import { type Sealing, sealRequest } from '../../resource/sealing/sealed-fields.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import {
  type ArrivalRow as Arrived,
  arrivalChanges,
  pairDuplicates,
  type StoredMessage,
} from '../intake/store-arrivals.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import { countHours } from './count-hours.ts';
import { type NewDeliveryJob, storeArrivalsWithDecisions, storeDecisions } from './decision-store.ts';
import { DelayedJobTimer } from './delayed-job-timer.ts';
import { findFirstDueRunbook, loadDueRunbooks, maxDueRunbooks } from './due-runbooks.ts';
import { findFirstDueTrigger, loadDueTriggers, maxDueTriggers } from './due-triggers.ts';
import {
  deleteOrphanedPending,
  failMessage,
  failRunbookRecord,
  failWaitingTrigger,
  findFirstPending,
  type PendingKey,
  postponeMessage,
  postponeRow,
  requeuePostponedMessages,
} from './fail-pending.ts';
import { loadHistory, loadSeverities, mergeHistories } from './load-history.ts';
import { PendingBuffer } from './pending-buffer.ts';
import { PipelineConfig } from './pipeline-config.ts';
import { type FindChanges, RecoveryScheduler } from './recovery-scheduler.ts';
import type { DecidedBatch } from './statement-part.ts';

interface PendingMessage {
  seq: string;
  spaceId: string;
  message: ReceivedMessage;
}

/** Messages that a batch removes from the queue, with their decisions. */
interface DequeuedMessages {
  seqs: string[];
  messages: ReceivedMessage[];
  decisions: MessageDecision[];
}

/** Results of evaluating messages, with the inputs used. */
interface DecisionOutcome {
  now: string;
  config: CompiledConfig;
  decisions: MessageDecision[];
  result: BatchResult;
  startedRunbooks: RunbookProgress[];
}

const noMessages: DequeuedMessages = { seqs: [], messages: [], decisions: [] };

export interface PipelineDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  deliveries: Deliveries;
  /** Seals the credentials in stored deliveries. */
  sealing: Sealing;
}

/** Maximum messages and bytes of a batch. */
const batchSize = 500;
const batchBytes = 16 << 20;
/** Maximum characters that one batch may generate. */
const maxWeight = 16 << 20;
/** Fallback poll interval; replicas notify one another through the database. */
const pollIntervalMs = 1000;
/** Key of the advisory lock under which one replica at a time evaluates. */
const lockKey = '7810774121093153901';

/**
 * One plan serves all batches of a size and looks up each message by key: planning each batch would cost more
 * than running it, and a plan made while the table is small would join the whole table later.
 */
const readNextStatement = (size: number) => ({
  name: `take-${size}-messages`,
  text: `
    select p.seq::text as seq, m.*
    from (
      select q.seq, q.message_id, sum(q.size) over (order by q.seq) - q.size as before
      from (
        select w.seq, w.message_id, (select s.size from message s where s.message_id = w.message_id) as size
        from message_pending w order by w.seq limit ${size}
      ) q
    ) p cross join lateral (
      select m.space_id, m.size as weight, ${messageColumns}
      from message m where m.message_id = p.message_id offset 0
    ) m
    where p.before = 0 or p.before < ${batchBytes}
    order by p.seq`,
});

export class Pipeline {
  readonly config: PipelineConfig;
  private readonly deps: PipelineDeps;
  private readonly pending = new PendingBuffer<PendingRow>();
  private queueTail: Promise<unknown> = Promise.resolve();
  private isWakeRequested = false;
  private isClosed = false;
  private isRunning = false;
  /**
   * Set after a failure until the backlog is evaluated: messages are then stored first, since the faulty one
   * is found among stored messages.
   */
  private mustStoreFirst = false;
  /** The current round, and a function that ends its pause early. */
  private currentRun: Promise<void> = Promise.resolve();
  private cancelBackoff: () => void = () => undefined;
  private stopTimers: (() => void)[] = [];
  private readonly recovery: RecoveryScheduler;
  private readonly triggerTimer: DelayedJobTimer;
  private readonly runbookTimer: DelayedJobTimer;
  /** Requeues messages that could be neither evaluated nor marked as failed. */
  private readonly requeueTimer: DelayedJobTimer;
  private readonly messageGuard: PoisonRowGuard<PendingKey>;

  constructor(deps: PipelineDeps) {
    this.deps = deps;
    this.config = new PipelineConfig(deps.changes, deps.sealing);
    this.recovery = new RecoveryScheduler(deps, (spaceId, find) => this.applyChanges(spaceId, find));
    this.messageGuard = this.guardMessages();
    const releaseGuard = this.guardReleases();
    const runbookGuard = this.guardRunbooks();
    this.triggerTimer = new DelayedJobTimer(deps, {
      label: 'deciding waiting triggers',
      nextDueStatement: { name: 'next-release', text: 'select min(due_at) as at from waiting_trigger' },
      watchedResources: ['mute-schedule'],
      work: () => releaseGuard.runBatch(),
    });
    this.runbookTimer = new DelayedJobTimer(deps, {
      label: 'running runbooks',
      nextDueStatement: {
        name: 'next-runbook',
        text: 'select min(due_at) as at from runbook_record where due_at is not null',
      },
      watchedResources: ['runbook-record'],
      work: () => runbookGuard.runBatch(),
    });
    this.requeueTimer = new DelayedJobTimer(deps, {
      label: 'returning messages that were set aside',
      nextDueStatement: {
        name: 'next-return',
        text: 'select min(due_at) as at from message_set_aside where due_at is not null',
      },
      watchedResources: [],
      work: async () => {
        await this.runSeparately(async (db) => {
          if (await requeuePostponedMessages(db, deps.clock.now())) this.addStored(undefined);
          return [];
        });
        return false;
      },
    });
  }

  start(): void {
    this.stopTimers.push(
      this.deps.clock.every(pollIntervalMs, () => {
        // Only when idle: while messages stream in, this process knows them already.
        if (!this.isRunning) this.pending.invalidate();
        this.wake();
      }),
    );
    this.wake();
    this.recovery.start();
    this.triggerTimer.schedule();
    this.runbookTimer.schedule();
    this.requeueTimer.schedule();
  }

  /** Adds messages that this process has just stored; undefined means that unknown ones may be waiting. */
  addStored(messages: readonly StoredMessage[] | undefined): void {
    if (!messages) this.pending.invalidate();
    else if (this.deps.database.kind === 'embedded') this.pending.add(messages.map(toPendingRow));
    this.wake();
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
   * wait before them, some are duplicates, or the statement does not take all of them.
   */
  async storeAndDecide(arrivals: readonly Arrived[]): Promise<boolean> {
    const spaceId = arrivals[0]?.address.spaceId;
    const isOneSpace = arrivals.every(({ address }) => address.spaceId === spaceId);
    if (this.mustStoreFirst || spaceId === undefined || !isOneSpace || !(await this.isCaughtUp()))
      return false;
    if (pairDuplicates(arrivals).duplicates.length > 0) return false;
    try {
      return await this.withLock(async (db) => {
        const after = this.hasBacklog() ? undefined : await this.decideArrivals(db, spaceId, arrivals);
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
      this.cancelBackoff();
      await this.currentRun;
    } else await this.queueTail;
    return !this.hasBacklog();
  }

  /** Resolves when nothing is waiting. */
  async idle(): Promise<void> {
    while (this.isRunning || this.isWakeRequested) await new Promise((resolve) => setImmediate(resolve));
    await this.triggerTimer.idle();
    await this.runbookTimer.idle();
    await this.requeueTimer.idle();
    await this.queueTail;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const stop of this.stopTimers) stop();
    this.recovery.close();
    this.triggerTimer.close();
    this.runbookTimer.close();
    this.requeueTimer.close();
    await this.queueTail.catch(() => undefined);
  }

  /**
   * Applies changes that do not originate from a message, between batches; a function computes them at that
   * time.
   */
  async applyChanges(
    spaceId: string,
    requested: readonly RequestedSeverityChange[] | FindChanges,
  ): Promise<BatchResult & { notes: unknown[] }> {
    return this.withLock(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const changes = typeof requested === 'function' ? await requested(db, now) : requested;
      const scopeIds = new Set(changes.map((change) => change.scopeId));
      const config = await this.config.of(db, spaceId);
      const state = await loadSeverities(db, scopeIds);
      const history = await loadHistory(db, config, scopeIds, now);
      const result = decideEvents({ config, state, history, now, nextId: this.deps.nextId, changes });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config);
      return { done: result, after: () => this.announce(spaceId, now, [], result, jobs) };
    });
  }

  /** Evaluates due waiting triggers; true if more may be due. */
  private runDueTriggers(size: number, onFirst: (waitingTriggerId: string) => void): Promise<boolean> {
    return this.withLock(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const { spaceId, releases: dueTriggers } = await loadDueTriggers(db, now, size);
      if (!spaceId) return { done: false, after: () => undefined };
      onFirst(dueTriggers[0]!.waitingTriggerId);
      const config = await this.config.of(db, spaceId);
      const scopeIds = new Set(dueTriggers.map((release) => release.scopeId));
      const state = await loadSeverities(db, scopeIds);
      const oldest = dueTriggers.map(({ event }) => event.createdAt).sort()[0] ?? now;
      const history = await loadHistory(db, config, scopeIds, now, oldest);
      const { nextId } = this.deps;
      const result = decideDueTriggers({
        config,
        state,
        history,
        now,
        nextId,
        dueTriggers,
        maxWeight: maxWeight,
      });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config);
      return {
        done: dueTriggers.length === size || result.released.length < dueTriggers.length,
        after: () => this.announce(spaceId, now, [], result, jobs),
      };
    });
  }

  /** Advances runbook records as far as possible; true if more may be due. */
  private runRunbooks(size: number, onFirst: (runbookRecordId: string) => void): Promise<boolean> {
    return this.withLock(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const { spaceId, runs, more } = await loadDueRunbooks(db, now, size);
      if (!spaceId) return { done: false, after: () => undefined };
      onFirst(runs[0]!.runbookRecordId);
      const config = await this.config.of(db, spaceId);
      const scopes = new Set(runs.flatMap((run) => [...scopesOfRunbook(run.graph, config)]));
      const state = await loadSeverities(db, scopes);
      const history = await loadHistory(db, config, scopes, now);
      const { nextId } = this.deps;
      const result = runRunbooks({ config, state, history, now, nextId, runs, maxWeight: maxWeight });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config, result.progress);
      const isCut = result.progress.length < runs.length;
      const done = more || isCut || result.progress.some((one) => one.dueAt === now);
      return { done, after: () => this.announce(spaceId, now, [], result, jobs, result.progress) };
    });
  }

  /**
   * Runs a write between batches, for settings and state that a running batch would overwrite. `after` is
   * called after the commit and before the next batch.
   */
  withPipelineLock<T>(work: (tx: Transaction) => Promise<T>, after: (result: T) => void): Promise<T> {
    const { database } = this.deps;
    const next = this.queueTail.then(async () => {
      const result = await database.transaction(async (tx) => {
        if (database.kind === 'postgresql') await tx.query(`select pg_advisory_xact_lock(${lockKey})`);
        return work(tx);
      });
      after(result);
      return result;
    });
    this.queueTail = next.catch(() => undefined);
    return next;
  }

  private async run(): Promise<void> {
    while (this.isWakeRequested && !this.isClosed) {
      this.isWakeRequested = false;
      try {
        const begun = performance.now();
        while (!this.isClosed && (await this.messageGuard.runBatch())) {
          // Loops until nothing is waiting.
        }
        // Back off so that intake gets the connection, then evaluate the backlog as one batch.
        if (this.isWakeRequested) await this.backOff(performance.now() - begun);
      } catch (error) {
        const level = error instanceof StoreUnavailable ? 'warn' : 'error';
        this.deps.log({ level, message: 'deciding failed, will be tried again', ...errorFields(error) });
        break;
      }
    }
    this.isRunning = false;
  }

  /** At most 60 ms. Real time, not the injected clock, because the actual machine is to be relieved. */
  private backOff(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds * 2, 60));
      this.cancelBackoff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async isStoreResponsive(): Promise<boolean> {
    await this.deps.database.query('select 1');
    return true;
  }

  /** Runs work outside of a batch in its turn; its changes are announced after the commit. */
  private runSeparately(work: (db: Queryable) => Promise<Change[]>): Promise<void> {
    return this.withLock(async (db) => {
      const changed = await work(db);
      return { done: undefined, after: () => this.deps.changes.publish(changed) };
    });
  }

  private guardMessages(): PoisonRowGuard<PendingKey> {
    const { deps } = this;
    return new PoisonRowGuard(deps.log, {
      label: 'deciding messages',
      maxBatchSize: batchSize,
      work: (size, onFirst) =>
        this.decideNextBatch(size, onFirst).catch((error: unknown) => {
          this.pending.invalidate();
          throw error;
        }),
      firstKey: () => findFirstPending(deps.database),
      failRow: (key, error) => this.runSeparately((db) => failMessage(db, deps, key, error)),
      postpone: async (key, error) => {
        await this.runSeparately(async (db) => {
          await postponeMessage(db, deps, key, error);
          return [];
        });
        this.requeueTimer.schedule();
      },
      isStoreResponsive: () => this.isStoreResponsive(),
    });
  }

  private guardReleases(): PoisonRowGuard<string> {
    const { deps } = this;
    return new PoisonRowGuard(deps.log, {
      label: 'deciding waiting triggers',
      maxBatchSize: maxDueTriggers,
      work: (size, onFirst) => this.runDueTriggers(size, onFirst),
      firstKey: () => findFirstDueTrigger(deps.database, isoTime(deps.clock.now())),
      failRow: (id, error) => this.runSeparately((db) => failWaitingTrigger(db, deps, id, error)),
      postpone: (id) => postponeRow(deps.database, deps, 'waiting_trigger', id),
      isStoreResponsive: () => this.isStoreResponsive(),
    });
  }

  private guardRunbooks(): PoisonRowGuard<string> {
    const { deps } = this;
    return new PoisonRowGuard(deps.log, {
      label: 'running runbooks',
      maxBatchSize: maxDueRunbooks,
      work: (size, onFirst) => this.runRunbooks(size, onFirst),
      firstKey: () => findFirstDueRunbook(deps.database, isoTime(deps.clock.now())),
      failRow: (id, error) => this.runSeparately((db) => failRunbookRecord(db, deps, id, error)),
      postpone: (id) => postponeRow(deps.database, deps, 'runbook_record', id),
      isStoreResponsive: () => this.isStoreResponsive(),
    });
  }

  /** Evaluates the first messages; false if they were all that waited. */
  private decideNextBatch(size: number, onFirst: (first: PendingKey) => void): Promise<boolean> {
    return this.withLock(async (db) => {
      const isRead = !this.pending.isComplete;
      const { rows, isAll } = await this.readNext(db, size);
      const head = rows[0];
      if (!head) return { done: isRead && (await deleteOrphanedPending(db)) > 0, after: () => undefined };
      onFirst({ seq: head.seq, messageId: head.message_id });
      const waiting = rows.filter((row) => row.space_id === head.space_id).map(toPendingMessage);
      const { after, count } = await this.decidePending(db, head.space_id, waiting, size > 1);
      this.mustStoreFirst = false;
      this.pending.remove(waiting.slice(0, count).map((entry) => entry.seq));
      return { done: !isAll || count < rows.length, after };
    });
  }

  /**
   * Returns the first waiting messages: from memory if it holds all of them, otherwise from the database.
   */
  private async readNext(db: Queryable, size: number): Promise<{ rows: PendingRow[]; isAll: boolean }> {
    if (this.pending.isComplete) {
      const rows = this.pending.peek(size, batchBytes);
      return { rows, isAll: rows.length === this.pending.length };
    }
    const completed = this.pending.beginRead();
    const { rows } = await db.query<PendingRow>(readNextStatement(size));
    const bytes = rows.reduce((sum, row) => sum + row.weight, 0);
    const isAll = rows.length < size && bytes < batchBytes;
    // With several spaces, only the first is evaluated now; the others are read again.
    const isOneSpace = rows.every((row) => row.space_id === rows[0]!.space_id);
    if (isAll && isOneSpace && this.deps.database.kind === 'embedded') completed();
    return { rows, isAll };
  }

  /**
   * With `begins`, runbooks triggered by the messages start in the same batch, which saves a separate turn
   * per record. A message evaluated alone because its batch could not be stored leaves them to a later turn,
   * so that a failing runbook is not attributed to the message.
   */
  private async decidePending(
    db: Queryable,
    spaceId: string,
    waiting: PendingMessage[],
    begins: boolean,
  ): Promise<{ after: () => void; count: number }> {
    const messages = waiting.map((entry) => entry.message);
    const made = await this.decide(db, spaceId, messages, begins);
    // Messages that would make the batch too large are left for the next one.
    const count = made.decisions.length;
    const seqs = waiting.slice(0, count).map((entry) => entry.seq);
    const taken = { seqs, messages: messages.slice(0, count), decisions: made.decisions };
    const jobs = await this.store(
      db,
      spaceId,
      made.now,
      taken,
      made.result,
      made.config,
      made.startedRunbooks,
    );
    return { after: () => this.announceOutcome(spaceId, made, jobs), count };
  }

  /** Returns undefined if they must be stored first. */
  private async decideArrivals(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
  ): Promise<(() => void) | undefined> {
    const messages = arrivals.map((arrived) => toMessage(toMessageRow(arrived)));
    const made = await this.decide(db, spaceId, messages, true);
    if (made.decisions.length < messages.length) return undefined;
    const taken = { seqs: [], messages, decisions: made.decisions };
    const decided = this.toDecidedBatch(
      spaceId,
      made.now,
      taken,
      made.result,
      made.config,
      made.startedRunbooks,
    );
    const jobs = await storeArrivalsWithDecisions(db, decided, arrivals);
    if (!jobs) return undefined;
    return () => {
      this.deps.changes.publish(arrivalChanges(arrivals));
      this.announceOutcome(spaceId, made, jobs);
    };
  }

  private announceOutcome(
    spaceId: string,
    { now, decisions, result, startedRunbooks }: DecisionOutcome,
    jobs: NewDeliveryJob[],
  ): void {
    this.announce(spaceId, now, decisions, result, jobs, startedRunbooks);
  }

  /** Evaluates messages of one space; stores nothing. */
  private async decide(
    db: Queryable,
    spaceId: string,
    messages: ReceivedMessage[],
    begins: boolean,
  ): Promise<DecisionOutcome> {
    const now = isoTime(this.deps.clock.now());
    const config = await this.config.of(db, spaceId);
    const scopeIds = touchedScopes(config, messages);
    const state = await loadSeverities(db, scopeIds);
    const history = mergeHistories(await loadHistory(db, config, scopeIds, now));
    const { nextId } = this.deps;
    const decided = decideMessages({ config, state, history, now, nextId, messages, maxWeight: maxWeight });
    let startedRunbooks: RunbookProgress[] = [];
    if (begins && decided.runbookStarts.length > 0) {
      const graphs = new Set(decided.runbookStarts.map(({ runbook }) => runbook));
      const more = new Set([...graphs].flatMap((graph) => [...scopesOfRunbook(graph, config)]));
      for (const scopeId of scopeIds) more.delete(scopeId);
      for (const [scopeId, values] of await loadSeverities(db, more)) state.set(scopeId, values);
      history.add(await loadHistory(db, config, more, now));
      startedRunbooks = decided.startRunbooks();
    }
    return { now, config, decisions: decided.messages, result: decided.result(), startedRunbooks };
  }

  private store(db: Queryable, ...facts: Parameters<Pipeline['toDecidedBatch']>): Promise<NewDeliveryJob[]> {
    return storeDecisions(db, this.toDecidedBatch(...facts));
  }

  private toDecidedBatch(
    spaceId: string,
    now: string,
    taken: DequeuedMessages,
    result: BatchResult,
    config: CompiledConfig,
    progress: readonly RunbookProgress[] = [],
  ): DecidedBatch {
    const recoveryAt = new Map(
      result.scopes.map(({ scopeId, severity }) => {
        const seconds = config.scopes.get(scopeId)?.source.recoveryTime ?? null;
        const at = seconds === null || severity === 0 ? null : isoTime(Date.parse(now) + seconds * 1000);
        return [scopeId, at] as const;
      }),
    );
    return {
      spaceId,
      now,
      seqs: taken.seqs,
      messages: taken.decisions,
      counts: countHours(taken.messages, taken.decisions),
      result: this.toStorable(spaceId, result),
      recoveryAt,
      progress,
      lease: this.deps.deliveries.lease(),
      nextId: this.deps.nextId,
    };
  }

  /** Returns the result with the credentials in requests sealed. */
  private toStorable(spaceId: string, result: BatchResult): BatchResult {
    if (result.firings.length === 0) return result;
    const { sealing } = this.deps;
    const firings = result.firings.map((firing) => ({
      ...firing,
      request: sealRequest(sealing, spaceId, firing.request),
    }));
    return { ...result, firings };
  }

  /** After the commit: sends leased deliveries, announces changes, and schedules the next recovery. */
  private announce(
    spaceId: string,
    at: string,
    messages: MessageDecision[],
    result: BatchResult,
    jobs: NewDeliveryJob[],
    progress: readonly RunbookProgress[] = [],
  ): void {
    if (result.waiting.length > 0) this.triggerTimer.schedule();
    if (result.runbookStarts.length > 0) this.runbookTimer.schedule();
    const requests = new Map(result.firings.map((firing) => [firing.actionRecordId, firing]));
    this.deps.deliveries.enqueue(
      jobs.map((job) => {
        const firing = requests.get(job.actionRecordId)!;
        return { jobId: job.id, attempt: 1, spaceId, createdAt: at, ...firing };
      }),
      jobs.length < result.firings.length,
    );
    const about = (resource: string, id: string, op: 'create' | 'update'): Change => ({
      spaceId,
      resource,
      id,
      op,
      at,
    });
    this.deps.changes.publish([
      ...messages.map((message) => about('message', message.messageId, 'update')),
      ...result.events.map((event) => ({ ...about('event', event.eventId, 'create'), scope: event.scopeId })),
      ...result.updatedEvents.map(({ eventId }) => about('event', eventId, 'update')),
      ...result.scopes.map((scope) => ({ ...about('scope', scope.scopeId, 'update'), state: true as const })),
      ...result.runbookStarts.map((start) => about('runbook-record', start.runbookRecordId, 'create')),
      ...progress.map((one) => ({
        ...about('runbook-record', one.runbookRecordId, 'update'),
        state: true as const,
      })),
      ...result.firings.map((firing) => about('action-record', firing.actionRecordId, 'create')),
    ]);
  }

  /**
   * The embedded engine has one process and one connection: an in-memory queue serves as the lock, and each
   * batch is one statement. On PostgreSQL each turn is a transaction under an advisory lock.
   */
  private withLock<T>(work: (db: Queryable) => Promise<{ done: T; after: () => void }>): Promise<T> {
    const next = this.queueTail.then(async () => {
      const { database } = this.deps;
      const outcome =
        database.kind === 'embedded'
          ? await work(database)
          : await database.transaction(async (tx) => {
              await tx.query(`select pg_advisory_xact_lock(${lockKey})`);
              return work(tx);
            });
      outcome.after();
      return outcome.done;
    });
    this.queueTail = next.catch(() => undefined);
    return next;
  }
}

function toPendingMessage(row: PendingRow): PendingMessage {
  return { seq: row.seq, spaceId: row.space_id, message: toMessage(row) };
}

interface PendingRow extends MessageRow {
  seq: string;
  space_id: string;
  message_id: string;
  /** Size in bytes. */
  weight: number;
}

function toPendingRow(stored: StoredMessage): PendingRow {
  return {
    ...toMessageRow(stored),
    seq: stored.seq,
    space_id: stored.address.spaceId,
    weight: stored.body.length,
  };
}

function toMessageRow({ address, ...row }: Arrived): MessageRow & { message_id: string } {
  return {
    message_id: row.messageId,
    receive_slot_id: address.receiveSlotId,
    receive_slot_kind: address.kind,
    received_at: row.receivedAt,
    request_url: row.requestUrl,
    headers: row.headers,
    mail: row.mail ?? null,
    body: row.mail ? Buffer.alloc(0) : row.body,
  };
}
