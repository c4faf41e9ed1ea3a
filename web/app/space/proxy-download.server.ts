// Streams a file from the API to the browser.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { problemFromReply } from '@yagura/core/http/problem';
import { withApi } from '../signin/api.server.ts';

const forwardedHeaders = ['content-type', 'content-disposition'];

/** Returns the response of an API GET request as a download. Throws Problem if the API rejects it. */
export function proxyDownload(args: LoaderFunctionArgs, path: string): Promise<Response> {
  return withApi(args, async ({ transport }) => {
    const reply = await transport.fetch(transport.origin + path, {
      method: 'GET',
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
