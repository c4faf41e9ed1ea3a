// Compares the routes of the console with the list of specified paths.
import { matchRoutes } from '@remix-run/react';
import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { describe, expect, it } from 'vitest';
import routes from './routes.ts';
import { buildNav } from './shell/navigation/nav.server.ts';
import { redirectTarget } from './shell/navigation/redirect-target.ts';

type RouteObject = Parameters<typeof matchRoutes>[0][number];

interface Entry {
  path?: string;
  index?: boolean;
  file: string;
  children?: Entry[];
}

const toRouteObjects = (entries: readonly Entry[]): RouteObject[] =>
  entries.map(({ path, index, file, children }) =>
    index ? { index, id: file } : { path, id: file, children: children && toRouteObjects(children) },
  );
const routeObjects = toRouteObjects(routes as Entry[]);

/** Returns the modules that render a path, outermost first. */
const filesOf = (path: string) => (matchRoutes(routeObjects, path) ?? []).map(({ route }) => route.id!);

const notFoundFile = 'shell/errors/not-found.tsx';
const cardLayoutFile = 'shell/layout/card-layout.tsx';
const defaultLayoutFile = 'shell/layout/default-layout.tsx';
const redirectFile = 'shell/navigation/redirect.ts';

describe('guest and utility routes', () => {
  it.each(['authorize', 'setup-kroker', 'setup-kroker/complete', 'error', '403', '404'])(
    '/%s is a card',
    (path) => {
      expect(filesOf(`/${path}`)[0]).toBe(cardLayoutFile);
    },
  );

  it.each(['/nowhere', '/apps/nowhere', '/preference/nowhere/at/all', '/apps/alerthub/scopes/s/nowhere'])(
    '%s shows the 404 page by the catch-all',
    (path) => {
      expect(filesOf(path)).toEqual([cardLayoutFile, notFoundFile]);
    },
  );

  const redirects: [string, string][] = [
    ['/sign-in', '/'],
    ['/sign-in/reset-password', '/'],
    ['/sign-in/reset-password-requested', '/'],
    ['/preference', '/preference/space'],
    ['/preference/profile/mfa', '/preference/profile'],
    ['/preference/space/information', '/preference/space'],
    ['/preference/ksocket/create', '/preference/ksocket/new'],
    ['/preference/ksocket/ksockets', '/preference/ksocket'],
    ['/preference/ksocket/ksockets/k', '/preference/ksocket/k'],
    ['/preference/kroker/setup', '/setup-kroker'],
    ['/preference/cancel', '/preference/cancel-space'],
    ['/ksocket/credential', '/preference/tool/credential'],
    ['/sonar/networks', '/apps/sonar/networks'],
    ['/apps/alerthub', '/apps/alerthub/receive-slots'],
    ['/apps/alerthub/scopes/s/overview', '/apps/alerthub/scopes/s'],
    ['/apps/alerthub/scopes/s/rules/r', '/apps/alerthub/rules/r'],
    ['/apps/alerthub/messages/m/overview', '/apps/alerthub/messages/m'],
    ['/apps/sonar/networks/n/managed-nodes/m/detail', '/apps/sonar/networks/n/managed-nodes/m'],
    ['/apps/sonar/networks/n/snapshots/s/nodes/o/detail', '/apps/sonar/networks/n/snapshots/s/nodes/o'],
    ['/apps/sonar/networks/n/scan/scan', '/apps/sonar/networks/n/scan'],
    ['/apps/alerthub/settings/notification-settings', '/apps/alerthub/settings'],
    ['/apps/alerthub/settings/email-action-senders', '/apps/alerthub/settings'],
  ];
  it.each(redirects)('%s leads to %s', (from, to) => {
    expect(filesOf(from).at(-1)).toBe(redirectFile);
    expect(redirectTarget(from)).toBe(to);
    const [first, last] = [filesOf(to)[0], filesOf(to).at(-1)];
    expect([defaultLayoutFile, cardLayoutFile]).toContain(first);
    expect([redirectFile, notFoundFile]).not.toContain(last);
  });

  it.each([
    '/apps/alerthub/action-records',
    '/apps/alerthub/events',
    '/apps/alerthub/runbooks/r/runbook-records/q/steps',
  ])('%s is a disabled parent and leads to 404', (path) => {
    expect(filesOf(path).at(-1)).toBe(redirectFile);
    expect(redirectTarget(path)).toBe('/404');
  });
});

