// Tasks and chains: a reply may be a refusal although the call went well (spec section 4).

import { Problem } from '../http/problem.ts';
import { send, type Transport } from '../http/transport.ts';

export interface TaskReply {
  taskId?: string;
  status: 'rejected' | 'requested' | 'started' | 'aborted' | 'failed' | 'succeeded';
  errorDescriptor?: { title?: string; detail?: string } | null;
  /** What the module made for the task, such as a snapshot. */
  snapshotId?: string;
  [field: string]: unknown;
}

export interface TaskRequest {
  namespace: string;
  method: string;
  params?: Record<string, unknown>;
}

/** Registers a task. A rejected one is thrown as the problem `rejected`. */
export async function registerTask(
  transport: Transport,
  task: TaskRequest,
  signal?: AbortSignal,
): Promise<TaskReply> {
  const { data } = await send<TaskReply>(transport, {
    method: 'POST',
    path: '/api/tasks',
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

/** Starts a scan of a network; the id of the snapshot it fills, or null when the reply names none. */
export async function startScan(transport: Transport, networkId: string): Promise<string | null> {
  const task = await registerTask(transport, { namespace: 'sonar', method: 'scan', params: { networkId } });
  return task.snapshotId ?? null;
}

interface ChainReplyBody {
  status: string;
  errorDescriptor?: { title?: string; detail?: string } | null;
}

/** Starts a call chain of Pigeon. A rejected or failed one is thrown as the problem `rejected`, with why where that is told. */
export async function invokeChain<R extends ChainReplyBody>(
  transport: Transport,
  body: unknown,
  signal?: AbortSignal,
): Promise<R> {
  const path = '/api/apps/pigeon/chain/invoke';
  const { data } = await send<R>(transport, { method: 'POST', path, body, signal });
  if (data.status !== 'rejected' && data.status !== 'failed') return data;
  throw new Problem('rejected', {
    title: data.errorDescriptor?.title ?? 'Failed to invoke chain',
    detail: data.errorDescriptor?.detail ?? 'Chain execution was rejected or failed by modules',
  });
}
