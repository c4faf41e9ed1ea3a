// Sends API calls over any fetch, so that the server can be called over the network or in process.
import { parseExactJson, printExactJson } from './exact-json.ts';
import { Problem, problemFromReply } from './problem.ts';
import { type RetryOptions, withRetry } from './retry.ts';

/** The part of fetch that is used; implemented by undici, the browser and the in-process server. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  fetch: Fetch;
  /** Origin of the space, without a trailing slash. */
  origin: string;
  /** Headers of every call, including authorization. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** Response timeout in milliseconds; default 30,000. */
  timeoutMs?: number;
  /** Detail of a problem of kind `unreachable`; by default the reason itself. */
  describeFailure?: (failure: ConnectionFailure) => string;
  /** Detail of a 401 that has none: the credential that was refused. */
  describeRefusal?: () => string | undefined;
  /** Detail of the problem of a successful reply without what every reply of the call has: another server sent it. */
  describeForeignReply?: () => string;
  /** Retry options after a 429 or 503; no retries if absent. */
  retry?: RetryOptions;
}

export interface ConnectionFailure {
  /** Error code such as ECONNREFUSED, or a message in English. */
  reason: string;
  /** The timeout in milliseconds, if it has expired. */
  timeoutMs?: number;
}

export interface ApiRequest {
  method: string;
  path: string;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON; FormData is sent unchanged. */
  body?: unknown;
  /** Fields whose numbers keep every digit, as ExactNumber, in the request and response bodies. */
  exactFields?: readonly string[];
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface ApiReply<T> {
  data: T;
  status: number;
  headers: Headers;
}

/**
 * Sends one call. Every failure is a `Problem`, except an abort by the caller's signal, which remains an
 * AbortError.
 */
export async function send<T>(transport: Transport, request: ApiRequest): Promise<ApiReply<T>> {
  const { retry } = transport;
  return retry
    ? withRetry(request, retry, () => sendOnce<T>(transport, request))
    : sendOnce(transport, request);
}

/** One request and its response, which share a deadline. */
interface Exchange {
  transport: Transport;
  request: ApiRequest;
  deadline: AbortSignal;
}

async function sendOnce<T>(transport: Transport, request: ApiRequest): Promise<ApiReply<T>> {
  const exchange = { transport, request, deadline: AbortSignal.timeout(timeoutOf(transport)) };
  const response = await fetchResponse(exchange);
  const text = request.method === 'HEAD' ? '' : await readText(response, exchange);
  const data = isJson(response) && text !== '' ? parse(text, request.exactFields) : text;
  if (response.ok) return { data: data as T, status: response.status, headers: response.headers };
  throw problemOfReply(transport, response, data, request.path);
}

/** The problem of a reply that is an error; `data` is its body, parsed if it is JSON. */
export function problemOfReply(
  transport: Transport,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  data: unknown,
  instance: string,
): Problem {
  const retryAfter = parseRetryAfter(headers.get('retry-after'));
  return problemFromReply(status, data, {
    instance,
    detail: status === 401 ? transport.describeRefusal?.() : undefined,
    ...(retryAfter > 0 ? { retryAfter } : {}),
  });
}

/** Path and query of a request as a relative URL. */
export function urlOf(request: Pick<ApiRequest, 'path' | 'query'>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${request.path}?${text}` : request.path;
}

async function fetchResponse(exchange: Exchange): Promise<Response> {
  const { transport, request, deadline } = exchange;
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    ...(request.path.startsWith('/api/internal/') ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
    ...(request.body === undefined || isFormData(request.body) ? {} : { 'content-type': 'application/json' }),
    ...(await transport.headers?.()),
    ...request.headers,
  };
  try {
    return await transport.fetch(transport.origin + urlOf(request), {
      method: request.method,
      headers,
      signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
      redirect: 'error',
      ...(request.body === undefined ? {} : { body: encodeBody(request) }),
    });
  } catch (cause) {
    throw toFailure(cause, exchange);
  }
}

/** The connection can break or the timeout expire while the body is read. */
async function readText(response: Response, exchange: Exchange): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw toFailure(cause, exchange);
  }
}

const timeoutOf = ({ timeoutMs = 30_000 }: Transport): number => timeoutMs;

function toFailure(cause: unknown, { transport, request, deadline }: Exchange): unknown {
  if (request.signal?.aborted) return request.signal.reason;
  if (cause instanceof Problem) return cause;
  const reason = failureReason(cause);
  const failure = deadline.aborted ? { reason, timeoutMs: timeoutOf(transport) } : { reason };
  const detail = transport.describeFailure?.(failure) ?? reason;
  return new Problem('unreachable', { detail, cause });
}

/** The problem of a successful reply that is not one of the API. */
export function foreignReply(transport: Transport): Problem {
  return new Problem('unreachable', { detail: transport.describeForeignReply?.() });
}

/**
 * Whether data is an object with one of these fields, or any object without fields to look for. Not a full check, so that a
 * server of another version may reply with other fields and values.
 */
export function hasFieldOf(data: unknown, fields: readonly string[]): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return fields.length === 0 || fields.some((field) => Object.hasOwn(data, field));
}

/** Whether a body is FormData, which is sent unchanged. */
export function isFormData(body: unknown): body is FormData {
  // Referencing FormData makes Node load its whole fetch, which takes longer than a call.
  return Object.prototype.toString.call(body) === '[object FormData]';
}

function encodeBody({ body, exactFields }: ApiRequest): string | FormData {
  if (isFormData(body)) return body;
  return exactFields ? printExactJson(body) : JSON.stringify(body);
}

/** Retry-After in seconds, from a number or an HTTP date (RFC 9110 section 10.2.3). */
function parseRetryAfter(header: string | null): number {
  if (!header) return 0;
  const seconds = Number(header);
  return Number.isNaN(seconds) ? Math.ceil((Date.parse(header) - Date.now()) / 1000) : seconds;
}

function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '');
}

function parse(text: string, exact: readonly string[] | undefined): unknown {
  try {
    return exact ? parseExactJson(text, exact) : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Error code of a failed request, such as ECONNREFUSED, or the message of the innermost error. */
export function failureReason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return failureReason(cause.cause);
  // A DOMException (e.g. a timeout) has a numeric `code` without meaning here, and those of undici say less than
  // their messages.
  const { code } = cause as Error & { code?: unknown };
  return typeof code === 'string' && !code.startsWith('UND_ERR_') ? code : cause.message;
}
