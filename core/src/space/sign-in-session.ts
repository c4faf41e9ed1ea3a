import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { reauthenticationFields } from './reauthentication-fields.ts';

/** An active sign-in session of the signed-in user. */
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
    /** True for the session of this request. */
    current: field.flag(),
    lastUsedAt: field.dateTime(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list'],
  columns: ['client', 'address', 'userAgent', 'current', 'lastUsedAt', 'createdAt'],
  filterable: ['signInSessionId', 'client', 'address', 'createdAt'],
  sortable: ['client', 'address', 'createdAt'],
  permission: 'self:sessions',
  isLog: true,
  calls: {
    /** Requires the password or a code if two-step verification is enabled; so does `end-all`. */
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
