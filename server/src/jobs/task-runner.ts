// Interface between modules and the task runner.
import type { Translate } from '@yagura/core/i18n/translator';
import { type TranslatableText, textOf, translatable } from '../common/translatable-text.ts';
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
  onScheduleRejected?(tx: Transaction, task: TaskInfo, reason: TaskReason): Promise<void>;
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

/** Why a task was rejected or has failed. A text of an agent is shown as it is. */
export type TaskReason = string | TranslatableText;

/** What is stored about a task that was rejected or has failed. */
export interface ErrorDescriptor {
  title: string;
  detail: string;
  /** The detail for readers of other languages; rows of earlier releases have none. */
  text?: TranslatableText | undefined;
}

const titleKeys = {
  rejected: 'refusal.title.rejected',
  failed: 'refusal.title.task-failed',
} as const;
const titles = {
  rejected: textOf(translatable(titleKeys.rejected)),
  failed: textOf(translatable(titleKeys.failed)),
};

export function describeError(reason: TaskReason, title: string): ErrorDescriptor {
  return typeof reason === 'string'
    ? { title, detail: reason }
    : { title, detail: textOf(reason), text: reason };
}

/** A failure of the server itself. */
export const describeFailure = (reason: TaskReason) => describeError(reason, titles.failed);

/** The descriptor as a reader sees it. */
export function translateDescriptor(
  descriptor: ErrorDescriptor | null,
  t: Translate,
): Pick<ErrorDescriptor, 'title' | 'detail'> | null {
  if (descriptor === null) return null;
  const { title, detail, text } = descriptor;
  const kind = title === titles.rejected ? 'rejected' : title === titles.failed ? 'failed' : undefined;
  return {
    title: kind ? t(titleKeys[kind]) : title,
    detail: text ? textOf(text, t) : detail,
  };
}

/** Rejects a task; title and reason are shown to users as the task's errorDescriptor. */
export class TaskRejected extends Error {
  readonly reason: TaskReason;
  readonly descriptor: ErrorDescriptor;
  constructor(reason: TaskReason, title = titles.rejected) {
    const descriptor = describeError(reason, title);
    super(descriptor.detail);
    this.name = 'TaskRejected';
    this.reason = reason;
    this.descriptor = descriptor;
  }
}

/** Fails a run; title and reason are shown to users as the task's errorDescriptor. */
export class TaskFailed extends Error {
  readonly descriptor: ErrorDescriptor;
  constructor(reason: TaskReason, title = titles.failed) {
    const descriptor = describeError(reason, title);
    super(descriptor.detail);
    this.name = 'TaskFailed';
    this.descriptor = descriptor;
  }
}
