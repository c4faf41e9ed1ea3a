import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** A passkey (WebAuthn) of the signed-in person. */
export const passkey = defineResource({
  app: 'space',
  name: 'passkey',
  noun: { en: ['passkey', 'passkeys'], ja: 'パスキー' },
  path: '/api/internal/profile/passkeys',
  id: 'passkeyId',
  title: 'displayName',
  shape: z.object({
    passkeyId: field.uuid(),
    displayName: field.displayName(),
    /** The device's maker keeps it on the person's other devices too. */
    synced: field.flag(),
    lastUsedAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName() }),
  verbs: ['list', 'edit'],
  columns: ['displayName', 'synced', 'lastUsedAt', 'createdAt'],
  unique: ['displayName'],
  permission: 'self:passkeys',
  calls: {
    /** What a browser needs to make one; takes the password or a code. */
    prepare: {
      method: 'POST',
      path: '/prepare',
      on: 'collection',
      permission: 'prepare',
      body: z.object(reauthenticationFields()),
    },
    /** Takes the password or a code, as every change of the ways to sign in does. */
    remove: {
      method: 'POST',
      path: '/remove',
      on: 'item',
      permission: 'delete',
      body: z.object(reauthenticationFields()),
      danger: true,
    },
    /** Stores what the browser has made. */
    register: {
      method: 'POST',
      path: '',
      on: 'collection',
      permission: 'register',
      body: z.object({
        displayName: field.displayName(),
        response: z.looseObject({ id: z.string().max(2048) }),
      }),
    },
  },
});
