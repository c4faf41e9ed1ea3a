import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const body = {
  name: field.requiredText(100),
  email: field.email(),
  disabled: field.flag().default(false),
};

/** Recipients of the mails about permanently failed deliveries. */
export const notificationSettingEmail = defineResource({
  app: 'alerthub',
  name: 'notification-setting-email',
  noun: { en: ['notification address', 'notification addresses'], ja: '通知先メールアドレス' },
  path: '/api/apps/alerthub/notification-settings/emails',
  screen: '/apps/alerthub/settings/notification-settings',
  listPage: 'linked',
  id: 'notificationSettingEmailId',
  title: 'name',
  shape: z.object({
    notificationSettingEmailId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['name', 'email', 'disabled', 'createdAt', 'updatedAt'],
  detail: ['email', 'disabled', 'createdAt', 'updatedAt'],
  unique: ['name'],
  permission: 'alerthub:notification-settings',
});
