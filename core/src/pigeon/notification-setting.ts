import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Events of a chain to notify of. */
export const chainEvents = ['chain:started', 'chain:succeeded', 'chain:aborted', 'chain:failed'] as const;
export type ChainEvent = (typeof chainEvents)[number];

export const notificationKinds = ['email', 'webhook'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  kind: field.choice(notificationKinds),
  disabled: field.flag().default(false),
  events: field.list(field.choice(chainEvents), chainEvents.length).min(1),
  /** For kind `email`. */
  emails: field.list(field.email(), 100).default([]),
  /** For kind `webhook`. */
  webhook: field.object({ url: field.url() }).nullable().default(null),
};

export const pigeonNotificationSetting = defineResource({
  app: 'pigeon',
  name: 'pigeon-notification-setting',
  plural: 'pigeon-notification-settings',
  noun: { en: ['Pigeon notification setting', 'Pigeon notification settings'], ja: 'Pigeon通知設定' },
  path: '/api/apps/pigeon/notification-settings',
  screen: '/apps/pigeon/settings/notification-settings',
  id: 'notificationSettingId',
  title: 'displayName',
  shape: z.object({
    notificationSettingId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check((payload) => {
    const { kind, emails, webhook } = payload.value;
    const missing = kind === 'email' ? emails.length === 0 && 'emails' : webhook === null && 'webhook';
    if (missing)
      payload.issues.push({
        code: 'custom',
        input: payload.value,
        path: missing === 'webhook' ? ['webhook', 'url'] : [missing],
        params: { word: 'rule.required' },
      });
  }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'kind', 'events', 'disabled', 'createdAt', 'updatedAt'],
  detail: ['kind', 'events', 'emails', 'webhook', 'disabled', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'pigeon:notification-settings',
});
