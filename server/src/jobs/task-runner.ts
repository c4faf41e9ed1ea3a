// What a module gives so that its tasks run, and what it gets for each run.
import type { Transaction } from '../db/database.ts';

/** A task as its module sees it. */
export interface TaskInfo {
  taskId: string;
  spaceId: string;
  params: Record<string, unknown>;
  /** The person who asked for it; null when a schedule did. */
  requestedBy: string | null;
}

export interface RunningTask extends TaskInfo {
  /** True when another process began this run and died: what it left is taken up. */
  resumed: boolean;
  /** Aborted when somebody asks the task to stop, when the server stops, or when the lease is lost. */
  signal: AbortSignal;
  /** Tells how far it is, in percent; cheap to call often. */
  progress(percent: number): void;
}

/** How a task ended. */
export type TaskEnd = 'aborted' | 'failed' | 'succeeded';

export interface TaskRunner {
  /**
   * Decides in the transaction that stores the task whether it is taken, and may store what belongs to it. Throws
   * TaskRejected to refuse: the task is then stored as rejected, and what else was written here is undone.
   */
  accept?(tx: Transaction, task: TaskInfo): Promise<{ snapshotId?: string } | undefined>;
  /**
   * Does the work and gives what is to be told of it. A TaskFailed names the reason to people; any other error is
   * logged and told without its inside. When the signal is aborted, throw: the reason is known. What returns all the
   * same has succeeded.
   */
  run(task: RunningTask): Promise<Record<string, unknown> | undefined>;
  /** In the transaction that ends the task, whoever ended it: a dead process's tasks are ended by another one. */
  onEnded?(tx: Transaction, task: TaskInfo, end: TaskEnd): Promise<void>;
  /** A run that died with its process is run again from what it left, instead of failing. */
  resumable?: boolean;
}

/** Refuses a task; title and detail are shown to people as the task's errorDescriptor. */
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

/** Ends a run as failed; title and detail are shown to people as the task's errorDescriptor. */
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
