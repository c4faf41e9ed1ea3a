// How long a space keeps the snapshots of its networks.
import { z } from 'zod';
import { daysToKeep } from '../resource/days-to-keep.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const body = { snapshotDays: daysToKeep() };

/** Managed nodes stay, and the latest successful snapshot of each network. */
export const snapshotRetention = defineResource({
  app: 'sonar',
  name: 'snapshot-retention',
  plural: 'snapshot-retention',
  noun: { en: ['snapshot retention', 'snapshot retention'], ja: 'スナップショットの保存期間' },
  path: '/api/apps/sonar/snapshot-retention',
  screen: '/apps/sonar/snapshot-retention',
  id: 'snapshotDays',
  singleton: true,
  shape: z.object({
    ...body,
    /** Time of the last run. */
    lastRunAt: field.dateTime().nullable(),
    /** Total since the beginning. */
    removedSnapshots: field.count(),
    updatedAt: field.dateTime().nullable(),
  }),
  input: z.object(body),
  verbs: ['show', 'edit'],
  columns: ['snapshotDays', 'lastRunAt', 'removedSnapshots', 'updatedAt'],
  permission: 'sonar:snapshot-retention',
});
