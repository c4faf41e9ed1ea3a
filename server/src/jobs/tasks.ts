// Runs tasks once across all replicas, under a lease renewed while they run; tasks of a dead process are
// failed or resumed.

import type { TaskStatus } from '@yagura/core/tasks/task';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, InTransaction, Queryable, Transaction } from '../db/database.ts';
import { retryWhileUnavailable } from '../db/retry-while-unavailable.ts';
import { freeRowLeases, rowLeaseMs } from './leases/row-leases.ts';
import { PeriodicJob } from './periodic-job.ts';
import { isRowFault, runIsolatingFaults } from './poison-row-guard.ts';
import { guardTaskClaims, type TaskClaims } from './task-claims.ts';
import { type ErrorDescriptor, type TaskEnd, TaskFailed, type TaskRunner } from './task-runner.ts';
import {
  type ClaimedTask,
  endTask,
  failUnclaimedTask,
  insertTask,
  releaseTask,
  renewTaskLeases,
  requestTaskAbort,
  type StoredTaskRequest as StoredRequest,
  serverDiedError,
  serverStoppedError,
  unexpectedError,
  withdrawTaskAbort,
  writeProgress,
} from './task-store.ts';

export type TaskRequest = Omit<StoredRequest, 'taskId'>;

interface TaskDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Identifies this process in leases. */
  instance: string;
}

interface ActiveRun {
  task: ClaimedTask;
  abortController: AbortController;
  done: Promise<void>;
}

/** Why a run was aborted. */
type StopReason = 'asked' | 'stopping' | 'lost';

const heartbeatIntervalMs = 5_000;
const pollIntervalMs = 2_000;
const progressIntervalMs = 1_000;
/** Milliseconds after which an end that was not stored is tried again. */
const endRetryMs = 2_000;
/** Milliseconds that shutdown waits for runs to end. */
const shutdownTimeoutMs = 5_000;

export class Tasks {
  private readonly deps: TaskDeps;
  private readonly runners = new Map<string, TaskRunner>();
  private readonly runs = new Map<string, ActiveRun>();
  private readonly pendingProgress = new Map<string, number>();
  private stopListening: (() => void) | undefined;
  private cancelFlush: (() => void) | undefined;
  private readonly claims: TaskClaims;
  private readonly claiming: PeriodicJob;
  private readonly heartbeat: PeriodicJob;
  private readonly closing = new AbortController();

  constructor(deps: TaskDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.claims = guardTaskClaims(
      deps,
      () => [...this.runners.keys()],
      () => [...this.runs.values()].map(({ task }) => task.spaceId),
      (taskId) => this.failUnclaimed(taskId),
    );
    this.claiming = new PeriodicJob({
      ...{ clock, log },
      intervalMs: pollIntervalMs,
      failureMessage: 'tasks could not be claimed, will be tried again',
      work: () => this.claimDue(),
    });
    this.heartbeat = new PeriodicJob({
      ...{ clock, log },
      intervalMs: heartbeatIntervalMs,
      failureMessage: 'leases of tasks were not renewed',
      work: () => this.renewLeases(),
    });
  }

  /** Registers the runner of a method; must be called before start. Throws if the method already has one. */
  register(namespace: string, method: string, runner: TaskRunner): void {
    const key = `${namespace} ${method}`;
    if (this.runners.has(key)) throw new Error(`${key} has a runner already`);
    this.runners.set(key, runner);
  }

  /**
   * On the embedded engine no other process can hold a lease, so tasks of a dead process are released at
   * once.
   */
  async start(): Promise<void> {
    const { changes } = this.deps;
    await freeRowLeases(this.deps, 'task');
    this.claiming.start();
    this.heartbeat.start();
    this.stopListening = changes.listen((list) => {
      if (list.some(({ resource, id }) => resource === 'task' && this.runs.has(id)))
        void this.heartbeat.runNow();
    });
    await this.claim();
  }

  /** Stores a task and starts it if its module accepts it. */
  async request(
    task: TaskRequest,
    onStored?: InTransaction,
  ): Promise<{ taskId: string; status: TaskStatus }> {
    const stored = await this.deps.database.transaction(async (tx) => {
      const inserted = await this.requestInTransaction(tx, task);
      await onStored?.(tx);
      return inserted;
    });
    this.announceRequested(task.spaceId, stored.taskId);
    return stored;
  }

  /** Like request, in a transaction of the caller, who calls `requested` after its commit. */
  async requestInTransaction(
    tx: Transaction,
    task: TaskRequest,
  ): Promise<{ taskId: string; status: TaskStatus }> {
    const taskId = this.deps.nextId();
    const runner = this.runners.get(`${task.namespace} ${task.method}`);
    const status = await insertTask(tx, runner, { ...task, taskId }, this.deps.clock.now());
    return { taskId, status };
  }

  announceRequested(spaceId: string, taskId: string): void {
    this.publishChange(spaceId, taskId, 'create');
    void this.claim();
  }

