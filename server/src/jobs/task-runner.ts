// Interface between modules and the task runner.
import type { Transaction } from '../db/database.ts';

/** A task as seen by its module. */
export interface TaskInfo {
  taskId: string;
  spaceId: string;
  params: Record<string, unknown>;
  /** User who requested it; null for a schedule. */
  requestedBy: string | null;
}

export interface RunningTask extends TaskInfo {
  /** True if another process started this run and died; its work is continued. */
  resumed: boolean;
  /** Aborted on request of a user, on server shutdown, or when the lease is lost. */
  signal: AbortSignal;
  /** Reports progress in percent; cheap enough to call often. */
  progress(percent: number): void;
}

/** Outcome of a task. */
export type TaskEnd = 'aborted' | 'failed' | 'succeeded';

export interface TaskRunner {
  /**
   * Decides in the transaction that stores the task whether it is accepted, and may store related data.
   * Throws TaskRejected to reject: the task is then stored as rejected, and other writes of this function are
   * rolled back.
   */
  accept?(tx: Transaction, task: TaskInfo): Promise<{ snapshotId?: string } | undefined>;
  /** Called in the same transaction when the task of a schedule was rejected; nobody waits for its reply. */
  onScheduleRejected?(tx: Transaction, task: TaskInfo, reason: string): Promise<void>;
  /**
   * Does the work and returns the data to report. A TaskFailed carries a reason for the user; any other error
   * is logged and reported without details. When the signal is aborted, throw: the reason is known. If the
   * function returns anyway, the task has succeeded.
   */
  run(task: RunningTask): Promise<Record<string, unknown> | undefined>;
  /** Whether a running task can still be aborted; without this function, it can until it ends. */
  canAbort?(tx: Transaction, task: TaskInfo): Promise<boolean>;
  /**
   * Called in the transaction that ends the task, in whichever process: tasks of a dead process are ended by
   * another one.
   */
  onEnded?(tx: Transaction, task: TaskInfo, end: TaskEnd): Promise<void>;
  /** Whether a run whose process died is resumed instead of failed. */
  resumable?: boolean;
}

/** Rejects a task; title and detail are shown to users as the task's errorDescriptor. */
export class TaskRejected extends Error {
  readonly title: string;
  readonly detail: string;
  constructor(detail: string, title = 'Failed to register task') {
    super(detail);
    this.name = 'TaskRejected';
    this.title = title;
    this.detail = detail;
  }
}

/** Fails a run; title and detail are shown to users as the task's errorDescriptor. */
export class TaskFailed extends Error {
  readonly title: string;
  readonly detail: string;
  constructor(detail: string, title = 'Task failed') {
    super(detail);
    this.name = 'TaskFailed';
    this.title = title;
    this.detail = detail;
  }
}
