import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { notificationResults, scanEvents } from './scan-event.ts';

const headers = () =>
  field.withKind(
    'key-values',
    z.record(
      z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/),
      z
        .string()
        .max(8192)
        .regex(/^[^\r\n\0]*$/),
    ),
  );

const target = {
  kind: field.choice(['email', 'webhook']),
  emails: field.list(field.email(), 100).default([]),
  webhook: field
    .object({ url: field.url(), headers: headers().default({}) })
    .nullable()
    .default(null),
};

const body = {
  displayName: field.displayName(),
  disabled: field.flag().default(false),
  events: field.list(field.choice(scanEvents), 20).min(1),
  ...target,
};

/** Requires the target that the kind uses. */
function complete(payload: z.core.ParsePayload<Record<string, unknown>>): void {
  const { kind, emails, webhook } = payload.value as { kind: string; emails: string[]; webhook: unknown };
  if (kind === 'email' && emails.length === 0) {
    payload.issues.push({
      code: 'custom',
      input: emails,
      path: ['emails'],
      params: { word: 'rule.required' },
    });
  }
  if (kind === 'webhook' && webhook === null) {
    payload.issues.push({
      code: 'custom',
      input: webhook,
      path: ['webhook'],
      params: { word: 'rule.required' },
    });
  }
}

export const notificationTarget = z.object(target).check(complete);
export type NotificationTarget = z.output<typeof notificationTarget>;

/** Notification settings of a network's scans: events, channel and recipients. */
export const scanNotification = defineResource({
  app: 'sonar',
  name: 'scan-notification',
  noun: { en: ['notification setting', 'notification settings'], ja: '通知設定' },
  path: '/api/apps/sonar/networks/{networkId}/notification-settings',
  screen: '/apps/sonar/networks/:networkId/scan/notifications',
  id: 'notificationSettingId',
  title: 'displayName',
  parent: 'network',
  shape: z.object({
    notificationSettingId: field.uuid(),
    networkId: field.reference('network'),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body).check(complete),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'kind', 'events', 'disabled', 'createdAt', 'updatedAt'],
  detail: ['kind', 'events', 'emails', 'webhook', 'disabled', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'sonar:notification-settings',
  calls: {
    /** Sends an example to the given target, stored or not. */
    'notify-example': {
      method: 'POST',
      path: '/notify-example',
      on: 'collection',
      permission: 'notify',
      body: notificationTarget,
      reply: z.object({ result: field.choice(notificationResults), reason: field.text().nullable() }),
    },
    histories: {
      method: 'GET',
      path: '/histories',
      on: 'item',
      permission: 'get',
      reply: z.object({
        notificationHistoryId: field.uuid(),
        event: field.choice(scanEvents),
        result: field.choice(notificationResults, { succeeded: 'success', failed: 'danger' }),
        reason: field.text().nullable(),
        snapshotId: field.uuid().nullable(),
        createdAt: field.dateTime(),
      }),
      paged: true,
    },
  },
});

/** Notifications sent by one setting, listed by its call. */
export const notificationHistory = defineResource({
  app: 'sonar',
  name: 'notification-history',
  plural: 'notification-histories',
  noun: { en: ['notification', 'notifications'], ja: '通知履歴' },
  path: '/api/apps/sonar/networks/{networkId}/notification-settings/{notificationSettingId}/histories',
  id: 'notificationHistoryId',
  shape: scanNotification.calls.histories!.reply as z.ZodObject<{
    notificationHistoryId: z.ZodUUID;
    event: z.ZodType;
    result: z.ZodType;
    reason: z.ZodType;
    snapshotId: z.ZodType;
    createdAt: z.ZodType;
  }>,
  verbs: ['list'],
  columns: ['createdAt', 'event', 'result', 'reason', 'snapshotId'],
  filterable: ['event', 'result', 'createdAt'],
  sortable: ['event', 'result', 'createdAt'],
  permission: 'sonar:notification-settings',
});
