import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** Two-step verification of the signed-in user. */
export const mfa = defineResource({
  app: 'space',
  name: 'mfa',
  plural: 'mfa',
  noun: { en: ['two-step verification', 'two-step verification'], ja: '多要素認証' },
  path: '/api/internal/profile/mfa',
  id: 'userId',
  singleton: true,
  shape: z.object({
    userId: field.uuid(),
    enabled: field.flag(),
    enabledAt: field.dateTime().nullable(),
    recoveryCodesLeft: field.count(),
    passkeys: field.count(),
    rememberedBrowsers: field.count(),
    /** False for users who only sign in with an external provider. */
    hasPassword: field.flag(),
    /** Until when the re-authentication in this session is accepted as proof, once; null if it is not. */
    provedUntil: field.dateTime().nullable(),
    /** Whether the re-authentication included a second step, so that it also replaces a code. */
    provedBySecondStep: field.flag(),
    /** Only in the reply to enabling it. */
    recoveryCodes: field.list(field.withKind('secret', z.string())).optional(),
  }),
  /** Enabling requires a code of the prepared app; disabling requires the password and a code. */
  input: z.object({ enabled: field.flag(), ...reauthenticationFields() }),
  verbs: ['show', 'edit'],
  columns: ['enabled', 'enabledAt', 'recoveryCodesLeft', 'passkeys', 'rememberedBrowsers'],
  permission: 'self:mfa',
  calls: {
    /** Creates the secret for an authenticator app, which is not active yet. */
    prepare: {
      method: 'POST',
      path: '/prepare',
      on: 'collection',
      permission: 'prepare',
      audited: false,
      body: z.object(reauthenticationFields()),
      reply: z.object({ secret: z.string(), uri: z.string(), qrCode: z.string() }),
    },
    'regenerate-recovery-code': {
      method: 'POST',
      path: '/regenerate-recovery-code',
      on: 'collection',
      permission: 'regenerate-recovery-code',
      body: z.object(reauthenticationFields()),
      reply: z.object({ recoveryCodes: z.array(z.string()) }),
    },
    'invalidate-remember-browser': {
      method: 'POST',
      path: '/invalidate-remember-browser',
      on: 'collection',
      permission: 'invalidate-remember-browser',
    },
  },
});
