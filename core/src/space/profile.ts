import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** Profile of the signed-in user, who can always read and edit it. */
export const profile = defineResource({
  app: 'space',
  name: 'profile',
  noun: { en: ['profile', 'profiles'], ja: 'プロフィール' },
  path: '/api/internal/profile',
  screen: '/preference/profile',
  id: 'userId',
  title: 'displayName',
  singleton: true,
  shape: z.object({
    userId: field.uuid(),
    email: field.email(),
    displayName: field.displayName(100),
    privileged: field.flag(),
    roles: field.list(z.string()),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(100) }),
  verbs: ['show', 'edit'],
  columns: ['email', 'displayName', 'privileged', 'roles', 'createdAt', 'updatedAt'],
  permission: 'self:profile',
  calls: {
    /** Mails a confirmation link to the new address. */
    'change-email': {
      method: 'POST',
      path: '/change-email',
      on: 'collection',
      permission: 'change-email',
      body: z.object({ email: field.email(), ...reauthenticationFields() }),
    },
    /**
     * Sets another password and ends all sign-ins, including the current one. With two-step verification enabled, a
     * code is required beside the present password.
     */
    'change-password': {
      method: 'POST',
      path: '/change-password',
      on: 'collection',
      permission: 'change-password',
      danger: true,
      body: z.object({
        newPassword: field.withKind('secret', z.string().min(1).max(1024)),
        ...reauthenticationFields(),
      }),
    },
  },
});
