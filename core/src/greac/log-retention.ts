// How long a space keeps the logs of closed sessions.
import { z } from 'zod';
import { daysToKeep } from '../resource/days-to-keep.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const body = { logDays: daysToKeep() };

/** Counted from the end of a session. Sessions themselves stay: who was connected where and when. */
export const logRetention = defineResource({
  app: 'greac',
  name: 'log-retention',
  plural: 'log-retention',
  noun: { en: ['log retention', 'log retention'], ja: 'ログの保存期間' },
  path: '/api/apps/greac/log-retention',
  screen: '/apps/greac/log-retention',
  listPage: 'linked',
  id: 'logDays',
  singleton: true,
  shape: z.object({
    ...body,
    /** Time of the last run. */
    lastRunAt: field.dateTime().nullable(),
    /** Sessions whose logs were deleted, since the beginning. */
    removedSessions: field.count(),
    updatedAt: field.dateTime().nullable(),
  }),
  input: z.object(body),
  verbs: ['show', 'edit'],
  columns: ['logDays', 'lastRunAt', 'removedSessions', 'updatedAt'],
  permission: 'greac:log-retention',
});
