import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Two, so that one can take over from the other without a gap. */
export const maxTokensPerSlot = 2;

/** What an agent proves itself with; shown once, stored hashed. */
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
    /** The same, under the name that the product's first clients know. */
    id: field.uuid(),
    ksocketSlotId: field.reference('ksocket-slot'),
    displayName: field.displayName(),
    expiresAt: field.dateTime().nullable(),
    lastUsedAt: field.dateTime().nullable(),
    /** In the reply to create only. */
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
