// Route of every URL that only redirects, as listed in `redirect-target.ts`.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { redirectTarget } from './redirect-target.ts';

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const path = redirectTarget(pathname);
  return redirect(path === '/404' ? path : path + search);
}
