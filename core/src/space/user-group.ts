// Groups of users: members have the group's roles in addition to their own.
import { z } from 'zod';
import { roleNames } from '../access/role-map.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** Maximum number of members, which a list call returns in one page. */
export const maxMembers = 1000;

/** A member of a group. */
export const memberShape = z.object({
  userId: field.uuid(),
  displayName: field.requiredText(100),
  email: field.email(),
});

const userIds = () => z.object({ userIds: field.list(z.uuid(), maxMembers) });

export const userGroup = defineResource({
  app: 'space',
  name: 'user-group',
  noun: { en: ['user group', 'user groups'], ja: 'ユーザーグループ' },
  path: '/api/space/user-groups',
  screen: '/preference/user-groups',
  id: 'userGroupId',
  title: 'displayName',
  shape: z.object({
    userGroupId: field.uuid(),
    displayName: field.displayName(),
    remarks: field.remarks(),
    roles: field.list(field.choice(roleNames)),
    /** User ids, in order of joining. */
    members: field.list(field.uuid()),
    numberOfMembers: field.count(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({
    displayName: field.displayName(),
    remarks: field.remarks(),
    roles: field.list(field.choice(roleNames), roleNames.length).default([]),
  }),
  update: 'both',
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'roles', 'numberOfMembers', 'createdAt', 'updatedAt'],
  filterable: ['userGroupId', 'displayName', 'numberOfMembers', 'createdAt'],
  sortable: ['displayName', 'numberOfMembers', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'space:user-groups',
  inFiles: true,
  calls: {
    users: { method: 'GET', path: '/users', on: 'item', permission: 'get', reply: memberShape, paged: true },
    /** Users who are already members are skipped. Returns the group. */
    'add-users': {
      method: 'POST',
      path: '/add-users',
      on: 'item',
      permission: 'update',
      body: userIds(),
      reply: z.record(z.string(), z.unknown()),
    },
    'delete-users': {
      method: 'POST',
      path: '/delete-users',
      on: 'item',
      permission: 'update',
      body: userIds(),
      reply: z.record(z.string(), z.unknown()),
    },
  },
});
