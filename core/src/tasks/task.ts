// Tasks: long-running operations of a module, such as a scan.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const taskStatuses = ['rejected', 'requested', 'started', 'aborted', 'failed', 'succeeded'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

const tones = {
  rejected: 'danger',
  requested: 'neutral',
  started: 'progress',
  aborted: 'warning',
  failed: 'danger',
  succeeded: 'success',
} as const;

/** Name of a module or of one of its methods. */
const identifierName = () =>
  field.withKind(
    'text',
    z
      .string()
      .regex(/^[\w-]+$/)
      .min(1)
      .max(64),
  );

/** The members that define what runs: namespace, module, method and parameters. */
export const taskRunShape = () => ({
  namespace: identifierName(),
  method: identifierName(),
  params: field.withKind('json', z.record(z.string().max(255), z.unknown()), {
    references: { networkId: 'network' },
  }),
});

export const task = defineResource({
  app: 'work',
  name: 'task',
  noun: { en: ['task', 'tasks'], ja: 'タスク' },
  path: '/api/tasks',
  screen: '/apps/devtool/tasks',
  id: 'taskId',
  shape: z.object({
    taskId: field.uuid(),
    ...taskRunShape(),
    status: field.choice(taskStatuses, tones),
    /** Percent; null until the module reports progress. */
    progress: field.integer(0, 100).nullable(),
    /** Reason of the rejection or failure. */
    errorDescriptor: field.object({ title: z.string(), detail: z.string() }).nullable(),
    /** Result reported by the module. */
    result: field.json(),
    /** The snapshot filled by a scan. */
    snapshotId: field.uuid().nullable(),
    /** The schedule that started it. */
    taskScheduleId: field.uuid().nullable(),
    /** The task started after its scheduled time, because the server was down. */
    late: field.flag(),
    createdAt: field.dateTime(),
    startedAt: field.dateTime().nullable(),
    endedAt: field.dateTime().nullable(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ ...taskRunShape(), params: taskRunShape().params.default({}) }),
  verbs: ['list', 'show', 'create'],
  columns: ['status', 'namespace', 'method', 'progress', 'createdAt', 'startedAt', 'endedAt', 'late'],
  detail: [
    'status',
    'namespace',
    'method',
    'progress',
    'errorDescriptor',
    'late',
    'taskScheduleId',
    'snapshotId',
    'createdAt',
    'startedAt',
    'endedAt',
  ],
  filterable: [
    'taskId',
    'namespace',
    'method',
    'status',
    'params.networkId',
    'taskScheduleId',
    'createdAt',
    'startedAt',
    'endedAt',
  ],
  sortable: ['status', 'namespace', 'method', 'createdAt', 'startedAt', 'endedAt'],
  time: 'createdAt',
  permission: 'work:tasks',
  calls: {
    /** Requests the task to stop; returns the task in its current state. 409 for a task that has ended. */
    abort: {
      method: 'POST',
      path: '/abort',
      on: 'item',
      permission: 'abort',
      danger: true,
      reply: z.record(z.string(), z.unknown()),
    },
  },
});
