import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** A sign-in of the signed-in person that still stands. */
export const signInSession = defineResource({
  app: 'space',
  name: 'sign-in-session',
  noun: { en: ['sign-in', 'sign-ins'], ja: 'サインイン' },
  path: '/api/internal/profile/sessions',
  id: 'signInSessionId',
  shape: z.object({
    signInSessionId: field.uuid(),
    client: field.choice(['web', 'cli']),
    address: field.text(),
    userAgent: field.text(300),
    /** Of the sign-in with which this was asked. */
    current: field.flag(),
    lastUsedAt: field.dateTime(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list'],
  columns: ['client', 'address', 'userAgent', 'current', 'lastUsedAt', 'createdAt'],
  filterable: ['signInSessionId', 'client', 'address', 'createdAt'],
  sortable: ['client', 'address', 'createdAt'],
  permission: 'self:sessions',
  calls: {
    /** Takes the password or a code where two-step verification is on; so does `end-all`. */
    end: {
      method: 'POST',
      path: '/end',
      on: 'item',
      permission: 'delete',
      danger: true,
      body: z.object(reauthenticationFields()),
    },
    'end-all': {
      method: 'POST',
      path: '/end-all',
      on: 'collection',
      permission: 'end-all',
      danger: true,
      body: z.object(reauthenticationFields()),
    },
  },
});
