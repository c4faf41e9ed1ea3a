// Compares the routes of the console with the list of specified paths.
import { matchRoutes } from '@remix-run/react';
import { permissionsOf } from '@yagura/core/access/permissions';
import { roleMap } from '@yagura/core/access/role-map';
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { resources } from '@yagura/core/all';
import { describe, expect, it } from 'vitest';
import { pagePaths } from './resource/resource-routes.ts';
import routes, { pagesElsewhere } from './routes.ts';
import { currentEntry } from './shell/navigation/current-entry.ts';
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

/** Whether a path leads to another page. */
const isRedirect = (path: string) => filesOf(`/${path}`).at(-1) === redirectFile;

/** Paths that are pages in the default layout and no pages of a resource. */
const customScreens = `
/
/apps/alerthub/scopes/s/rules
/apps/alerthub/scopes/s/settings
/apps/alerthub/runbooks/r/flow
/apps/alerthub/runbooks/r/runbook-records
/apps/alerthub/runbooks/r/runbook-records/q
/apps/alerthub/runbooks/r/runbook-records/q/steps/s
/apps/alerthub/messages/m/rule-records
/apps/alerthub/messages/m/events
/apps/alerthub/messages/m/runbook-records
/apps/alerthub/settings
/apps/greac/session-logs
/apps/pigeon/tools/command-generator
/apps/sonar/networks/n/diagram
/apps/sonar/networks/n/l2-diagram
/apps/sonar/networks/n/scan/schedules/t
/apps/sonar/search/managed-nodes
/preference/tool/credential`;

/** Pages of the resources, each with a value for its parameters; a list that is nowhere or part of another page redirects. */
const resourceScreens = resources.flatMap((resource) =>
  pagePaths(resource)
    .map(([, path]) => path)
    .filter((path) => !pagesElsewhere.has(path) && !(resource.listPage !== 'menu' && isRedirect(path)))
    .map((path) => `/${path.replace(/:\w+/g, 'x')}`),
);

describe('screens', () => {
  it.each([...customScreens.trim().split('\n'), ...new Set(resourceScreens)])(
    '%s has a screen of its own',
    (path) => {
      const files = filesOf(path);
      expect(files[0]).toBe(defaultLayoutFile);
      expect(files.at(-1)).not.toBe(redirectFile);
    },
  );

  it.each(
    bulkKindNames.flatMap((kind) =>
      ['histories/imports', 'histories/exports', 'imports/i', 'exports/e'].map(
        (rest) => `/apps/alerthub/tools/${kind}/${rest}`,
      ),
    ),
  )('%s is a page of the tools', (path) => {
    expect(filesOf(path)[0]).toBe(defaultLayoutFile);
  });

  it('belong to an entry of the menu, except those of no list', () => {
    const permissions = permissionsOf({ privileged: true, roles: [] }, roleMap);
    const entries = buildNav({ profile: null, permissions }, 'browser').flatMap((group) => group.entries);
    const screens = [...customScreens.trim().split('\n').slice(1), ...resourceScreens];
    expect(screens.filter((path) => !currentEntry(entries, path)).sort()).toEqual([
      '/apps/alerthub/action-records/x',
      '/apps/alerthub/events/x',
    ]);
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
