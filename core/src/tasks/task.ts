// A task: one run of something long that a module does, such as a scan (spec sections 3, 4 and 7).
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

/** Names a module or one of its methods. */
const identifierName = () =>
  field.withKind(
    'text',
    z
      .string()
      .regex(/^[\w-]+$/)
      .min(1)
      .max(64),
  );

/** The members that say what runs: whose module, which of its methods, and with what. */
export const taskRunShape = () => ({
  namespace: identifierName(),
  method: identifierName(),
  params: field.withKind('json', z.record(z.string().max(255), z.unknown())),
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
    /** Percent; null before the module has told. */
    progress: field.integer(0, 100).nullable(),
    /** Why it was rejected, or failed. */
    errorDescriptor: field.object({ title: z.string(), detail: z.string() }).nullable(),
    /** What the module has to say of the run. */
    result: field.json(),
    /** The snapshot that a scan fills. */
    snapshotId: field.uuid().nullable(),
    /** The schedule that started it. */
    taskScheduleId: field.uuid().nullable(),
    /** The schedule's time was missed, because the server was down. */
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
    /** Asks the task to stop; the reply is the task as it then stands. A task that has ended is a 409. */
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
