// Redirect targets of URLs without a page: app roots, moved pages, and parents without a page of their own.

/** Exact paths; each also needs a redirect route in the route map. */
const exactRedirects: Record<string, string> = {
  '/sign-in': '/',
  '/sign-in/reset-password': '/',
  '/sign-in/reset-password-requested': '/',
  '/preference': '/preference/space',
  '/preference/kroker': '/preference/kroker/list',
  '/apps/sonar': '/apps/sonar/networks',
  '/apps/greac': '/apps/greac/destinations',
  '/apps/greac/log-retention': '/apps/greac/key-management',
  '/apps/pigeon': '/apps/pigeon/contacts',
  '/apps/pigeon/settings': '/apps/pigeon/settings/notification-settings',
  '/apps/pigeon/tools': '/apps/pigeon/tools/command-generator',
  '/apps/alerthub/settings/notification-settings': '/apps/alerthub/settings',
  '/apps/alerthub/settings/email-action-senders': '/apps/alerthub/settings',
  '/apps/alerthub/settings/retention': '/apps/alerthub/settings',
  '/apps/devtool': '/apps/devtool/tasks',
  '/apps/alerthub': '/apps/alerthub/receive-slots',
};

/** Pages moved from `/space` to `/preference`, including everything below them. */
const movedOutOfSpace = ['users', 'user-groups', 'api-token', 'ip-restriction', 'invitations'];

/** Old preference paths, at the root or below `/preference`; the first match wins. */
const legacyRedirects: [from: RegExp, to: string][] = [
  [/^\/cancel$/, '/preference/cancel-space'],
  [new RegExp(`^/space/((?:${movedOutOfSpace.join('|')})(?:/.*)?)$`), '/preference/$1'],
  [/^\/space(?:\/.*)?$/, '/preference/space'],
  [/^\/profile(?:\/.*)?$/, '/preference/profile'],
  [/^\/ksocket\/credential$/, '/preference/tool/credential'],
  [/^\/ksocket\/create$/, '/preference/ksocket/new'],
  [/^\/ksocket\/ksockets(?=\/|$)/, '/preference/ksocket'],
  [/^\/sonar(?=\/|$)/, '/apps/sonar'],
  [/^\/kroker\/setup$/, '/setup-kroker'],
];

/** Subpages that are now their item's default page, or an item's page elsewhere. */
const nestedRedirects: [from: RegExp, to: string][] = [
  [/^(\/apps\/alerthub\/(?:scopes|messages)\/[^/]+)\/overview$/, '$1'],
  [/^(\/apps\/sonar\/networks\/[^/]+\/(?:managed-nodes|snapshots\/[^/]+\/nodes)\/[^/]+)\/detail$/, '$1'],
  [/^(\/apps\/sonar\/networks\/[^/]+\/scan)\/scan$/, '$1'],
  [/^\/apps\/alerthub\/scopes\/[^/]+(\/rules\/[^/]+)$/, '/apps/alerthub$1'],
];

/** Returns the redirect target of a path, `/404` if there is none. Ignores a trailing slash. */
export function redirectTarget(pathname: string): string {
  const path = pathname.replace(/\/+$/, '');
  if (Object.hasOwn(exactRedirects, path)) return exactRedirects[path]!;
  const nestedRedirect = nestedRedirects.find(([from]) => from.test(path));
  if (nestedRedirect) return path.replace(...nestedRedirect);
  const tail = path.replace(/^\/preference(?=\/)/, '');
  const found = legacyRedirects.find(([from]) => from.test(tail));
  return found ? tail.replace(found[0], found[1]) : '/404';
}
