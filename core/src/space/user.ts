// Users of a space and their permissions.
import { z } from 'zod';
import { roleNames } from '../access/role-map.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { userGroup } from './user-group.ts';

export const user = defineResource({
  app: 'space',
  name: 'user',
  noun: { en: ['user', 'users'], ja: 'ユーザー' },
  path: '/api/space/users',
  screen: '/preference/users',
  id: 'userId',
  title: 'displayName',
  shape: z.object({
    userId: field.uuid(),
    displayName: field.displayName(100),
    email: field.email(),
    /** The new address until it is confirmed by the mail sent to it; null if there is none. */
    pendingEmail: field.email().nullable(),
    /** The user's own roles, without those of groups. */
    roles: field.list(field.choice(roleNames)),
    privileged: field.flag(),
    /** The user cannot sign in, and their tokens are rejected. */
    disabled: field.flag(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({
    displayName: field.displayName(100),
    email: field.email(),
    roles: field.list(field.choice(roleNames), roleNames.length).default([]),
    disabled: field.flag().default(false),
  }),
  update: 'both',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'email', 'roles', 'privileged', 'disabled', 'createdAt', 'updatedAt'],
  detail: ['email', 'pendingEmail', 'roles', 'privileged', 'disabled', 'createdAt', 'updatedAt'],
  filterable: ['userId', 'displayName', 'email', 'privileged', 'disabled', 'createdAt'],
  sortable: ['displayName', 'email', 'privileged', 'disabled', 'createdAt', 'updatedAt'],
  defaultSort: 'displayName',
  unique: ['email'],
  permission: 'space:users',
  inFiles: true,
  /** Users may share a name, but not an address. */
  identifiedBy: 'email',
  calls: {
    'user-groups': {
      method: 'GET',
      path: '/user-groups',
      on: 'item',
      permission: 'get',
      reply: userGroup.shape,
      paged: true,
    },
  },
});

const origin = () => z.object({ userGroupId: z.uuid().nullable(), displayName: z.string().nullable() });

/** Origin of a role: the user if the group is null, otherwise the group. */
export type RoleOrigin = z.output<ReturnType<typeof origin>>;

const held = () => z.object({ role: z.string(), origins: z.array(origin()) });
export type HeldRole = z.output<ReturnType<typeof held>>;

/** Calls on a user that only the console makes. Only privileged users can promote and demote. */
export const userAccess = defineResource({
  app: 'space',
  name: 'user-access',
  plural: 'user-access',
  noun: { en: ['user access', 'user access'], ja: 'ユーザーの権限' },
  path: '/api/internal/space/users',
  id: 'userId',
  shape: z.object({ userId: field.uuid() }),
  verbs: [],
  columns: [],
  permission: 'space:users',
  calls: {
    promote: { method: 'POST', path: '/promote', on: 'item', permission: 'promote', danger: true },
    /** Rejected with 409 for the last privileged user. */
    demote: { method: 'POST', path: '/demote', on: 'item', permission: 'demote', danger: true },
    /** Ends all sign-in sessions of the user; API tokens remain valid. */
    'end-sessions': {
      method: 'POST',
      path: '/end-sessions',
      on: 'item',
      permission: 'update',
      danger: true,
    },
    'roles-from-user-groups': {
      method: 'GET',
      path: '/roles-from-user-groups',
      on: 'item',
      permission: 'get',
      reply: z.object({ roles: z.array(z.string()), items: z.array(held()) }),
    },
    /** All permissions: granted or not, by which roles, and the origins of those roles. */
    powers: {
      method: 'GET',
      path: '/powers',
      on: 'item',
      permission: 'get',
      reply: z.object({
        privileged: z.boolean(),
        disabled: z.boolean(),
        roles: z.array(held()),
        powers: z.array(
          z.object({
            app: z.string(),
            resource: z.string(),
            permission: z.string(),
            allowed: z.boolean(),
            /** Roles that grant it: the user's roles if allowed, otherwise all possible ones. */
            roles: z.array(z.string()),
          }),
        ),
      }),
    },
    /** What the user loses when deleted. */
    belongings: {
      method: 'GET',
      path: '/belongings',
      on: 'item',
      permission: 'get',
      reply: z.object({
        apiTokens: z.array(z.string()),
        userGroups: z.array(z.string()),
        sessions: z.number(),
        /** Number of destinations that list the user as a member. */
        destinations: z.number(),
      }),
    },
  },
});

/** Maximum number of users in the price plan, and the current number. */
export const maxUsers = defineResource({
  app: 'space',
  name: 'max-users',
  plural: 'max-users',
  noun: { en: ['user limit', 'user limit'], ja: 'ユーザー数の上限' },
  path: '/api/internal/space/max-users',
  id: 'maxUsers',
  singleton: true,
  shape: z.object({ maxUsers: field.count().nullable(), users: field.count() }),
  verbs: ['show'],
  columns: ['maxUsers', 'users'],
  permission: 'space:users',
});
