import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Events recorded in a Kroker's log. */
export const krokerEvents = [
  'set-up',
  'set-up-again',
  'checked-in',
  'connected',
  'disconnected',
  'signing-key-changed',
  'replaced',
  'notification-failed',
  'credential-created',
  'credential-changed',
  'credential-deleted',
] as const;
export type KrokerEvent = (typeof krokerEvents)[number];

export const krokerLog = defineResource({
  app: 'kroker',
  name: 'kroker-log',
  plural: 'logs',
  noun: { en: ['Kroker log entry', 'Kroker log entries'], ja: 'Krokerログ' },
  path: '/api/apps/kroker/krokers/{krokerId}/logs',
  screen: '/preference/kroker/:krokerId/logs',
  id: 'krokerLogId',
  parent: 'kroker',
  shape: z.object({
    krokerLogId: field.uuid(),
    event: field.choice(krokerEvents, {
      'set-up': 'success',
      'set-up-again': 'warning',
      'checked-in': 'info',
      connected: 'success',
      disconnected: 'warning',
      'signing-key-changed': 'warning',
      replaced: 'warning',
      'notification-failed': 'danger',
      'credential-deleted': 'warning',
    }),
    /** Name of the credential, the machine or the notification setting; address of a machine that was replaced. */
    name: field.text(),
    /** Email address of the user who caused it; null if it was the machine. */
    user: field.text().nullable(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list'],
  columns: ['createdAt', 'event', 'name', 'user'],
  time: 'createdAt',
  permission: 'kroker:logs',
});
