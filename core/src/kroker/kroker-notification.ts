import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Events to notify of: a Kroker has connected, or has been disconnected for a while. */
export const notifiedEvents = ['connected', 'disconnected'] as const;
export const notificationKinds = ['email', 'webhook'] as const;

const emailParameters = z.object({ to: field.list(field.email(), 100).min(1) });
const webhookParameters = z.object({ url: field.url() });
const parameterSchemas = { email: emailParameters, webhook: webhookParameters };

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  disabled: field.flag().default(false),
  /** All Krokers if empty. */
  krokerIds: field.list(field.reference('kroker'), 100).default([]),
  events: field
    .list(field.choice(notifiedEvents), 2)
    .min(1)
    .default([...notifiedEvents]),
  kind: field.choice(notificationKinds).default('email'),
  parameters: field.variant('kind', parameterSchemas),
};

export const krokerNotification = defineResource({
  app: 'kroker',
  name: 'kroker-notification',
  plural: 'kroker-notification-settings',
  noun: { en: ['Kroker notification setting', 'Kroker notification settings'], ja: 'Kroker通知設定' },
  path: '/api/apps/kroker/kroker-notification-settings',
  screen: '/preference/kroker/kroker-notification-settings',
  id: 'krokerNotificationSettingId',
  title: 'displayName',
  shape: z.object({
    krokerNotificationSettingId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(field.checkVariant('parameters', 'kind', parameterSchemas)),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'kind', 'events', 'krokerIds', 'disabled', 'updatedAt'],
  detail: ['kind', 'parameters', 'events', 'krokerIds', 'disabled', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'kroker:notification-settings',
});
