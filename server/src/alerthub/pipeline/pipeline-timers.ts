// Timers of the rows that the pipeline processes at a stored time: waiting triggers, runbook records and
// postponed messages.
import { DelayedJobTimer } from './delayed-job-timer.ts';

/** Each function processes due rows and returns true when more may be due immediately. */
interface DueWork {
  runDueTriggers(): Promise<boolean>;
  runDueRunbooks(): Promise<boolean>;
  requeuePostponed(): Promise<boolean>;
}

export class PipelineTimers {
  readonly triggers: DelayedJobTimer;
  readonly runbooks: DelayedJobTimer;
  /** Requeues messages that could be neither evaluated nor marked as failed. */
  readonly postponed: DelayedJobTimer;

  constructor(deps: ConstructorParameters<typeof DelayedJobTimer>[0], work: DueWork) {
    this.triggers = new DelayedJobTimer(deps, {
      label: 'deciding waiting triggers',
      nextDueStatement: { name: 'next-release', text: 'select min(due_at) as at from waiting_trigger' },
      watchedResources: ['mute-schedule'],
      work: () => work.runDueTriggers(),
    });
    this.runbooks = new DelayedJobTimer(deps, {
      label: 'running runbooks',
      nextDueStatement: {
        name: 'next-runbook',
        text: 'select min(due_at) as at from runbook_record where due_at is not null',
      },
      watchedResources: ['runbook-record'],
      work: () => work.runDueRunbooks(),
    });
    this.postponed = new DelayedJobTimer(deps, {
      label: 'returning messages that were set aside',
      nextDueStatement: {
        name: 'next-return',
        text: 'select min(due_at) as at from message_set_aside where due_at is not null',
      },
      watchedResources: [],
      work: () => work.requeuePostponed(),
    });
  }

  start(): void {
    this.triggers.schedule();
    this.runbooks.schedule();
    this.postponed.schedule();
  }

  /** Resolves when no due row is being processed. */
  async idle(): Promise<void> {
    await this.triggers.idle();
    await this.runbooks.idle();
    await this.postponed.idle();
  }

  close(): void {
    this.triggers.close();
    this.runbooks.close();
    this.postponed.close();
  }
}
