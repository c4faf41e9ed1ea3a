// Proxies the API's change stream to the browser and adds the session's token.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { getSession } from '../../signin/session.server.ts';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const session = await getSession(request, context);
  if (!session) return new Response(null, { status: 401, headers: { 'cache-control': 'no-store' } });
  // The stream ends when the token expires; the browser then reconnects with a renewed one.
  const life = AbortSignal.timeout(Math.max(1000, session.expiresAt - Date.now()));
  const upstream = await context.fetch(`${context.origin}/api/internal/changes`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${session.accessToken}`,
      'x-requested-with': 'XMLHttpRequest',
    },
    signal: AbortSignal.any([request.signal, life]),
  });
  const headers = new Headers({
    'content-type': upstream.headers.get('content-type') ?? 'text/plain',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  return new Response(upstream.body, { status: upstream.status, headers });
}
