import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { maxSealedLength, parseSealedHeader } from './encrypted-credential.ts';

export const credentialTypes = ['password', 'private-key'] as const;

const encryptedData = () =>
  field.withKind(
    'secret',
    z
      .string()
      .max(maxSealedLength)
      .superRefine((text, context) => {
        if (parseSealedHeader(text)) return;
        context.addIssue({ code: 'custom', params: { word: 'kroker.not-sealed' } });
      }),
  );

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  credentialType: field.choice(credentialTypes).default('password'),
  /** Encrypted to the Kroker on the client; an edit without it keeps the stored one. */
  encryptedData: encryptedData().optional(),
};

/** A user name with a password or a key that only its Kroker can decrypt. */
export const credential = defineResource({
  app: 'kroker',
  name: 'credential',
  noun: { en: ['credential', 'credentials'], ja: '認証情報' },
  path: '/api/apps/kroker/krokers/{krokerId}/credentials',
  screen: '/preference/kroker/list/:krokerId/credentials',
  id: 'credentialId',
  title: 'displayName',
  parent: 'kroker',
  shape: z.object({
    credentialId: field.uuid(),
    krokerId: field.reference('kroker'),
    ...body,
    /** Encrypted data for the Kroker's current key exists; otherwise the secret has to be entered again. */
    sealed: field.flag(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'credentialType', 'sealed', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'kroker:credentials',
});

/** Credentials as written by the console: create or replace them with data encrypted in the browser. */
export const sealedCredential = defineResource({
  app: 'kroker',
  name: 'sealed-credential',
  noun: { en: ['sealed credential', 'sealed credentials'], ja: '暗号化済み認証情報' },
  path: '/api/internal/apps/kroker/krokers/{krokerId}/credentials',
  id: 'credentialId',
  title: 'displayName',
  parent: 'kroker',
  shape: credential.shape,
  input: z.object(body),
  verbs: ['list', 'create'],
  columns: ['displayName', 'credentialType', 'sealed', 'createdAt', 'updatedAt'],
  permission: 'kroker:credentials',
  calls: {
    seal: {
      method: 'PUT',
      path: '',
      on: 'item',
      permission: 'update',
      body: z.object({ encryptedData: encryptedData() }),
      reply: credential.shape,
    },
  },
});

const names = z.object({
  items: z.array(z.object({ credentialId: field.uuid(), displayName: field.text() })),
});

/** Names of credentials, for users who can see destinations but not the credentials themselves. */
export const credentialName = defineResource({
  app: 'kroker',
  name: 'credential-name',
  noun: { en: ['credential name', 'credential names'], ja: '認証情報名' },
  path: '/api/internal/apps/kroker/credential-names',
  id: 'credentialId',
  title: 'displayName',
  shape: z.object({ credentialId: field.uuid(), displayName: field.text() }),
  verbs: [],
  columns: ['displayName'],
  permission: 'kroker:krokers',
  calls: {
    names: {
      method: 'POST',
      path: '',
      on: 'collection',
      permission: 'get',
      audited: false,
      body: z.object({ credentialIds: field.list(field.uuid(), 1000) }),
      reply: names,
    },
  },
});
