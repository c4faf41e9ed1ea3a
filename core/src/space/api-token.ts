import { z } from 'zod';
import { roleNames } from '../access/role-map.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const apiTokenInput = z.object({
  displayName: field.displayName(),
  /** Null for all permissions of the owner; a token without any role could do nothing. */
  roles: field
    .withNullChoice('same-as-owner', field.list(field.choice(roleNames), 20).min(1).nullable())
    .default(null),
  expiresAt: field.withNullChoice('no-expiry', field.dateTime().nullable()).default(null),
});

export const apiToken = defineResource({
  app: 'space',
  name: 'api-token',
  noun: { en: ['API token', 'API tokens'], ja: 'APIトークン' },
  path: '/api/space/api-tokens',
  screen: '/preference/api-token',
  id: 'apiTokenId',
  title: 'displayName',
  shape: z.object({
    apiTokenId: field.uuid(),
    displayName: field.displayName(),
    /** Name of the user whose permissions it has; it is deleted with that user. */
    owner: field.text(100),
    /** Null grants all permissions of the owner. */
    roles: field.withNullChoice('same-as-owner', field.list(field.choice(roleNames)).nullable()),
    expiresAt: field.withNullChoice('no-expiry', field.dateTime().nullable()),
    lastUsedAt: field.dateTime().nullable(),
    /** Network address from which it was last used. */
    lastUsedFrom: field.text(64).nullable(),
    /** Only in the reply to create; stored as a hash. */
    token: field.withKind('secret', z.string()).optional(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: apiTokenInput,
  verbs: ['list', 'create', 'remove'],
  columns: ['displayName', 'owner', 'roles', 'expiresAt', 'lastUsedAt', 'lastUsedFrom', 'createdAt'],
  filterable: ['apiTokenId', 'displayName', 'expiresAt', 'createdAt'],
  sortable: ['displayName', 'expiresAt', 'createdAt'],
  unique: ['displayName'],
  permission: 'space:api-tokens',
});
