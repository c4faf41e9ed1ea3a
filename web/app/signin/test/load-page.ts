// Runs the loader of a page in tests, with API replies by path.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { type RoleName, roleMap } from '@yagura/core/access/role-map';
import { signedInArgs } from './signed-in-args.ts';

const emptyPage = { items: [], total: 0, limit: 100, offset: 0 };

/** Returns what the loader returns. A path without a reply is not found. The user is privileged unless roles are given. */
export async function loadPage<T>(
  loader: (args: LoaderFunctionArgs) => Promise<T>,
  page: {
    /** Path and query of the page. */
    address: string;
    params?: Record<string, string>;
    /** A function gets the query. */
    replies: Record<string, unknown>;
    roles?: RoleName[];
    /** Answers a path without a reply with an empty list. */
    emptyLists?: boolean;
    /** Gets the API paths that the loader reads, with their queries. */
    asked?: string[];
  },
): Promise<T> {
  const replies: Record<string, unknown> = {
    '/api/internal/profile': { privileged: !page.roles, roles: page.roles ?? [] },
    '/api/internal/apps/policy/role-map': roleMap,
    ...page.replies,
  };
  const fetch = async (url: string) => {
    const { pathname, search } = new URL(url);
    page.asked?.push(pathname + decodeURIComponent(search.replaceAll('+', ' ')));
    const reply = replies[pathname] ?? (page.emptyLists ? emptyPage : undefined);
    if (typeof reply === 'function') return Response.json(reply(new URL(url).searchParams));
    return reply ? Response.json(reply) : Response.json({ title: 'Not found' }, { status: 404 });
  };
  return loader(await signedInArgs({ fetch, address: page.address, params: page.params }));
}
