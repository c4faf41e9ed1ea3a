import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Server-side settings for the signed-in user's console. */
export const settings = defineResource({
  app: 'devtool',
  name: 'settings',
  plural: 'settings',
  noun: { en: ['settings', 'settings'], ja: '設定' },
  path: '/api/internal/settings',
  id: 'developerMode',
  singleton: true,
  shape: z.object({
    /** Name of the user's space; all its settings take a permission. */
    spaceName: z.string(),
    /** Shows developer tools even if they are not enabled in the browser. */
    developerMode: field.flag(),
    /**
     * How a user without a password gets one: by a mail that they ask for at the sign-in, by a command on the server, or
     * not at all, since only an external provider signs users in.
     */
    newPasswords: field.choice(['mail', 'command', 'none']),
  }),
  verbs: ['show'],
  columns: ['spaceName', 'developerMode'],
  permission: 'self:settings',
});
