// Runs the loader of a page in tests, with API replies by path.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { type RoleName, roleMap } from '@yagura/core/access/role-map';
import type { ConsoleContext } from '../../context.ts';
import { sealSession } from '../../signin/session.server.ts';

const emptyPage = { items: [], total: 0, limit: 100, offset: 0 };
let sessions = 0;

/** Returns what the loader returns. A path without a reply is not found. The user is privileged unless roles are given. */
export async function loadPage<T>(
  loader: (args: LoaderFunctionArgs) => Promise<T>,
  page: {
    /** Path and query of the page. */
    address: string;
    params?: Record<string, string>;
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
  const fetch = async (input: string | URL | Request) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    page.asked?.push(pathname + decodeURIComponent(search.replaceAll('+', ' ')));
    const reply = replies[pathname] ?? (page.emptyLists ? emptyPage : undefined);
    return reply ? Response.json(reply) : Response.json({ title: 'Not found' }, { status: 404 });
  };
  const context = {
    fetch,
    origin: 'https://console.test',
    cookieSecret: 'a secret of this test',
  } as unknown as ConsoleContext & LoaderFunctionArgs['context'];
  // Users are cached by their token.
  const accessToken = `alerthub-page-${++sessions}`;
  const session = { accessToken, refreshToken: null, idToken: null, expiresAt: Date.now() + 3_600_000 };
  const cookies = await sealSession(context, session);
  const request = new Request(`https://console.test${page.address}`, {
    headers: { 'accept-language': 'en', cookie: cookies.map((line) => line.split(';')[0]).join('; ') },
  });
  return loader({ request, context, params: page.params ?? {} });
}
