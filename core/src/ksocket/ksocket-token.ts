import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Two, so that tokens can be rotated without downtime. */
export const maxTokensPerSlot = 2;

/** Token with which an agent authenticates; shown once, stored as a hash. */
export const ksocketToken = defineResource({
  app: 'ksocket',
  name: 'ksocket-token',
  noun: { en: ['Ksocket token', 'Ksocket tokens'], ja: 'Ksocketトークン' },
  path: '/api/ksocket/slots/{ksocketSlotId}/tokens',
  screen: '/preference/ksocket/:ksocketSlotId/tokens',
  id: 'ksocketTokenId',
  title: 'displayName',
  parent: 'ksocket-slot',
  shape: z.object({
    ksocketTokenId: field.uuid(),
    /** Alias of the token's id for older clients. */
    id: field.uuid(),
    ksocketSlotId: field.reference('ksocket-slot'),
    displayName: field.displayName(),
    expiresAt: field.dateTime().nullable(),
    lastUsedAt: field.dateTime().nullable(),
    /** Only in the reply to create. */
    token: field.withKind('secret', z.string()).optional(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({
    displayName: field.displayName(),
    expiresAt: field.dateTime().nullable().default(null),
  }),
  verbs: ['list', 'create', 'remove'],
  columns: ['displayName', 'expiresAt', 'lastUsedAt', 'createdAt'],
  filterable: ['ksocketTokenId', 'displayName', 'expiresAt', 'lastUsedAt', 'createdAt'],
  sortable: ['displayName', 'expiresAt', 'lastUsedAt', 'createdAt'],
  unique: ['displayName'],
  permission: 'ksocket:tokens',
});
