// Members of a group in files: one item per user and group, so that each is added or removed in one call.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { memberShape, userGroup } from '../space/user-group.ts';

/** Not a resource of the API: its calls are those of the group. */
export const userGroupMember = defineResource({
  app: 'space',
  name: 'user-group-member',
  noun: { en: ['group member', 'group members'], ja: 'グループのメンバー' },
  path: `${userGroup.itemPath}${userGroup.calls.users!.path}`,
  id: 'userId',
  parent: userGroup.name,
  shape: memberShape,
  input: z.object({ userId: field.reference('user') }),
  verbs: ['list', 'create', 'remove'],
  columns: ['email'],
  sortable: [],
  unique: ['userId'],
  permission: userGroup.permission,
  inFiles: true,
});
