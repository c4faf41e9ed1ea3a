import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { describe, expect, it } from 'vitest';
import { appSections } from './app-sections.ts';
import { buildNav } from './nav.server.ts';
import { isSectionRoot, permittedTarget } from './permitted-target.server.ts';
import { redirectTarget } from './redirect-target.ts';

const userWithRoles = (privileged: boolean, ...roles: string[]) => ({
  profile: null,
  permissions: permissionsOf({ privileged, roles }, roleMap),
});

describe('permittedTarget', () => {
  it.each([
    [true, [], '/preference/space'],
    [false, [], '/preference/profile'],
    [false, ['pigeon:operator', 'greac:user'], '/preference/profile'],
    [false, ['alerthub:viewer'], '/preference/profile'],
  ] as [boolean, string[], string][])(
    'privileged %s with %j: /preference leads to %s',
    (privileged, roles, to) => {
      const user = userWithRoles(privileged, ...roles);
      expect(permittedTarget('/preference', redirectTarget('/preference'), user)).toBe(to);
    },
  );

  it.each(Object.keys(roleMap))('leads %s to a page of their menu from every section of it', (role) => {
    const user = userWithRoles(false, role);
    for (const { labelKey, entries } of buildNav(user)) {
      const root = Object.values(appSections).find((section) => section.labelKey === labelKey)!.to;
      expect(entries.map(({ to }) => to)).toContain(permittedTarget(root, redirectTarget(root), user));
    }
  });

  it('leaves the target where the menu has no such section', () => {
    const nobody = { profile: null, permissions: [] };
    expect(permittedTarget('/apps/sonar', '/apps/sonar/networks', nobody)).toBe('/apps/sonar/networks');
    expect(isSectionRoot('/apps/sonar')).toBe(true);
    expect(isSectionRoot('/apps/greac/log-retention')).toBe(false);
  });
});
