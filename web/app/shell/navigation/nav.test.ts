import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { rule } from '@yagura/core/alerthub/rule';
import { resources } from '@yagura/core/all';
import { contact } from '@yagura/core/pigeon/contact';
import { describe, expect, it } from 'vitest';
import { type CurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { buildNav } from './nav.server.ts';

const userWithRoles = (privileged: boolean, ...roles: string[]): CurrentUser => ({
  profile: null,
  permissions: permissionsOf({ privileged, roles }, roleMap),
});
const visiblePaths = (user: CurrentUser) =>
  buildNav(user).flatMap((group) => group.entries.map((entry) => entry.to));

describe('buildNav', () => {
  it('shows every list in the menu and every tool to the privileged', () => {
    const lists = resources.filter(
      ({ app, screen, listPage }) => screen && listPage === 'menu' && app !== 'work',
    );
    const paths = visiblePaths(userWithRoles(true));
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(paths)).toEqual(
      new Set([
        ...lists.map(({ screen }) => screen),
        '/apps/sonar/search/managed-nodes',
        '/preference/tool/credential',
        '/apps/greac/session-logs',
        '/apps/greac/key-management',
        '/apps/alerthub/settings',
        '/apps/alerthub/tools',
        '/apps/pigeon/tools/command-generator',
        '/preference/cancel-space',
      ]),
    );
  });

  it('adds a resource that no group names behind those of its app', () => {
    const example = { ...contact, name: 'example', screen: '/apps/pigeon/examples' };
    const user = userWithRoles(true);
    const pigeon = buildNav(user, 'off', [...resources, example]).find(
      (one) => one.labelKey === 'shell.pigeon',
    )!;
    expect(pigeon.entries.slice(-2)).toMatchObject([
      { to: '/apps/pigeon/examples', icon: 'result', createPath: '/apps/pigeon/examples/new' },
      { to: '/apps/pigeon/tools/command-generator' },
    ]);
    const linked = { ...example, listPage: 'linked' as const };
    expect(buildNav(user, 'off', [...resources, linked])).toEqual(buildNav(user));
  });

  it('shows a viewer what can be viewed, and their own profile', () => {
    const shown = visiblePaths(userWithRoles(false, 'alerthub:viewer'));
    expect(shown).toContain('/apps/alerthub/rules');
    expect(shown).toContain('/preference/profile');
    expect(shown).not.toContain('/preference/space');
    expect(shown).not.toContain('/apps/alerthub/tools');
  });

  it.each([
    [['greac:auditor'], ['/apps/greac/session-logs']],
    [
      ['greac:user', 'greac:auditor'],
      ['/apps/greac/destinations', '/apps/greac/sessions', '/apps/greac/session-logs'],
    ],
    [['greac:user'], ['/apps/greac/destinations', '/apps/greac/sessions']],
    [
      ['greac:administrator'],
      [
        '/apps/greac/destinations',
        '/apps/greac/sessions',
        '/apps/greac/session-logs',
        '/apps/greac/key-management',
      ],
    ],
  ])('shows %j what there is of remote sessions', (roles, paths) => {
    const greac = buildNav(userWithRoles(false, ...roles)).find((one) => one.labelKey === 'shell.greac')!;
    expect(greac.entries.map(({ to }) => to)).toEqual(paths);
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
