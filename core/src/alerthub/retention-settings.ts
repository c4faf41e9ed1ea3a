// How long a space keeps what has arrived, and what became of it.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const days = () => field.integer(1, 3650).nullable().default(null);

const body = {
  /** Messages with their bytes, attachments and decision logs; null keeps them for ever. */
  messageDays: days(),
  /** Events, action records and runbook records; null keeps them for ever. No shorter than messages, which they explain. */
  historyDays: days(),
};

/** What happened is kept at least as long as the messages that it tells of. */
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
  id: 'messageDays',
  singleton: true,
  shape: z.object({
    ...body,
    /** When what is too old was last looked for. */
    lastRunAt: field.dateTime().nullable(),
    /** Since the beginning. */
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
