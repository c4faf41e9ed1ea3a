import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** Two-step verification of the signed-in person. */
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
    /** Whoever came by another provider only has none. */
    hasPassword: field.flag(),
    /** Until when the sign-in that this session made anew counts as a proof, once; null when it does not. */
    provedUntil: field.dateTime().nullable(),
    /** Whether that sign-in went by a second step, so that it counts where a code is asked for too. */
    provedBySecondStep: field.flag(),
    /** In the reply that turns it on only. */
    recoveryCodes: field.list(field.withKind('secret', z.string())).optional(),
  }),
  /** Turning on takes a code of the app that was prepared before; turning off the password and a code. */
  input: z.object({ enabled: field.flag(), ...reauthenticationFields() }),
  verbs: ['show', 'edit'],
  columns: ['enabled', 'enabledAt', 'recoveryCodesLeft', 'passkeys', 'rememberedBrowsers'],
  permission: 'self:mfa',
  calls: {
    /** The secret for an authenticator app, not yet in force. */
    prepare: {
      method: 'POST',
      path: '/prepare',
      on: 'collection',
      permission: 'prepare',
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
