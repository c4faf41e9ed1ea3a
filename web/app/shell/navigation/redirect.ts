// The route of every URL that only leads on, as `leads-to.ts` lists them.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { redirectTarget } from './redirect-target.ts';

export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const path = redirectTarget(pathname);
  return redirect(path === '/404' ? path : path + search);
}
