import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** A passkey (WebAuthn) of the signed-in user. */
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
    /** The device's vendor syncs it to the user's other devices. */
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
    /**
     * Options for creating a passkey in the browser; requires the password or a code. With the name, it is checked
     * before the device creates a passkey that could not be stored.
     */
    prepare: {
      method: 'POST',
      path: '/prepare',
      on: 'collection',
      permission: 'prepare',
      audited: false,
      body: z.object({ displayName: field.displayName().optional(), ...reauthenticationFields() }),
    },
    /** Requires the password or a code, like every change of sign-in methods. */
    remove: {
      method: 'POST',
      path: '/remove',
      on: 'item',
      permission: 'delete',
      body: z.object(reauthenticationFields()),
      danger: true,
    },
    /** Stores the passkey created by the browser. */
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
