// Makes due again what a clock that was ahead has put off: a wait, a retry or a recovery that began at a time still to
// come would otherwise last until that time has passed.
import { isoTime } from '../common/clock.ts';
import { clockToleranceMs } from '../common/time/clock-tolerance.ts';
import { jobQueues, longestJobWaitMs } from './job-queue.ts';
import { PeriodicJob } from './periodic-job.ts';
import { longestRetryDelayMs } from './poison-row-guard.ts';
import type { QueueWorkerDeps } from './queue-worker.ts';
import { type RowUpdate, updateRows } from './update-rows.ts';

const checkIntervalMs = 10_000;

/** `$1` is now; further parameters are `more`. */
type Correction = Pick<RowUpdate, 'table' | 'key' | 'where' | 'set'> & { more?: readonly unknown[] };

/** The earliest time that only a wrong clock has written. */
const ahead = `$1::timestamptz + interval '${clockToleranceMs} milliseconds'`;

/** A wait that began at a time still to come starts again, unless it ends before that time: then it was corrected. */
function startAgain(table: string, key: string, since: string): Correction {
  const fromNow = `$1::timestamptz + (due_at - ${since})`;
  return {
    ...{ table, key },
    // Of the index: what began after that time is not due before it.
    where: `due_at > ${ahead} and due_at >= ${since} and ${since} > greatest(${ahead}, ${fromNow})`,
    set: `due_at = ${fromNow}`,
  };
}

const eventAt = '(select e.created_at from event e where e.event_id = waiting_trigger.event_id)';
const recoveredAt = `$1::timestamptz + (select make_interval(secs => (r.body->>'recoveryTime')::int) from resource r
  where r.space_id = scope_state.space_id and r.kind = 'scope' and r.id = scope_state.scope_id)`;

const corrections: readonly Correction[] = [
  {
    ...{ table: 'job', key: 'id' },
    // Leases end otherwise: their owners renew them, and those of dead owners are released.
    where: `queue = any($2::text[]) and run_at > ${ahead} and locked_by is null
      and (attempts = 0 or run_at > ${ahead} + make_interval(secs => $3))`,
    set: 'run_at = $1::timestamptz',
    more: [jobQueues, longestJobWaitMs / 1000],
  },
  // Held by a mute schedule: they continue to wait if the scope is muted now.
  {
    ...{ table: 'waiting_trigger', key: 'waiting_trigger_id' },
    where: `cause = 'mute' and due_at > ${ahead} and due_at >= ${eventAt} and ${eventAt} > ${ahead}`,
    set: 'due_at = $1::timestamptz',
  },
  startAgain('waiting_trigger', 'waiting_trigger_id', eventAt),
  startAgain('runbook_record', 'runbook_record_id', 'updated_at'),
  startAgain('pigeon_chain', 'result_id', 'updated_at'),
  {
    ...{ table: 'message_set_aside', key: 'message_id' },
    where: `due_at > ${ahead} + make_interval(secs => $2)`,
    set: 'due_at = $1::timestamptz',
    more: [longestRetryDelayMs / 1000],
  },
  {
    ...{ table: 'scope_state', key: 'scope_id' },
    where: `recovery_at > ${ahead} and greatest(last_event_at, last_reported_at) > ${ahead}
      and recovery_at > ${recoveredAt}`,
    set: `recovery_at = ${recoveredAt}`,
  },
  // When failures were last told of: others are told of later.
  {
    ...{ table: 'failure_notice', key: 'action_id' },
    where: `sent_at > ${ahead}`,
    set: 'sent_at = $1::timestamptz',
  },
];

export class DueRowsAhead {
  private readonly deps: QueueWorkerDeps;
  private readonly onCorrected: () => Promise<void>;
  private readonly job: PeriodicJob;
  private lastCheckAt: number;
  private isCorrectionNeeded = false;

  /** `onCorrected` is called after the clock was set back, once the rows are due at the right times. */
  constructor(deps: QueueWorkerDeps, onCorrected: () => Promise<void>) {
    const { clock, log } = deps;
    this.deps = deps;
    this.onCorrected = onCorrected;
    this.lastCheckAt = clock.now();
    this.job = new PeriodicJob({
      ...{ clock, log },
      intervalMs: checkIntervalMs,
      failureMessage: 'what a wrong clock has put off could not be corrected, will be tried again',
      work: () => this.check(),
    });
  }

  /** At startup: the clock may have been ahead before. Call it before what is due is processed. */
  async start(): Promise<void> {
    await this.correct();
    this.job.start();
  }

  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  /** Nothing needs to be read as long as the clock runs forward. */
  private async check(): Promise<void> {
    const { clock, log } = this.deps;
    const now = clock.now();
    const backMs = this.lastCheckAt - now;
    this.lastCheckAt = now;
    if (backMs > clockToleranceMs) {
      this.isCorrectionNeeded = true;
      const seconds = Math.round(backMs / 1000);
      log({ level: 'warn', message: 'the clock was set back; what it has put off is due again', seconds });
    }
    if (!this.isCorrectionNeeded) return;
    await this.correct();
    await this.onCorrected();
    this.isCorrectionNeeded = false;
  }

  private async correct(): Promise<void> {
    const now = isoTime(this.deps.clock.now());
    for (const { more = [], ...update } of corrections)
      await updateRows(this.deps, {
        ...update,
        whereValues: [now, ...more],
      });
  }
}
