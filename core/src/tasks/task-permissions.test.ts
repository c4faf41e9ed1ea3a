import { expect, test } from 'vitest';
import { can, permissionsOf } from '../access/permissions.ts';
import { roleMap, roleNames } from '../access/role-map.ts';
import { namespacePermission } from './task-permissions.ts';

const everyRole = permissionsOf({ privileged: false, roles: [...roleNames] }, roleMap);

test.each(['sonar'])('roles grant tasks and schedules in %s, which has a module', (namespace) => {
  expect(can(everyRole, namespacePermission(namespace, 'tasks', 'create'))).toBe(true);
  expect(can(everyRole, namespacePermission(namespace, 'task-schedules', 'delete'))).toBe(true);
});

test.each(['self', 'work', 'greac', 'unknown', '*', 'self:x', ''])(
  'no role grants tasks in %j, which has none; privileged users have them',
  (namespace) => {
    const permission = namespacePermission(namespace, 'tasks', 'create');
    expect(can(everyRole, permission)).toBe(false);
    expect(can('everything', permission)).toBe(true);
  },
);
