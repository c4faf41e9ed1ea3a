import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Kinds of mails that the server itself sends. */
export const mailKinds = [
  'invitation',
  'change-password',
  'password-changed',
  'change-email',
  'email-change-asked',
  'email-changed',
  'security-changed',
  'space-cancelled',
  'space-kept',
] as const;

/** Mails of the server itself; the text of an invitation that could not be sent holds its link, so no role gives it. */
export const mail = defineResource({
  app: 'space',
  name: 'mail',
  noun: { en: ['mail', 'mails'], ja: '送信メール' },
  path: '/api/internal/mail-log',
  screen: '/preference/mail-log',
  id: 'mailId',
  title: 'subject',
  shape: z.object({
    mailId: field.uuid(),
    kind: field.choice(mailKinds),
    recipient: field.email(),
    subject: field.text(),
    status: field.choice(['waiting', 'sent', 'failed', 'stored'], {
      waiting: 'progress',
      sent: 'success',
      failed: 'danger',
      stored: 'warning',
    }),
    attempts: field.count(),
    nextAttemptAt: field.dateTime().nullable(),
    /** Why it could not be sent; null when nothing went wrong. */
    reason: field.json().nullable(),
    /** Only of one mail, and only while no mail server is set. */
    text: field.longText().nullable().optional(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'show'],
  columns: ['recipient', 'subject', 'status', 'createdAt', 'kind', 'attempts', 'updatedAt'],
  detail: [
    'status',
    'recipient',
    'kind',
    'text',
    'attempts',
    'nextAttemptAt',
    'reason',
    'createdAt',
    'updatedAt',
  ],
  permission: 'space:mail-log',
});
