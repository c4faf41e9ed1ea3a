// Runs tasks: once over all replicas, under a lease that is renewed while they run, ended or resumed when a process dies.

import type { TaskStatus } from '@yagura/core/work/task-resource';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { NextId } from '../id.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { isRowFault } from './row-guard.ts';
import { type TaskEnd, TaskFailed, type TaskRunner } from './task-runner.ts';
import {
  type ClaimedTask,
  claimDead,
  claimTasks,
  type Descriptor,
  endTask,
  insertTask,
  releaseTask,
  renewLeases,
  type TaskRequest as StoredRequest,
  writeProgress,
} from './task-store.ts';

export type TaskRequest = Omit<StoredRequest, 'taskId'>;

interface TaskDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Names this process in leases. */
  instance: string;
}

interface Run {
  task: ClaimedTask;
  stop: AbortController;
  done: Promise<void>;
}

/** Why a run was cut short. */
type Cut = 'asked' | 'stopping' | 'lost';

/** Runs at once in one process; more wait their turn. */
const maxConcurrent = 16;
const leaseMs = 30_000;
const beatMs = 5_000;
const pollMs = 2_000;
const progressMs = 1_000;
/** A stop waits this long for runs to end by themselves. */
const patienceMs = 5_000;

export class Tasks {
  private readonly deps: TaskDeps;
  private readonly runners = new Map<string, TaskRunner>();
  private readonly runs = new Map<string, Run>();
  private readonly told = new Map<string, number>();
  private readonly timers: (() => void)[] = [];
  private flushing: (() => void) | undefined;
  private readonly claims = oneAtATime(() => this.claimDue());
  private closed = false;

  constructor(deps: TaskDeps) {
    this.deps = deps;
  }

  /** Takes a method of a module; call it before start. Throws when the method has a runner already. */
  register(namespace: string, method: string, runner: TaskRunner): void {
    const key = `${namespace} ${method}`;
    if (this.runners.has(key)) throw new Error(`${key} has a runner already`);
    this.runners.set(key, runner);
  }

  /** On the embedded engine nobody else can hold a lease, so what a dead process ran is free at once. */
  async start(): Promise<void> {
    const { database, clock, changes } = this.deps;
    if (database.kind === 'embedded')
      await database.query(`update task set lease_until = null where status = 'started'`);
    this.timers.push(
      clock.every(pollMs, () => void this.claim()),
      clock.every(beatMs, () => void this.beat()),
      changes.listen((list) => {
        if (list.some(({ resource, id }) => resource === 'task' && this.runs.has(id))) void this.beat();
      }),
    );
    await this.claim();
  }

  /** Stores a task and starts it when its module takes it. */
  async request(task: TaskRequest): Promise<{ taskId: string; status: TaskStatus }> {
    const stored = await this.deps.database.transaction((tx) => this.requestIn(tx, task));
    this.requested(task.spaceId, stored.taskId);
    return stored;
  }

  /** Like request, in a transaction of the caller's, who calls `requested` after its commit. */
  async requestIn(tx: Transaction, task: TaskRequest): Promise<{ taskId: string; status: TaskStatus }> {
    const taskId = this.deps.nextId();
    const runner = this.runners.get(`${task.namespace} ${task.method}`);
    const status = await insertTask(tx, runner, { ...task, taskId }, this.deps.clock.now());
    return { taskId, status };
  }

  requested(spaceId: string, taskId: string): void {
    this.tell(spaceId, taskId, 'create');
    void this.claim();
  }

