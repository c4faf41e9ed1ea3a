// Route of every URL that only redirects, as listed in `redirect-target.ts`.
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { isSectionRoot, permittedTarget } from './permitted-target.server.ts';
import { redirectTarget } from './redirect-target.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, search } = new URL(args.request.url);
  const root = pathname.replace(/\/+$/, '');
  const target = redirectTarget(pathname);
  if (target === '/404') return redirect(target);
  if (!isSectionRoot(root)) return redirect(target + search);
  return withApi(args, async (api) =>
    redirect(permittedTarget(root, target, await getCurrentUser(api)) + search),
  );
}
