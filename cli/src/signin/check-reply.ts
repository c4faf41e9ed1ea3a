// Tells the replies of a Yagura server from those of anything else that listens at its address, such as a proxy.
import type { Fetch } from '@yagura/core/http/transport';

/** A page for a browser, the reply of a proxy that does not reach the server, or another that is none of the API. */
export type ForeignReply = 'web-page' | 'bad-gateway' | 'no-api-reply';

interface CheckedRequest {
  method: string;
  /** The Accept header; empty if there is none. */
  accept: string;
}

/** Fails with the error for a reply that is not one of the API. */
export function withReplyCheck(
  fetch: Fetch,
  createError: (kind: ForeignReply, about: { path: string; status: number }) => Error,
): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { accept = '' } = (init.headers ?? {}) as Record<string, string>;
    const request = { method: init.method ?? 'GET', accept };
    const about = { path: new URL(url).pathname, status: response.status };
    const kind = isOfGateway(response)
      ? 'bad-gateway'
      : isWebPage(response, request)
        ? 'web-page'
        : undefined;
    if (!kind) return requireApiReply(response, request, () => createError('no-api-reply', about));
    discardBody(response);
    throw createError(kind, about);
  };
}

/** Whether a proxy replied instead of the server, whose own errors are JSON. */
function isOfGateway({ status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  return (
    status >= 502 && status <= 504 && !/\bjson\b/i.test(type) && (status !== 503 || /\bhtml\b/i.test(type))
  );
}

/** Whether the reply is a page for a browser: HTML that is no file and was not asked for. */
function isWebPage({ headers }: Response, { accept }: CheckedRequest): boolean {
  if (!/^text\/html\b/i.test(headers.get('content-type') ?? '')) return false;
  return !accept.includes('text/html') && !/^attachment\b/i.test(headers.get('content-disposition') ?? '');
}

/**
 * Makes `text()` of a successful reply to a request for JSON fail unless it is a JSON object, as all replies of the API
 * are, or one of its files. Otherwise the first access to a field would be the one to fail, or nothing at all.
 */
function requireApiReply(
  response: Response,
  { method, accept }: CheckedRequest,
  createError: () => Error,
): Response {
  if (!response.ok || !accept || accept.includes('*/*')) return response;
  const type = response.headers.get('content-type') ?? '';
  const isJson = /\bjson\b/i.test(type);
  const isFile = /^(text\/csv|application\/(x-ndjson|octet-stream))\b/i.test(type);
  if (isFile || (!isJson && method !== 'GET')) return response;
  const read = response.text.bind(response);
  response.text = async () => {
    const text = await read();
    if (text === '' && method !== 'GET') return text;
    if (!isJson || !/^\s*\{.*\}\s*$/s.test(text)) throw createError();
    return text;
  };
  return response;
}

/** Closes the connection, which would keep the process running. */
function discardBody({ body }: Response): void {
  if (body && 'destroy' in body) (body as unknown as { destroy(): void }).destroy();
  else void body?.cancel();
}
