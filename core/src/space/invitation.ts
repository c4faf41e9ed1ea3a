import { z } from 'zod';
import { roleNames } from '../access/role-map.ts';
import { languages } from '../i18n/language.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Validity of an invitation in days; sending it again restarts the period. */
export const invitationDays = 7;

const input = z.object({
  email: field.email(),
  roles: field.list(field.choice(roleNames), 20).default([]),
  /** Language of the mail. */
  language: field.choice(languages).default('ja'),
});

/** An invitation to join the space that has not been accepted yet. */
export const invitation = defineResource({
  app: 'space',
  name: 'invitation',
  noun: { en: ['invitation', 'invitations'], ja: '招待' },
  path: '/api/space/users/invitations',
  screen: '/preference/invitations',
  id: 'invitationId',
  title: 'email',
  shape: z.object({
    invitationId: field.uuid(),
    ...input.shape,
    /** `expired` also when whoever has sent it last may no longer invite with these roles. */
    status: field.choice(['pending', 'expired'], { pending: 'progress', expired: 'warning' }),
    /** Name of the user who has sent it last; null if that user was deleted. */
    invitedBy: field.text().nullable(),
    expiresAt: field.dateTime(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input,
  verbs: ['list', 'create', 'remove'],
  columns: ['email', 'status', 'roles', 'expiresAt', 'invitedBy', 'createdAt', 'language'],
  filterable: ['invitationId', 'email', 'language', 'expiresAt', 'createdAt'],
  sortable: ['email', 'expiresAt', 'createdAt'],
  unique: ['email'],
  permission: 'space:invitations',
  calls: { resend: { method: 'POST', path: '/resend', on: 'item', permission: 'resend' } },
});