  /**
   * Ends a waiting task, or asks a running one to abort. False if there is no such task, or if it can no longer
   * be aborted. `onAborted` runs in the same transaction.
   */
  async abort(spaceId: string, taskId: string, onAborted?: InTransaction): Promise<boolean> {
    const { database, clock } = this.deps;
    const isAccepted = await database.transaction(async (tx) => {
      const task = await requestTaskAbort(tx, spaceId, taskId, clock.now());
      if (!task) return false;
      if (task.status === 'started' && (await this.runnerOf(task)?.canAbort?.(tx, task)) === false) {
        await withdrawTaskAbort(tx, taskId);
        return false;
      }
      if (task.status === 'aborted') await this.runnerOf(task)?.onEnded?.(tx, task, 'aborted');
      await onAborted?.(tx);
      return true;
    });
    if (!isAccepted) return false;
    this.runs.get(taskId)?.abortController.abort('asked' satisfies StopReason);
    this.publishChange(spaceId, taskId, 'update');
    return true;
  }

  /** Resolves when nothing runs here and no runnable task is waiting. */
  async idle(): Promise<void> {
    do {
      await this.claim();
      await Promise.all([...this.runs.values()].map((run) => run.done));
    } while (this.runs.size > 0);
  }

  /** Aborts running tasks: resumable ones are released, the others fail with the reason. */
  async close(): Promise<void> {
    this.closing.abort();
    this.stopListening?.();
    this.cancelFlush?.();
    await this.claiming.close();
    const runs = [...this.runs.values()];
    for (const run of runs) run.abortController.abort('stopping' satisfies StopReason);
    let stopWaiting: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      stopWaiting = setTimeout(resolve, shutdownTimeoutMs);
    });
    await Promise.race([Promise.all(runs.map((run) => run.done)), timeout]);
    clearTimeout(stopWaiting);
    await this.heartbeat.close();
  }

  private get closed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Claims waiting tasks, including those stored while others are being claimed. */
  private claim(): Promise<void> {
    return this.claiming.runNow();
  }

  /** Those of processes that have died come first: they have begun, and some need only be ended. */
  private async claimDue(): Promise<void> {
    const isClosed = () => this.closed;
    await this.claims.claimEach('expired', isClosed, async (task) => {
      if (this.runs.has(task.taskId)) return;
      if (this.runnerOf(task)?.resumable) this.startRun(task, true);
      else await this.endOrFail(task, 'failed', serverDiedError, undefined);
    });
    await this.claims.claimEach('waiting', isClosed, async (task) => this.startRun(task, false));
  }

  /** Fails a task that cannot be claimed, if necessary without what its module does at its end. */
  private async failUnclaimed(taskId: string): Promise<void> {
    const { database, clock, log } = this.deps;
    const fail = (db: Queryable) => failUnclaimedTask(db, taskId, unexpectedError, clock.now());
    let failed: ClaimedTask | null;
    try {
      failed = await database.transaction(async (tx) => {
        const task = await fail(tx);
        if (task) await this.runnerOf(task)?.onEnded?.(tx, task, 'failed');
        return task;
      });
    } catch (error) {
      if (!isRowFault(error)) throw error;
      log({ level: 'error', message: 'the end of a task was refused', taskId, ...errorFields(error) });
      failed = await fail(database);
    }
    if (failed) this.publishChange(failed.spaceId, taskId, 'update');
  }

  private startRun(task: ClaimedTask, resumed: boolean): void {
    const abortController = new AbortController();
    this.publishChange(task.spaceId, task.taskId, 'update');
    const done = this.executeRun(task, resumed, abortController)
      .catch((error: unknown) => {
        // The lease expires, and the process that finds it ends the task.
        this.deps.log({ level: 'warn', message: 'the end of a task was not stored', ...errorFields(error) });
      })
      .finally(() => {
        this.runs.delete(task.taskId);
        this.pendingProgress.delete(task.taskId);
        if (!this.closed) void this.claim();
      });
    this.runs.set(task.taskId, { task, abortController, done });
  }

  private async executeRun(task: ClaimedTask, resumed: boolean, stop: AbortController): Promise<void> {
    const runner = this.runnerOf(task)!;
    const { taskId, spaceId, params, requestedBy } = task;
    const progress = (percent: number) => this.recordProgress(taskId, percent);
    const runningTask = { taskId, spaceId, params, requestedBy, resumed, signal: stop.signal, progress };
    let end: () => Promise<void>;
    try {
      const result = await runner.run(runningTask);
      end = () => this.endOrFail(task, 'succeeded', null, result);
    } catch (error) {
      end = this.endOfFailedRun(task, runner, stop.signal, error);
    }
    if (stop.signal.reason === ('lost' satisfies StopReason)) return;
    // The run has had its effects: its end must not be lost with the connection.
    const message = 'the end of a task was not stored, will be tried again';
    await retryWhileUnavailable(end, {
      ...{ clock: this.deps.clock, delayMs: endRetryMs, signal: this.closing.signal },
      onUnavailable: (error) => this.deps.log({ level: 'warn', message, taskId, ...errorFields(error) }),
    });
  }

  /** How a run ends that has thrown. */
  private endOfFailedRun(
    task: ClaimedTask,
    runner: TaskRunner,
    signal: AbortSignal,
    error: unknown,
  ): () => Promise<void> {
    const { database, clock, instance, log } = this.deps;
    const { namespace, method, taskId } = task;
    const cut = signal.aborted ? (signal.reason as StopReason) : undefined;
    if (cut === 'asked') return () => this.endOrFail(task, 'aborted', null, undefined);
    if (cut === 'stopping' && runner.resumable)
      return () => releaseTask(database, instance, taskId, clock.now());
    if (cut === 'stopping') return () => this.endOrFail(task, 'failed', serverStoppedError, undefined);
    if (error instanceof TaskFailed) return () => this.endOrFail(task, 'failed', error.descriptor, undefined);
    if (cut !== 'lost')
      log({ level: 'error', message: 'task failed', namespace, method, taskId, ...errorFields(error) });
    return () => this.endOrFail(task, 'failed', unexpectedError, undefined);
  }

  /**
   * If the end of a task is rejected by the database or its module, the task fails; otherwise it would be
   * claimed again and again.
   */
  private async endOrFail(...end: Parameters<Tasks['end']>): Promise<void> {
    const [task] = end;
    try {
      return await this.end(...end);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const { database, clock, instance, log } = this.deps;
      const { taskId } = task;
      log({ level: 'error', message: 'the end of a task was refused', taskId, ...errorFields(error) });
      const failed = {
        status: 'failed',
        descriptor: unexpectedError,
        result: undefined,
        now: clock.now(),
      } as const;
      if (await endTask(database, instance, taskId, failed))
        this.publishChange(task.spaceId, taskId, 'update');
    }
  }

  private async end(
    task: ClaimedTask,
    status: TaskEnd,
    descriptor: ErrorDescriptor | null,
    result: unknown,
  ): Promise<void> {
    const { database, clock, instance } = this.deps;
    const ended = await database.transaction(async (tx) => {
      const now = clock.now();
      if (!(await endTask(tx, instance, task.taskId, { status, descriptor, result, now }))) return false;
      await this.runnerOf(task)?.onEnded?.(tx, task, status);
      return true;
    });
    if (ended) this.publishChange(task.spaceId, task.taskId, 'update');
  }

  /** Renews leases; aborts runs on request, and those that another process has taken over. */
  private async renewLeases(): Promise<void> {
    if (this.runs.size === 0) return;
    const { database, clock, instance, log } = this.deps;
    const ids = [...this.runs.keys()];
    const mine = new Map<string, { stop: boolean }>();
    await runIsolatingFaults(
      ids,
      async (some) => {
        const renewed = await renewTaskLeases(database, instance, some, clock.now() + rowLeaseMs);
        for (const [id, run] of renewed) mine.set(id, run);
      },
      async (taskId, error) =>
        log({ level: 'error', message: 'the lease of a task was refused', taskId, ...errorFields(error) }),
    );
    for (const id of ids) {
      const run = this.runs.get(id);
      if (!mine.has(id)) run?.abortController.abort('lost' satisfies StopReason);
      else if (mine.get(id)!.stop) run?.abortController.abort('asked' satisfies StopReason);
    }
  }

  private recordProgress(taskId: string, percent: number): void {
    const whole = Math.min(Math.max(Math.floor(percent), 0), 100);
    if (!Number.isFinite(whole) || this.closed) return;
    this.pendingProgress.set(taskId, whole);
    this.cancelFlush ??= this.deps.clock.after(progressIntervalMs, () => void this.flushProgress());
  }

  private async flushProgress(): Promise<void> {
    this.cancelFlush = undefined;
    const { database, clock, instance, log } = this.deps;
    const pendingProgress = new Map(this.pendingProgress);
    this.pendingProgress.clear();
    try {
      await runIsolatingFaults(
        [...pendingProgress],
        (some) => writeProgress(database, instance, new Map(some), clock.now()),
        async ([taskId], error) =>
          log({ level: 'warn', message: 'progress of a task was refused', taskId, ...errorFields(error) }),
      );
      for (const taskId of pendingProgress.keys()) {
        const run = this.runs.get(taskId);
        if (run) this.publishChange(run.task.spaceId, taskId, 'update', true);
      }
    } catch (error) {
      log({ level: 'warn', message: 'progress of tasks was not stored', ...errorFields(error) });
    }
  }

  private runnerOf({ namespace, method }: ClaimedTask): TaskRunner | undefined {
    return this.runners.get(`${namespace} ${method}`);
  }

  private publishChange(spaceId: string, id: string, op: 'create' | 'update', state = false): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([
      { spaceId, resource: 'task', id, op, at, ...(state ? { state: true as const } : {}) },
    ]);
  }
}
