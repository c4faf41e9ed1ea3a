// URLs that only lead on.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';

const targets: Record<string, string> = {
  '/preference': '/preference/space',
  '/apps/alerthub': '/apps/alerthub/receive-slots',
  '/apps/alerthub/events': '/404',
  '/apps/alerthub/action-records': '/404',
};

export function loader({ request }: LoaderFunctionArgs) {
  const path = new URL(request.url).pathname.replace(/\/$/, '');
  return redirect(targets[path] ?? '/404');
}