/** Paths that are pages in the default layout. */
const screens = `
/
/preference/space
/preference/ip-restriction
/preference/profile
/preference/users
/preference/users/u
/preference/user-groups
/preference/user-groups/g
/preference/api-token
/preference/ksocket
/preference/ksocket/k
/preference/kroker/kroker-notification-settings
/preference/kroker/k/logs
/preference/kroker/list
/preference/kroker/list/k
/apps/devtool/tasks
/apps/devtool/tasks/t
/apps/alerthub/scopes
/apps/alerthub/scopes/s
/apps/alerthub/scopes/s/rules
/apps/alerthub/scopes/s/triggers
/apps/alerthub/scopes/s/triggers/t
/apps/alerthub/scopes/s/settings
/apps/alerthub/action-records/a
/apps/alerthub/events/e
/apps/alerthub/receive-slots
/apps/alerthub/receive-slots/r
/apps/alerthub/rules
/apps/alerthub/rules/r
/apps/alerthub/actions
/apps/alerthub/actions/a
/apps/alerthub/runbooks
/apps/alerthub/runbooks/r
/apps/alerthub/runbooks/r/flow
/apps/alerthub/runbooks/r/runbook-records
/apps/alerthub/runbooks/r/runbook-records/q
/apps/alerthub/runbooks/r/runbook-records/q/steps/s
/apps/alerthub/messages
/apps/alerthub/messages/m
/apps/alerthub/messages/m/rule-records
/apps/alerthub/messages/m/events
/apps/alerthub/messages/m/runbook-records
/apps/alerthub/settings
/apps/alerthub/settings/notification-settings/n
/apps/alerthub/settings/email-action-senders/e
/apps/greac/destinations
/apps/greac/destinations/d
/apps/greac/sessions
/apps/greac/key-management
/apps/greac/key-management/k
/apps/pigeon/contacts/c
/apps/pigeon/callflows/c
/apps/pigeon/guidances/g
/apps/pigeon/results/r
/apps/pigeon/settings/notification-settings/n
/apps/pigeon/tools/command-generator
/apps/sonar/networks
/apps/sonar/networks/n/managed-nodes
/apps/sonar/networks/n/managed-nodes/m
/apps/sonar/networks/n/managed-nodes/m/snapshots
/apps/sonar/networks/n/managed-nodes/m/packages
/apps/sonar/networks/n/managed-nodes/m/windows-updates
/apps/sonar/networks/n/managed-nodes/m/tags
/apps/sonar/networks/n/snapshots
/apps/sonar/networks/n/snapshots/s
/apps/sonar/networks/n/snapshots/s/nodes/o
/apps/sonar/networks/n/snapshots/s/nodes/o/packages
/apps/sonar/networks/n/snapshots/s/nodes/o/windows-updates
/apps/sonar/networks/n/scan
/apps/sonar/networks/n/managed-nodes/m/notes
/apps/sonar/networks/n/diagram
/apps/sonar/networks/n/l2-diagram
/apps/sonar/networks/n/scan/schedules/t
/apps/sonar/search/managed-nodes
/preference/tool/credential
/preference/cancel-space
/apps/sonar/networks/n/scan/notifications/n`;

describe('screens', () => {
  it.each(screens.trim().split('\n'))('%s has a screen of its own', (path) => {
    const files = filesOf(path);
    expect(files[0]).toBe(defaultLayoutFile);
    expect(files.at(-1)).not.toBe(redirectFile);
  });

  it.each(
    bulkKindNames.flatMap((kind) =>
      ['histories/imports', 'histories/exports', 'imports/i', 'exports/e'].map(
        (rest) => `/apps/alerthub/tools/${kind}/${rest}`,
      ),
    ),
  )('%s is a page of the tools', (path) => {
    expect(filesOf(path)[0]).toBe(defaultLayoutFile);
  });

  it('keeps the connection full screen and out of the menu', () => {
    expect(filesOf('/apps/greac/connect/s')).toEqual(['greac/screens/connect.tsx']);
    const permissions = permissionsOf({ privileged: true, roles: [] }, roleMap);
    const menuPaths = buildNav({ profile: null, permissions }).flatMap(({ entries }) =>
      entries.map(({ to }) => to),
    );
    expect(menuPaths).toContain('/apps/greac/sessions');
    expect(menuPaths.filter((index) => index.startsWith('/apps/greac/connect'))).toEqual([]);
  });
});
