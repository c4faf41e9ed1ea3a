import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isAgeRecipient } from './age-recipient.ts';

const ageRecipient = () =>
  field.withKind(
    'text',
    z
      .string()
      .trim()
      .max(128)
      .superRefine((text, context) => {
        if (isAgeRecipient(text)) return;
        context.addIssue({ code: 'custom', params: { word: 'greac.age-recipient' } });
      }),
  );

const shape = z.object({
  keyId: field.uuid(),
  /** Recipient in age format, to which logs are encrypted. */
  publicKey: field.text(128),
  /** The private key is still stored and can be downloaded. */
  hasPrivateKey: field.flag(),
  privateKeyDeletedAt: field.dateTime().nullable(),
  createdAt: field.dateTime(),
  updatedAt: field.dateTime(),
});

/**
 * An age key pair (X25519). New logs are encrypted to the latest one and can only be decrypted with its
 * private key.
 */
export const logKey = defineResource({
  app: 'greac',
  name: 'log-key',
  noun: { en: ['log key', 'log keys'], ja: 'ログ鍵' },
  path: '/api/apps/greac/log-keys',
  screen: '/apps/greac/key-management',
  listPage: 'linked',
  id: 'keyId',
  shape,
  verbs: ['list', 'show'],
  columns: ['createdAt', 'publicKey', 'hasPrivateKey', 'keyId', 'privateKeyDeletedAt'],
  detail: ['publicKey', 'hasPrivateKey', 'privateKeyDeletedAt', 'createdAt'],
  permission: 'greac:log-keys',
  calls: {
    latest: { method: 'GET', path: '/latest', on: 'collection', permission: 'list', reply: shape },
    refresh: {
      method: 'POST',
      path: '/refresh',
      on: 'collection',
      permission: 'refresh',
      body: z.object({
        /** Recipient of a key pair that was created elsewhere, so that its private key is never stored. */
        publicKey: ageRecipient().optional(),
      }),
      reply: shape,
    },
    'private-key': {
      method: 'GET',
      path: '/private-key',
      on: 'item',
      permission: 'private-key',
      audited: true,
      reply: z.object({ keyId: field.uuid(), privateKey: field.withKind('secret', z.string()) }),
    },
    'delete-private-key': {
      method: 'DELETE',
      path: '/private-key',
      on: 'item',
      permission: 'delete-private-key',
      danger: true,
    },
  },
});
