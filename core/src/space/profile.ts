import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** The signed-in person. Everybody may read and edit their own. */
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
    displayName: field.requiredText(100),
    privileged: field.flag(),
    roles: field.list(z.string()),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.requiredText(100) }),
  verbs: ['show', 'edit'],
  columns: ['email', 'displayName', 'privileged', 'roles', 'createdAt', 'updatedAt'],
  permission: 'self:profile',
  calls: {
    /** Sends a link to the new address, which confirms it. */
    'change-email': {
      method: 'POST',
      path: '/change-email',
      on: 'collection',
      permission: 'change-email',
      body: z.object({ email: field.email(), ...reauthenticationFields() }),
    },
  },
});
