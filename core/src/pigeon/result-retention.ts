// How long a space keeps the results of its calls.
import { z } from 'zod';
import { daysToKeep } from '../resource/days-to-keep.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const body = { resultDays: daysToKeep() };

/** Counted from the end of the last call. */
export const resultRetention = defineResource({
  app: 'pigeon',
  name: 'result-retention',
  plural: 'result-retention',
  noun: { en: ['call result retention', 'call result retention'], ja: '通話結果の保存期間' },
  path: '/api/apps/pigeon/result-retention',
  screen: '/apps/pigeon/settings/result-retention',
  id: 'resultDays',
  singleton: true,
  shape: z.object({
    ...body,
    /** Time of the last run. */
    lastRunAt: field.dateTime().nullable(),
    /** Total since the beginning. */
    removedResults: field.count(),
    updatedAt: field.dateTime().nullable(),
  }),
  input: z.object(body),
  verbs: ['show', 'edit'],
  columns: ['resultDays', 'lastRunAt', 'removedResults', 'updatedAt'],
  permission: 'pigeon:result-retention',
});
