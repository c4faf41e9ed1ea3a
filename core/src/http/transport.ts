// How a call leaves: one function over any fetch, so that the server can be called over the wire or in process.
import { Problem, problemFromReply } from './problem.ts';

/** The part of fetch that is used; undici, the browser's and an in-process server all have it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  fetch: Fetch;
  /** Origin of the space, without a trailing slash. */
  origin: string;
  /** Headers of every call, the authorization among them. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** Milliseconds until a call without an answer is given up; 30,000 when absent. */
  timeout?: number;
}

export interface Request {
  method: string;
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Reply<T> {
  data: T;
  status: number;
  headers: Headers;
}

/** Sends one call. Every failure is a `Problem`, except an abort by the caller's signal, which stays an AbortError. */
export async function send<T>(transport: Transport, request: Request): Promise<Reply<T>> {
  const response = await reach(transport, request);
  const text = request.method === 'HEAD' ? '' : await response.text();
  const data = isJson(response) && text !== '' ? parse(text) : text;
  if (response.ok) return { data: data as T, status: response.status, headers: response.headers };
  const retryAfter = Number(response.headers.get('retry-after'));
  throw problemFromReply(response.status, data, {
    instance: request.path,
    ...(retryAfter > 0 ? { retryAfter } : {}),
  });
}

/** The path and query of a request as one relative URL. */
export function urlOf(request: Pick<Request, 'path' | 'query'>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${request.path}?${text}` : request.path;
}

async function reach(transport: Transport, request: Request): Promise<Response> {
  const deadline = AbortSignal.timeout(transport.timeout ?? 30_000);
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    ...(request.path.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(await transport.headers?.()),
    ...request.headers,
  };
  try {
    return await transport.fetch(transport.origin + urlOf(request), {
      method: request.method,
      headers,
      signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
      redirect: 'error',
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
  } catch (cause) {
    if (request.signal?.aborted) throw request.signal.reason;
    throw new Problem('unreachable', { detail: reasonOfFailure(cause), cause });
  }
}

function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reasonOfFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  return (inner as Error & { code?: string }).code ?? inner.message;
}
