// Where URLs lead that are no screen: roots of apps, places that moved, and parents without a screen of their own (spec section 2).

/** The one list of exact places: a line here and `leadsOn(path)` in the routes. */
const exactRedirects: Record<string, string> = {
  '/sign-in': '/',
  '/sign-in/reset-password': '/',
  '/sign-in/reset-password-requested': '/',
  '/preference': '/preference/space',
  '/preference/kroker': '/preference/kroker/list',
  '/apps/sonar': '/apps/sonar/networks',
  '/apps/greac': '/apps/greac/destinations',
  '/apps/pigeon': '/apps/pigeon/contacts',
  '/apps/pigeon/settings': '/apps/pigeon/settings/notification-settings',
  '/apps/pigeon/tools': '/apps/pigeon/tools/command-generator',
  '/apps/alerthub/settings/notification-settings': '/apps/alerthub/settings',
  '/apps/alerthub/settings/email-action-senders': '/apps/alerthub/settings',
  '/apps/alerthub/settings/retention': '/apps/alerthub/settings',
  '/apps/devtool': '/apps/devtool/tasks',
  '/apps/alerthub': '/apps/alerthub/receive-slots',
};

/** What moved out of the old pages of the space and stands beside them now, with what is below it. */
const movedOutOfSpace = ['users', 'user-groups', 'api-token', 'ip-restriction', 'invitations'];

/** Old paths of preference, from the root or from `/preference`; the first that fits counts. */
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

/** Pages by a name of their own that are the first of the thing, or a thing's page elsewhere. */
const nestedRedirects: [from: RegExp, to: string][] = [
  [/^(\/apps\/alerthub\/(?:scopes|messages)\/[^/]+)\/overview$/, '$1'],
  [/^(\/apps\/sonar\/networks\/[^/]+\/(?:managed-nodes|snapshots\/[^/]+\/nodes)\/[^/]+)\/detail$/, '$1'],
  [/^(\/apps\/sonar\/networks\/[^/]+\/scan)\/scan$/, '$1'],
  [/^\/apps\/alerthub\/scopes\/[^/]+(\/rules\/[^/]+)$/, '/apps/alerthub$1'],
];

/** The path that a path leads to; `/404` for one that leads nowhere. A slash at the end makes no difference. */
export function redirectTarget(pathname: string): string {
  const path = pathname.replace(/\/+$/, '');
  if (Object.hasOwn(exactRedirects, path)) return exactRedirects[path]!;
  const nestedRedirect = nestedRedirects.find(([from]) => from.test(path));
  if (nestedRedirect) return path.replace(...nestedRedirect);
  const tail = path.replace(/^\/preference(?=\/)/, '');
  const found = legacyRedirects.find(([from]) => from.test(tail));
  return found ? tail.replace(found[0], found[1]) : '/404';
}
