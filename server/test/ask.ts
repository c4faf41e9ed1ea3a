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
      data: type?.endsWith('json') ? JSON.parse(text) : undefined,
    };
  };
}
