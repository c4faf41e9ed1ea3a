// Streams a file from the API to the browser with the response headers that make it safe to open.
import { problemFromReply } from '@yagura/core/http/problem';
import type { Api } from '../signin/api.server.ts';

const forwardedHeaders = [
  'content-type',
  'content-disposition',
  'content-length',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
];

/** `path` is the API path including the query. Throws the API's Problem. */
export async function proxyDownload(
  { transport }: Api,
  path: string,
  signal: AbortSignal,
): Promise<Response> {
  const reply = await transport.fetch(transport.origin + path, {
    method: 'GET',
    headers: (await transport.headers?.()) ?? {},
    signal,
    redirect: 'error',
  });
  if (!reply.ok) {
    const body: unknown = await reply.json().catch(() => undefined);
    throw problemFromReply(reply.status, body, { instance: path });
  }
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const name of forwardedHeaders) {
    const value = reply.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(reply.body, { headers });
}
