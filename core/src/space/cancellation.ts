// Cancellation of a space: requested by typing its name, pending for a waiting period, revocable until its
// end.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** Not granted by any role: only privileged users can cancel a space. */
export const cancellation = defineResource({
  app: 'space',
  name: 'space-cancellation',
  plural: 'space-cancellation',
  noun: { en: ['cancellation', 'cancellation'], ja: '解約' },
  path: '/api/internal/space/cancellation',
  screen: '/preference/cancel-space',
  listPage: 'linked',
  id: 'state',
  singleton: true,
  shape: z.object({
    state: field.choice(['none', 'waiting'], { none: 'success', waiting: 'warning' }),
    requestedAt: field.dateTime().nullable(),
    /** Name of the user at that time. */
    requestedBy: field.text(200).nullable(),
    /** When all data is erased. */
    endsAt: field.dateTime().nullable(),
    /** Days from the request to the erasure. */
    waitingDays: field.count(),
  }),
  verbs: ['show'],
  columns: ['state', 'requestedAt', 'requestedBy', 'endsAt', 'waitingDays'],
  permission: 'space:cancellation',
  calls: {
    /** `displayName` must be the name of the space; 409 if it is already cancelled. */
    request: {
      method: 'POST',
      path: '/request',
      on: 'item',
      permission: 'request',
      danger: true,
      body: z.object({ displayName: field.requiredText(100), ...reauthenticationFields() }),
      reply: z.record(z.string(), z.unknown()),
    },
    /** Withdraws the cancellation and keeps everything; 409 if there is none. */
    withdraw: {
      method: 'POST',
      path: '/withdraw',
      on: 'item',
      permission: 'withdraw',
      reply: z.record(z.string(), z.unknown()),
    },
  },
});

/** Number of items in a space by resource name, including nested items. */
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
