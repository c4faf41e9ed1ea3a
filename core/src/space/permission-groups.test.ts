import { describe, expect, it } from 'vitest';
import { roleMap } from '../access/role-map.ts';
import { resources } from '../all.ts';
import { heldRoles, permissionGroupsOf } from './permission-groups.ts';

const powerOf = (privileged: boolean, roles: string[], permission: string) =>
  permissionGroupsOf(resources, roleMap, { privileged, roles }).find(
    (power) => power.permission === permission,
  );

describe('powersOf', () => {
  it.each([
    [[], 'alerthub:rules:list', false, ['alerthub:viewer', 'alerthub:administrator']],
    [['alerthub:viewer'], 'alerthub:rules:list', true, ['alerthub:viewer']],
    [['alerthub:viewer'], 'alerthub:rules:create', false, ['alerthub:administrator']],
    [['space:administrator'], 'space:users:delete', true, ['space:administrator']],
    [['space:administrator'], 'space:users:promote', false, []],
  ])('%j and %s', (roles, permission, allowed, why) => {
    expect(powerOf(false, roles, permission)).toMatchObject({ allowed, roles: why });
  });

  it('gives the privileged everything, by no role', () => {
    const powers = permissionGroupsOf(resources, roleMap, { privileged: true, roles: [] });
    expect(powers.length).toBeGreaterThan(30);
    expect(powers.every((power) => power.allowed && power.roles.length === 0)).toBe(true);
  });

  it('leaves out what is everybody’s', () => {
    const permissions = permissionGroupsOf(resources, roleMap, { privileged: false, roles: [] }).map(
      (one) => one.permission,
    );
    expect(permissions.filter((permission) => permission.startsWith('self:'))).toEqual([]);
  });
});

describe('heldRoles', () => {
  it('tells each role once, with every origin', () => {
    const group = (userGroupId: string, ...roles: string[]) => ({
      userGroupId,
      displayName: userGroupId,
      roles,
    });
    expect(heldRoles(['a'], [group('g1', 'a', 'b'), group('g2', 'b')])).toEqual([
      {
        role: 'a',
        origins: [
          { userGroupId: null, displayName: null },
          { userGroupId: 'g1', displayName: 'g1' },
        ],
      },
      {
        role: 'b',
        origins: [
          { userGroupId: 'g1', displayName: 'g1' },
          { userGroupId: 'g2', displayName: 'g2' },
        ],
      },
    ]);
  });
});