  /** Ends a task that waits, and asks a running one to stop. False when there is none that could be stopped. */
  async abort(spaceId: string, taskId: string): Promise<boolean> {
    const { database, clock } = this.deps;
    const now = isoTime(clock.now());
    const found = await database.transaction(async (tx) => {
      const { rows } = await tx.query<ClaimedTask & { status: TaskStatus }>(
        `update task set abort_requested = true, updated_at = $3,
           status = case when status = 'requested' then 'aborted' else status end,
           ended_at = case when status = 'requested' then $3::timestamptz end
         where space_id = $1 and task_id = $2 and status in ('requested', 'started')
         returning task_id as "taskId", space_id as "spaceId", namespace, method, params,
           requested_by as "requestedBy", status`,
        [spaceId, taskId, now],
      );
      const task = rows[0];
      if (task?.status === 'aborted') await this.runnerOf(task)?.ended?.(tx, task, 'aborted');
      return task !== undefined;
    });
    if (!found) return false;
    this.runs.get(taskId)?.stop.abort('asked' satisfies Cut);
    this.tell(spaceId, taskId, 'update');
    return true;
  }

  /** Resolves when nothing runs here and nothing that could is waiting. */
  async idle(): Promise<void> {
    do {
      await this.claim();
      await Promise.all([...this.runs.values()].map((run) => run.done));
    } while (this.runs.size > 0);
  }

