// Retention of a space's messages and history.
import { z } from 'zod';
import { daysToKeep } from '../resource/days-to-keep.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const body = {
  /** Messages with their raw bytes, attachments and decision logs. */
  messageDays: daysToKeep(),
  /** Events, action records and runbook records. At least as long as messages. */
  historyDays: daysToKeep(),
};

/** History must be kept at least as long as the messages it refers to. */
function checkRetentionOrder(
  payload: z.core.ParsePayload<{ messageDays: number | null; historyDays: number | null }>,
) {
  const { messageDays, historyDays } = payload.value;
  if (historyDays === null || (messageDays !== null && messageDays <= historyDays)) return;
  payload.issues.push({
    code: 'custom',
    input: historyDays,
    path: ['historyDays'],
    params: { word: 'retention.shorter' },
  });
}

export const retentionSettings = defineResource({
  app: 'alerthub',
  name: 'retention-settings',
  plural: 'retention-settings',
  noun: { en: ['retention', 'retention'], ja: '保存期間' },
  path: '/api/apps/alerthub/retention-settings',
  screen: '/apps/alerthub/settings/retention',
  listPage: 'linked',
  id: 'messageDays',
  singleton: true,
  shape: z.object({
    ...body,
    /** Time of the last run. */
    lastRunAt: field.dateTime().nullable(),
    /** Total since the beginning. */
    removedMessages: field.count(),
    removedEvents: field.count(),
    removedRecords: field.count(),
    updatedAt: field.dateTime().nullable(),
  }),
  input: z.object(body).check(checkRetentionOrder),
  verbs: ['show', 'edit'],
  columns: [
    'messageDays',
    'historyDays',
    'lastRunAt',
    'removedMessages',
    'removedEvents',
    'removedRecords',
    'updatedAt',
  ],
  permission: 'alerthub:retention-settings',
});
