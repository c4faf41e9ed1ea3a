import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { rule } from '@yagura/core/alerthub/rule';
import { describe, expect, it } from 'vitest';
import { type CurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { buildNav } from './nav.server.ts';

const userWithRoles = (privileged: boolean, ...roles: string[]): CurrentUser => ({
  profile: null,
  permissions: permissionsOf({ privileged, roles }, roleMap),
});
const visiblePaths = (user: CurrentUser) =>
  buildNav(user).flatMap((group) => group.entries.map((entry) => entry.to));

describe('navFor', () => {
  it('shows everything to the privileged', () => {
    expect(new Set(visiblePaths(userWithRoles(true)))).toEqual(
      new Set([
        '/apps/alerthub/messages',
        '/apps/alerthub/scopes',
        '/apps/alerthub/rules',
        '/apps/alerthub/actions',
        '/apps/alerthub/runbooks',
        '/apps/alerthub/receive-slots',
        '/apps/sonar/networks',
        '/apps/sonar/search/managed-nodes',
        '/preference/tool/credential',
        '/apps/greac/destinations',
        '/apps/greac/sessions',
        '/apps/greac/key-management',
        '/apps/alerthub/settings',
        '/apps/alerthub/tools',
        '/apps/pigeon/contacts',
        '/apps/pigeon/callflows',
        '/apps/pigeon/guidances',
        '/apps/pigeon/results',
        '/apps/pigeon/settings/notification-settings',
        '/apps/pigeon/tools/command-generator',
        '/preference/space',
        '/preference/profile',
        '/preference/ip-restriction',
        '/preference/users',
        '/preference/user-groups',
        '/preference/api-token',
        '/preference/audit-records',
        '/preference/cancel-space',
        '/preference/invitations',
        '/preference/mail-log',
        '/preference/ksocket',
        '/preference/kroker/list',
        '/preference/kroker/kroker-notification-settings',
      ]),
    );
  });

  it('shows a viewer what can be viewed, and their own profile', () => {
    const shown = visiblePaths(userWithRoles(false, 'alerthub:viewer'));
    expect(shown).toContain('/apps/alerthub/rules');
    expect(shown).toContain('/preference/profile');
    expect(shown).not.toContain('/preference/space');
    expect(shown).not.toContain('/apps/alerthub/tools');
  });

  it('shows somebody without roles their profile only', () => {
    expect(buildNav(userWithRoles(false)).map((group) => group.labelKey)).toEqual(['shell.preference']);
    expect(visiblePaths(userWithRoles(false))).toEqual(['/preference/profile']);
  });
});

describe('mayOf', () => {
  it.each([
    ['alerthub:viewer', { list: true, show: true, create: false, edit: false, remove: false }],
    ['alerthub:administrator', { list: true, show: true, create: true, edit: true, remove: true }],
    ['sonar:administrator', { list: false, show: false, create: false, edit: false, remove: false }],
  ])('%s may do with rules what their permissions say', (role, may) => {
    expect(resourcePermissions(userWithRoles(false, role), rule)).toEqual(may);
  });
});
