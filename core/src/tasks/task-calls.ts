// Client calls for tasks and call chains, whose reply may be a rejection despite a successful status.

import { Problem } from '../http/problem.ts';
import { send, type Transport } from '../http/transport.ts';

export interface TaskReply {
  taskId?: string;
  status: 'rejected' | 'requested' | 'started' | 'aborted' | 'failed' | 'succeeded';
  errorDescriptor?: { title?: string; detail?: string } | null;
  /** Created by the module for the task, e.g. a snapshot. */
  snapshotId?: string;
  [field: string]: unknown;
}

export interface TaskRequest {
  namespace: string;
  method: string;
  params?: Record<string, unknown>;
}

/** A retry after a lost reply must not scan or call twice. */
const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Registers a task. Throws a problem of kind `rejected` if it is rejected. */
export async function registerTask(
  transport: Transport,
  task: TaskRequest,
  signal?: AbortSignal,
): Promise<TaskReply> {
  const { data } = await send<TaskReply>(transport, {
    method: 'POST',
    path: '/api/tasks',
    headers: newKey(),
    body: task,
    signal,
  });
  if (data.status !== 'rejected') return data;
  throw new Problem('rejected', {
    title: 'Failed to register task',
    detail:
      data.errorDescriptor?.detail ?? data.errorDescriptor?.title ?? 'Task execution was rejected by modules',
  });
}

/** Starts a scan of a network; returns the id of the snapshot it fills, or null if the reply has none. */
export async function startScan(transport: Transport, networkId: string): Promise<string | null> {
  const task = await registerTask(transport, { namespace: 'sonar', method: 'scan', params: { networkId } });
  return task.snapshotId ?? null;
}

interface ChainReplyBody {
  status: string;
  errorDescriptor?: { title?: string; detail?: string } | null;
}

/**
 * Starts a Pigeon call chain. Throws a problem of kind `chain-rejected` if it is rejected or fails, with the reason
 * if known.
 */
export async function invokeChain<R extends ChainReplyBody>(
  transport: Transport,
  body: unknown,
  signal?: AbortSignal,
): Promise<R> {
  const path = '/api/apps/pigeon/chain/invoke';
  const { data } = await send<R>(transport, { method: 'POST', path, headers: newKey(), body, signal });
  if (data.status !== 'rejected' && data.status !== 'failed') return data;
  throw new Problem('chain-rejected', {
    title: data.errorDescriptor?.title,
    detail: data.errorDescriptor?.detail ?? 'Chain execution was rejected or failed by modules',
  });
}
