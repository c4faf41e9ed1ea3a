// Starts the tasks of due schedules: each due time once across all replicas, and a missed one once on
// startup.
import { nextRun } from '@yagura/core/schedule/next-run';
import type { Timing } from '@yagura/core/schedule/schedule';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import { clockToleranceMs } from '../common/time/clock-tolerance.ts';
import { runAt } from '../common/time/wall-clock-timer.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, Queryable } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { createCoalescedRunner } from './coalesced-runner.ts';
import { faultText, PoisonRowGuard } from './poison-row-guard.ts';
import type { Tasks } from './tasks.ts';

interface SchedulerDeps {
  database: Pick<Database, 'query' | 'transaction'>;
  clock: Clock;
  log: Log;
  nextId: NextId;
  changes: Pick<ChangeBus, 'listen' | 'publish'>;
  tasks: Tasks;
}

interface DueRow {
  taskScheduleId: string;
  spaceId: string;
  nextRunAt: string;
  body: Timing & { namespace: string; method: string; params: Record<string, unknown> };
}

/** Maximum sleep in milliseconds: another server may have changed a schedule. */
const maxSleepMs = 30_000;
const retryIntervalMs = 5_000;
/** Delay in milliseconds from which a start is reported as late. */
const lateAfterMs = 60_000;
/** Maximum schedules started in one transaction. */
const maxSchedulesPerBatch = 50;
/** Milliseconds until a failed schedule is retried. */
const failedRetryDelayMs = 3_600_000;

export class TaskScheduler {
  private readonly deps: SchedulerDeps;
  private cancelTimer: (() => void) | undefined;
  private stopListening: (() => void) | undefined;
  private readonly guard: PoisonRowGuard<string>;
  private readonly runner = createCoalescedRunner(() => this.runDue());
  private closed = false;

  constructor(deps: SchedulerDeps) {
    this.deps = deps;
    const putOff = (id: string, error: unknown) => this.postpone(id, error);
    this.guard = new PoisonRowGuard(deps.log, {
      label: 'starting schedules',
      maxBatchSize: maxSchedulesPerBatch,
      work: (size, onFirst) => this.startBatch(size, onFirst),
      firstKey: () => this.firstDueId(),
      failRow: putOff,
      postpone: putOff,
      isStoreResponsive: async () => (await deps.database.query('select 1')).rows.length > 0,
    });
  }

  async start(): Promise<void> {
    this.stopListening = this.deps.changes.listen((list) => {
      if (list.some(({ resource, state }) => resource === 'task-schedule' && !state)) this.wake();
    });
    await this.idle();
  }

  /**
   * Computes the next times anew of schedules that were run or changed at a time still to come: the clock was ahead,
   * and they would not run until it has passed. Call it before `start`, and after the clock was set back.
   */
  async correctNextRuns(): Promise<void> {
    const { database, clock, log } = this.deps;
    const now = clock.now();
    try {
      const { rows } = await database.query<Pick<DueRow, 'taskScheduleId' | 'nextRunAt' | 'body'>>(
        `select s.task_schedule_id as "taskScheduleId", s.next_run_at as "nextRunAt", r.body
         from task_schedule s join resource r on r.space_id = s.space_id and r.kind = 'task-schedule' and r.id = s.task_schedule_id
         where s.next_run_at > $1 and greatest(s.last_run_at, r.updated_at) > $2`,
        [isoTime(now), isoTime(now + clockToleranceMs)],
      );
      for (const { taskScheduleId, nextRunAt, body } of rows) {
        const next = nextRun(body, now);
        if (next === undefined || next >= Date.parse(nextRunAt)) continue;
        await database.query(
          'update task_schedule set next_run_at = $2 where task_schedule_id = $1 and next_run_at = $3',
          [taskScheduleId, isoTime(next), nextRunAt],
        );
      }
    } catch (error) {
      const message = 'the next times of schedules could not be corrected';
      log({ level: 'warn', message, ...errorFields(error) });
    }
  }

  /** Starts what is due now and schedules the next time. */
  wake(): void {
    void this.idle();
  }

  /** Like wake; resolves when done. */
  idle(): Promise<void> {
    return this.runner.run();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelTimer?.();
    this.stopListening?.();
    await this.runner.idle();
  }

  private async runDue(): Promise<void> {
    const { clock } = this.deps;
    this.cancelTimer?.();
    let dueAt = clock.now();
    while (dueAt <= clock.now() && !this.closed) dueAt = await this.startDue();
    if (!this.closed) this.cancelTimer = runAt(clock, dueAt, maxSleepMs, () => this.wake());
  }

