// Schedules that start tasks: once, or every day, week or month.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { checkTiming, recurrence } from '../schedule/schedule-schema.ts';
import { taskRunShape } from './task.ts';

const timing = () => ({
  /** The time of a one-time run; takes precedence over a recurrence. */
  oneshot: field.dateTime().nullable().default(null),
  recurrence: field.withKind('object', recurrence()).nullable().default(null),
});

export const taskSchedule = defineResource({
  app: 'work',
  name: 'task-schedule',
  noun: { en: ['task schedule', 'task schedules'], ja: 'タスクスケジュール' },
  path: '/api/tasks/schedules',
  id: 'taskScheduleId',
  title: 'displayName',
  shape: z.object({
    taskScheduleId: field.uuid(),
    displayName: field.optionalDisplayName(),
    disabled: field.flag(),
    ...taskRunShape(),
    /** Derived from the timing. */
    kind: field.choice(['oneshot', 'daily', 'weekly', 'monthly']),
    oneshot: field.dateTime().nullable(),
    recurrence: field.withKind('object', recurrence()).nullable(),
    /** Null if it is disabled or has no runs left. */
    nextRunAt: field.dateTime().nullable(),
    lastRunAt: field.dateTime().nullable(),
    /** The task started by the last run. */
    lastTaskId: field.uuid().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z
    .object({
      displayName: field.optionalDisplayName().default(''),
      disabled: field.flag().default(false),
      ...taskRunShape(),
      params: taskRunShape().params.default({}),
      ...timing(),
    })
    .check(checkTiming),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'disabled', 'kind', 'namespace', 'method', 'nextRunAt', 'lastRunAt', 'createdAt'],
  detail: [
    'displayName',
    'disabled',
    'kind',
    'oneshot',
    'recurrence',
    'namespace',
    'method',
    'nextRunAt',
    'lastRunAt',
    'lastTaskId',
    'createdAt',
    'updatedAt',
  ],
  filterable: [
    'taskScheduleId',
    'displayName',
    'disabled',
    'namespace',
    'method',
    'params.networkId',
    'kind',
    'nextRunAt',
    'lastRunAt',
  ],
  sortable: ['displayName', 'disabled', 'kind', 'namespace', 'method', 'nextRunAt', 'lastRunAt', 'createdAt'],
  permission: 'work:task-schedules',
  inFiles: true,
});
