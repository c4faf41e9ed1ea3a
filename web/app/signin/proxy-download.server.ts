// Streams a file from the API to the browser with the response headers that make it safe to open.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { problemFromReply } from '@yagura/core/http/problem';
import { withApi } from './api.server.ts';

const forwardedHeaders = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
];

/**
 * `apiPath` is the API path including the query; a problem that its function throws is answered like one of
 * the API, not as a fault of the server.
 */
export function proxyDownload(args: LoaderFunctionArgs, apiPath: string | (() => string)): Promise<Response> {
  return withApi(args, async ({ transport }) => {
    const path = typeof apiPath === 'string' ? apiPath : apiPath();
    const reply = await transport.fetch(transport.origin + path, {
      method: 'GET',
      // Needed by internal calls, ignored by all others.
      headers: { ...(await transport.headers?.()), 'x-requested-with': 'XMLHttpRequest' },
      signal: args.request.signal,
      redirect: 'error',
    });
    if (!reply.ok) {
      const body: unknown = await reply.json().catch(() => undefined);
      throw problemFromReply(reply.status, body, { instance: path });
    }
    const headers = new Headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    for (const name of forwardedHeaders) {
      const value = reply.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(reply.body, { headers });
  });
}
