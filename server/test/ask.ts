// One call over the wire with everything that came back; refusals are replies, not errors.
import type { Transport } from '@yagura/core/http/transport';

export interface Answer {
  status: number;
  /** Media type without parameters. */
  type: string | undefined;
  etag: string | null;
  headers: Headers;
  text: string;
  /** The body when it is JSON. */
  data: unknown;
}

export interface AskOptions {
  headers?: Record<string, string>;
  /** A body as it stands, instead of JSON of the third argument. */
  raw?: string;
}

export type Ask = (method: string, path: string, body?: unknown, options?: AskOptions) => Promise<Answer>;

/** Calls as the transport's caller does, with the marker that internal calls need. */
export function asker(transport: Transport): Ask {
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

const tokenIsUsedFor = 5 * 60_000;

/** A caller of every call: internal ones as somebody who has signed in, all others with an API token. */
export function insideAndOut(outside: Transport, signIn: () => Promise<Transport>): Transport {
  let inside: { at: number; transport: Promise<Transport> } | undefined;
  const signedIn = () => {
    if (!inside || Date.now() - inside.at > tokenIsUsedFor) inside = { at: Date.now(), transport: signIn() };
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