  /** Stops what runs: what can be resumed is given free, the rest fails with the reason. */
  async close(): Promise<void> {
    this.closed = true;
    for (const stop of this.timers.splice(0)) stop();
    this.flushing?.();
    await this.claims.idle();
    const runs = [...this.runs.values()];
    for (const run of runs) run.stop.abort('stopping' satisfies Cut);
    let stopWaiting: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      stopWaiting = setTimeout(resolve, patienceMs);
    });
    await Promise.race([Promise.all(runs.map((run) => run.done)), patience]);
    clearTimeout(stopWaiting);
  }

  /** Takes what waits; a task that is stored while others are being taken is not passed over. */
  private claim(): Promise<void> {
    return this.claims.run();
  }

  private async claimDue(): Promise<void> {
    const max = maxConcurrent - this.runs.size;
    if (this.closed || max <= 0) return;
    const { database, clock, instance, log } = this.deps;
    const now = clock.now();
    const by = {
      owner: instance,
      now,
      leaseUntil: now + leaseMs,
      methods: [...this.runners.keys()],
      most: max,
    };
    try {
      for (const task of await claimTasks(database, by)) this.begin(task, false);
      for (const task of await claimDead(database, by)) {
        if (this.runs.has(task.taskId)) continue;
        if (this.runnerOf(task)?.resumable) this.begin(task, true);
        else await this.endAnyhow(task, 'failed', died, undefined);
      }
    } catch (error) {
      log({
        level: 'warn',
        message: 'tasks could not be claimed, will be tried again',
        ...errorFacts(error),
      });
    }
  }

  private begin(task: ClaimedTask, resumed: boolean): void {
    const stop = new AbortController();
    this.tell(task.spaceId, task.taskId, 'update');
    const done = this.work(task, resumed, stop)
      .catch((error: unknown) => {
        // The lease runs out, and whoever finds it ends the task.
        this.deps.log({ level: 'warn', message: 'the end of a task was not stored', ...errorFacts(error) });
      })
      .finally(() => {
        this.runs.delete(task.taskId);
        this.told.delete(task.taskId);
        if (!this.closed) void this.claim();
      });
    this.runs.set(task.taskId, { task, stop, done });
  }

  private async work(task: ClaimedTask, resumed: boolean, stop: AbortController): Promise<void> {
    const runner = this.runnerOf(task)!;
    const { taskId, spaceId, params, requestedBy } = task;
    const progress = (percent: number) => this.note(taskId, percent);
    try {
      const facts = { taskId, spaceId, params, requestedBy, resumed, signal: stop.signal, progress };
      const result = await runner.run(facts);
      if (stop.signal.reason !== ('lost' satisfies Cut))
        await this.endAnyhow(task, 'succeeded', null, result);
    } catch (error) {
      await this.endCut(task, runner, stop.signal, error);
    }
  }

  private async endCut(
    task: ClaimedTask,
    runner: TaskRunner,
    signal: AbortSignal,
    error: unknown,
  ): Promise<void> {
    const { database, clock, instance, log } = this.deps;
    const cut = signal.aborted ? (signal.reason as Cut) : undefined;
    if (cut === 'lost') return;
    if (cut === 'asked') return this.endAnyhow(task, 'aborted', null, undefined);
    if (cut === 'stopping' && runner.resumable)
      return releaseTask(database, instance, task.taskId, clock.now());
    if (cut === 'stopping') return this.endAnyhow(task, 'failed', stopped, undefined);
    if (error instanceof TaskFailed) {
      return this.endAnyhow(task, 'failed', { title: error.title, detail: error.detail }, undefined);
    }
    const { namespace, method, taskId } = task;
    log({ level: 'error', message: 'task failed', namespace, method, taskId, ...errorFacts(error) });
    await this.endAnyhow(task, 'failed', unforeseen, undefined);
  }

  /** A task whose end the store or its module refuses has failed: else it would be taken up again and again. */
  private async endAnyhow(...end: Parameters<Tasks['end']>): Promise<void> {
    const [task] = end;
    try {
      return await this.end(...end);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const { database, clock, instance, log } = this.deps;
      const { taskId } = task;
      log({ level: 'error', message: 'the end of a task was refused', taskId, ...errorFacts(error) });
      const failed = {
        status: 'failed',
        descriptor: unforeseen,
        result: undefined,
        now: clock.now(),
      } as const;
      if (await endTask(database, instance, taskId, failed)) this.tell(task.spaceId, taskId, 'update');
    }
  }

  private async end(
    task: ClaimedTask,
    status: TaskEnd,
    descriptor: Descriptor | null,
    result: unknown,
  ): Promise<void> {
    const { database, clock, instance } = this.deps;
    const ended = await database.transaction(async (tx) => {
      const now = clock.now();
      if (!(await endTask(tx, instance, task.taskId, { status, descriptor, result, now }))) return false;
      await this.runnerOf(task)?.ended?.(tx, task, status);
      return true;
    });
    if (ended) this.tell(task.spaceId, task.taskId, 'update');
  }

  /** Renews leases; stops what somebody asked to stop, and what another process has taken over. */
  private async beat(): Promise<void> {
    if (this.runs.size === 0) return;
    const { database, clock, instance, log } = this.deps;
    const ids = [...this.runs.keys()];
    try {
      const mine = await renewLeases(database, instance, ids, clock.now() + leaseMs);
      for (const id of ids) {
        const run = this.runs.get(id);
        if (!mine.has(id)) run?.stop.abort('lost' satisfies Cut);
        else if (mine.get(id)!.stop) run?.stop.abort('asked' satisfies Cut);
      }
    } catch (error) {
      log({ level: 'warn', message: 'leases of tasks were not renewed', ...errorFacts(error) });
    }
  }

  private note(taskId: string, percent: number): void {
    const whole = Math.min(Math.max(Math.floor(percent), 0), 100);
    if (!Number.isFinite(whole) || this.closed) return;
    this.told.set(taskId, whole);
    this.flushing ??= this.deps.clock.after(progressMs, () => void this.flush());
  }

  private async flush(): Promise<void> {
    this.flushing = undefined;
    const { database, clock, instance, log } = this.deps;
    const told = new Map(this.told);
    this.told.clear();
    try {
      await writeProgress(database, instance, told, clock.now());
      for (const taskId of told.keys()) {
        const run = this.runs.get(taskId);
        if (run) this.tell(run.task.spaceId, taskId, 'update', true);
      }
    } catch (error) {
      log({ level: 'warn', message: 'progress of tasks was not stored', ...errorFacts(error) });
    }
  }

  private runnerOf({ namespace, method }: ClaimedTask): TaskRunner | undefined {
    return this.runners.get(`${namespace} ${method}`);
  }

  private tell(spaceId: string, id: string, op: 'create' | 'update', state = false): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([
      { spaceId, resource: 'task', id, op, at, ...(state ? { state: true as const } : {}) },
    ]);
  }
}

const died: Descriptor = { title: 'Task failed', detail: 'the server that ran it ended unexpectedly' };
const stopped: Descriptor = { title: 'Task failed', detail: 'the server was stopped while it ran' };
const unforeseen: Descriptor = {
  title: 'Task failed',
  detail: 'an unexpected error; the log of the server tells more',
};
