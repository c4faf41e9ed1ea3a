// Makes one API call and returns the complete reply; error responses do not throw.
import type { Transport } from '@yagura/core/http/transport';

export interface ApiReply {
  status: number;
  /** Media type without parameters. */
  type: string | undefined;
  etag: string | null;
  headers: Headers;
  text: string;
  /** The parsed body when it is JSON. */
  data: unknown;
}

export interface ApiCallOptions {
  headers?: Record<string, string>;
  /** A raw body instead of the JSON of the third argument. */
  raw?: string;
}

export type ApiCall = (
  method: string,
  path: string,
  body?: unknown,
  options?: ApiCallOptions,
) => Promise<ApiReply>;

/** Calls with the headers of the transport, including the marker that internal calls require. */
export function createApiCall(transport: Transport): ApiCall {
  return async (method, path, body, options = {}) => {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await transport.fetch(transport.origin + path, {
      method,
      headers: {
        ...(path.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(await transport.headers?.()),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type')?.split(';')[0];
    return {
      status: response.status,
      type,
      etag: response.headers.get('etag'),
      headers: response.headers,
      text,
      data: /[/+]json$/.test(type ?? '') ? JSON.parse(text) : undefined,
    };
  };
}

const tokenReuseMs = 5 * 60_000;

/** Makes internal calls as a signed-in user, and all others with an API token. */
export function transportForAllCalls(outside: Transport, signIn: () => Promise<Transport>): Transport {
  let inside: { at: number; transport: Promise<Transport> } | undefined;
  const signedIn = () => {
    if (!inside || Date.now() - inside.at > tokenReuseMs) inside = { at: Date.now(), transport: signIn() };
    return inside.transport;
  };
  return {
    origin: outside.origin,
    async fetch(url, init) {
      const internal = new URL(url).pathname.startsWith('/api/internal/');
      const caller = internal ? await signedIn() : outside;
      const headers = { ...(init.headers as Record<string, string>), ...(await caller.headers?.()) };
      return caller.fetch(url, { ...init, headers });
    },
  };
}
