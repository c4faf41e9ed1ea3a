// The end of a space: asked for by name, waited for, taken back, and what the space holds until then (spec section 2, cancel-space).
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** No role gives it: only privileged users end a space. */
export const cancellation = defineResource({
  app: 'space',
  name: 'space-cancellation',
  plural: 'space-cancellation',
  noun: { en: ['cancellation', 'cancellation'], ja: '解約' },
  path: '/api/internal/space/cancellation',
  screen: '/preference/cancel-space',
  id: 'state',
  singleton: true,
  shape: z.object({
    state: field.choice(['none', 'waiting'], { none: 'success', waiting: 'warning' }),
    requestedAt: field.dateTime().nullable(),
    /** Name of the user, as it was then. */
    requestedBy: field.text(200).nullable(),
    /** When everything is erased. */
    endsAt: field.dateTime().nullable(),
    /** Days between the request and the end. */
    waitingDays: field.count(),
  }),
  verbs: ['show'],
  columns: ['state', 'requestedAt', 'requestedBy', 'endsAt', 'waitingDays'],
  permission: 'space:cancellation',
  calls: {
    /** `displayName` has to be the name of the space; 409 when it is cancelled already. */
    request: {
      method: 'POST',
      path: '/request',
      on: 'item',
      permission: 'request',
      danger: true,
      body: z.object({ displayName: field.requiredText(100), ...reauthenticationFields() }),
      reply: z.record(z.string(), z.unknown()),
    },
    /** Everything stays; 409 when nothing is to be taken back. */
    withdraw: {
      method: 'POST',
      path: '/withdraw',
      on: 'item',
      permission: 'withdraw',
      reply: z.record(z.string(), z.unknown()),
    },
  },
});

/** What a space holds, by the resource's name; things that stand within others are counted too. */
export const spaceUsage = defineResource({
  app: 'space',
  name: 'space-usage',
  plural: 'space-usage',
  noun: { en: ['usage', 'usage'], ja: '利用状況' },
  path: '/api/internal/space/usage',
  id: 'countedAt',
  singleton: true,
  shape: z.object({
    countedAt: field.dateTime(),
    maxUsers: field.count().nullable(),
    counts: field.list(field.object({ resource: field.text(100), count: field.count() })),
  }),
  verbs: ['show'],
  columns: ['countedAt', 'maxUsers', 'counts'],
  permission: 'space:space',
});
