// The route of every URL that only leads on, as `leads-to.ts` lists them.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { leadsTo } from './leads-to.ts';

/** The one list of redirects: a line here and `leadsOn(path)` in the routes. Paths that are not listed lead to 404. */
const targets: Record<string, string> = {
  '/sign-in': '/',
  '/sign-in/reset-password': '/',
  '/sign-in/reset-password-requested': '/',
  '/preference': '/preference/space',
  '/preference/kroker': '/preference/kroker/list',
  '/apps/sonar': '/apps/sonar/networks',
  '/apps/greac': '/apps/greac/destinations',
  '/apps/alerthub/settings/notification-settings': '/apps/alerthub/settings',
  '/apps/alerthub/settings/email-action-senders': '/apps/alerthub/settings',
  '/apps/devtool': '/apps/devtool/tasks',
  '/ksocket/create': '/preference/ksocket/new',
  '/ksocket/ksockets': '/preference/ksocket',
  '/ksocket/credential': '/preference/tool/credential',
  '/apps/alerthub': '/apps/alerthub/receive-slots',
};

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const path = leadsTo(pathname);
  return redirect(path === '/404' ? path : path + search);
}