  /** Starts what is due; returns the next time, which may have passed meanwhile. */
  private async startDue(): Promise<number> {
    const { database, clock, log } = this.deps;
    try {
      const now = clock.now();
      while (await this.guard.runBatch());
      const { rows } = await database.query<{ at: string | null }>({
        name: 'next-task-schedule',
        text: 'select min(next_run_at) as at from task_schedule where next_run_at is not null',
      });
      const at = rows[0]?.at ? Date.parse(rows[0].at) : Number.POSITIVE_INFINITY;
      // Whatever is still due is being processed by another server.
      return at <= now ? clock.now() + retryIntervalMs : at;
    } catch (error) {
      log({
        level: 'warn',
        message: 'schedules could not be started, will be tried again',
        ...errorFields(error),
      });
      return clock.now() + retryIntervalMs;
    }
  }

  /** One transaction: the tasks and the next times of the schedules are stored atomically. */
  private async startBatch(size: number, onFirst: (taskScheduleId: string) => void): Promise<boolean> {
    const { database, changes, clock, tasks } = this.deps;
    const now = clock.now();
    const started = await database.transaction(async (tx) => {
      const { rows } = await tx.query<DueRow>(
        `select s.task_schedule_id as "taskScheduleId", s.space_id as "spaceId", s.next_run_at as "nextRunAt", r.body
         from task_schedule s join resource r on r.space_id = s.space_id and r.kind = 'task-schedule' and r.id = s.task_schedule_id
         where s.next_run_at <= $1 order by s.next_run_at, s.task_schedule_id limit $2 for update of s skip locked`,
        [isoTime(now), size],
      );
      if (rows[0]) onFirst(rows[0].taskScheduleId);
      const made: { spaceId: string; taskScheduleId: string; taskId: string }[] = [];
      for (const { taskScheduleId, spaceId, nextRunAt, body } of rows) {
        const { namespace, method, params } = body;
        const late = now - Date.parse(nextRunAt) > lateAfterMs;
        const run = { spaceId, namespace, method, params, requestedBy: null, taskScheduleId, late };
        const { taskId } = await tasks.requestInTransaction(tx, run);
        await advanceSchedule(tx, taskScheduleId, body, taskId, now);
        made.push({ spaceId, taskScheduleId, taskId });
      }
      return made;
    });
    const about = { resource: 'task-schedule', op: 'update', at: isoTime(now), state: true } as const;
    changes.publish(
      started.map(({ spaceId, taskScheduleId }) => ({ ...about, spaceId, id: taskScheduleId })),
    );
    for (const { spaceId, taskId } of started) tasks.announceRequested(spaceId, taskId);
    return started.length === size;
  }

  /**
   * Retries a schedule that cannot start its task, or has no next time, after an hour, and reports the
   * failure.
   */
  private async postpone(taskScheduleId: string, error: unknown): Promise<void> {
    const { database, clock, nextId } = this.deps;
    const now = clock.now();
    const reason = { word: 'why.threw', params: { detail: faultText(error) } };
    await database.query(
      `with later as (
         update task_schedule set next_run_at = $2 where task_schedule_id = $1 returning space_id
       )
       insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
       select $3, space_id, 'schedule', $1, $4, $5 from later`,
      [taskScheduleId, isoTime(now + failedRetryDelayMs), nextId(), toStoreJson(reason), isoTime(now)],
    );
  }

  private async firstDueId(): Promise<string | undefined> {
    const { rows } = await this.deps.database.query<{ id: string }>(
      `select s.task_schedule_id as id
       from task_schedule s join resource r on r.space_id = s.space_id and r.kind = 'task-schedule' and r.id = s.task_schedule_id
       where s.next_run_at <= $1 order by s.next_run_at, s.task_schedule_id limit 1`,
      [isoTime(this.deps.clock.now())],
    );
    return rows[0]?.id;
  }
}

/** Stores the next time after this run; a one-time schedule is disabled. */
async function advanceSchedule(
  tx: Queryable,
  taskScheduleId: string,
  timing: Timing,
  taskId: string,
  now: number,
): Promise<void> {
  const next = nextRun(timing, now);
  await tx.query(
    'update task_schedule set next_run_at = $2, last_run_at = $3, last_task_id = $4 where task_schedule_id = $1',
    [taskScheduleId, next === undefined ? null : isoTime(next), isoTime(now), taskId],
  );
  if (timing.oneshot != null) {
    await tx.query(
      `update resource set body = body || '{"disabled": true}', updated_at = $2, version = version + 1
       where kind = 'task-schedule' and id = $1`,
      [taskScheduleId, isoTime(now)],
    );
  }
}
