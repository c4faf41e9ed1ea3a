import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasFeature } from './features.ts';
import { canManageLogKeys, canUseBulkTools } from './menu-permissions.ts';
import { can, permissionsOf, rolesGranting } from './permissions.ts';
import { roleMap, roleNames } from './role-map.ts';

// Example permissions that each role grants and denies.
const table: Record<(typeof roleNames)[number], { may: string; not: string }> = {
  'space:administrator': {
    may: 'space:space:get space:space:update space:users:list space:users:get space:users:update space:users:delete space:invitations:list space:invitations:create space:invitations:resend space:invitations:delete space:user-groups:create space:user-groups:update',
    not: 'space:users:create space:users:promote space:users:demote space:mail-log:list space:audit-records:list space:api-tokens:create greac:sessions:list sonar:networks:list alerthub:scopes:list',
  },
  'greac:user': {
    may: 'greac:destinations:list greac:sessions:get greac:sessions:create greac:sessions:join greac:sessions:update greac:sessions:close kroker:krokers:get',
    not: 'greac:destinations:create greac:sessions:text-log greac:log-keys:private-key kroker:krokers:update',
  },
  'greac:auditor': {
    may: 'greac:sessions:text-log greac:sessions:video-log greac:log-keys:private-key',
    not: 'greac:sessions:create greac:destinations:update greac:log-keys:refresh',
  },
  'greac:administrator': {
    may: 'greac:destinations:create greac:log-keys:refresh kroker:krokers:delete',
    not: 'ksocket:slots:list space:users:list',
  },
  'sonar:viewer': {
    may: 'sonar:networks:list sonar:managed-nodes:get sonar:managed-nodes:search sonar:snapshots:list sonar:diagrams:get sonar:tasks:get work:tasks:list',
    not: 'sonar:tasks:create sonar:tasks:abort sonar:diagrams:update work:tasks:create sonar:networks:create sonar:snapshots:delete ksocket:slots:list',
  },
  'sonar:administrator': {
    may: 'sonar:networks:create sonar:snapshots:delete ksocket:slots:create',
    not: 'kroker:krokers:list',
  },
  'pigeon:operator': {
    may: 'pigeon:contacts:list pigeon:callflows:get pigeon:guidances:list pigeon:results:get pigeon:chain:invoke pigeon:chain:abort',
    not: 'pigeon:contacts:create pigeon:callflows:update pigeon:guidances:delete',
  },
  'pigeon:administrator': { may: 'pigeon:contacts:create pigeon:chain:invoke', not: 'alerthub:actions:list' },
  'alerthub:viewer': {
    may: 'alerthub:scopes:list alerthub:messages:get alerthub:rules:get alerthub:notification-settings:list alerthub:runbook-records:get alerthub:replays:get',
    not: 'alerthub:replays:start alerthub:replays:abort alerthub:scopes:create alerthub:rules:update alerthub:bulk-operations:exec',
  },
  'alerthub:administrator': {
    may: 'alerthub:scopes:create alerthub:bulk-operations:exec',
    not: 'pigeon:contacts:list',
  },
};

const segment = fc.constantFrom('a', 'b', 'list', '*');
const permission = fc.tuple(segment, segment, segment).map((parts) => parts.join(':'));
const wanted = permission.filter((text) => !text.includes('*'));

describe('roles', () => {
  it('has exactly the roles of the table', () => expect(Object.keys(table)).toEqual([...roleNames]));
  it.each(Object.entries(table))('%s', (role, { may, not }) => {
    const permissions = permissionsOf({ privileged: false, roles: [role] }, roleMap);
    expect(may.split(' ').filter((text) => !can(permissions, text))).toEqual([]);
    expect(not.split(' ').filter((text) => can(permissions, text))).toEqual([]);
  });
  it('adds the roles of groups, and privileged may everything', () => {
    const permissions = permissionsOf({ privileged: false, roles: ['sonar:viewer'] }, roleMap, [
      'pigeon:operator',
    ]);
    expect(can(permissions, 'pigeon:chain:invoke') && can(permissions, 'sonar:networks:list')).toBe(true);
    expect(can(permissionsOf({ privileged: true, roles: [] }, roleMap), 'x:y:z')).toBe(true);
  });
});

describe('can', () => {
  it('holds what a pattern says, segment by segment, and grows with every permission', () => {
    fc.assert(
      fc.property(fc.array(permission), wanted, permission, (grant, want, more) => {
        const regex = (held: string) => new RegExp(`^${held.replaceAll('*', '[^:]+')}$`);
        expect(can(grant, want)).toBe(grant.some((held) => regex(held).test(want)));
        if (can(grant, want)) expect(can([...grant, more], want)).toBe(true);
        expect(can(grant)).toBe(false);
      }),
    );
  });
  it('does not match longer or shorter permissions', () => {
    expect(can(['a:*'], 'a:b:c')).toBe(false);
    expect(can(['a:*:*'], 'a:b')).toBe(false);
  });
  it('says which roles would help', () =>
    expect(rolesGranting('pigeon:chain:invoke', roleMap)).toEqual([
      'pigeon:operator',
      'pigeon:administrator',
    ]));
});

describe('menus and tickets', () => {
  it.each([
    ['alerthub:bulk-operations:list', true, false],
    ['alerthub:bulk-operations:export-file', true, false],
    ['greac:log-keys:administrator', false, true],
    ['greac:log-keys:list', false, true],
    ['greac:log-keys:get', false, false],
    ['alerthub:scopes:list', false, false],
  ])('%s', (held, tools, keys) => {
    expect([canUseBulkTools([held]), canManageLogKeys([held])]).toEqual([tools, keys]);
  });
  it('opens features by tickets', () => {
    expect(hasFeature('webhook-on-premises', ['alerthubOnPremises'])).toBe(true);
    expect(hasFeature('ip-restriction', ['ipRestriction202507'])).toBe(true);
    expect(hasFeature('pigeon-transfer', ['x', 'pigeonPlan'])).toBe(true);
    expect(hasFeature('pigeon-transfer', ['alerthubOnPremises'])).toBe(false);
  });
});
