import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Types of mails sent by the server itself. */
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

/**
 * Mails sent by the server itself. Not granted by any role, because the text of an unsent invitation contains
 * its link.
 */
export const mail = defineResource({
  app: 'space',
  name: 'mail',
  noun: { en: ['email', 'emails'], ja: '送信メール' },
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
    /** Why it could not be sent; null if there was no error. */
    reason: field.json().nullable(),
    /** Detail view only, and only while no mail server is configured. */
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
