// URLs that only lead on: roots of apps, places that moved, and parents without a screen of their own (spec section 2).
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';

/** The one list of redirects: a line here and `leadsOn(path)` in the routes. Paths that are not listed lead to 404. */
const targets: Record<string, string> = {
  '/sign-in': '/',
  '/sign-in/reset-password': '/',
  '/sign-in/reset-password-requested': '/',
  '/preference': '/preference/space',
  '/preference/kroker': '/preference/kroker/list',
  '/apps/greac': '/apps/greac/destinations',
  '/apps/alerthub/settings/notification-settings': '/apps/alerthub/settings',
  '/apps/alerthub/settings/email-action-senders': '/apps/alerthub/settings',
  '/apps/devtool': '/apps/devtool/tasks',
  '/apps/alerthub': '/apps/alerthub/receive-slots',
};

export function loader({ request }: LoaderFunctionArgs) {
  const path = new URL(request.url).pathname.replace(/\/$/, '');
  return redirect(targets[path] ?? '/404');
}
