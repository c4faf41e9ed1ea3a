/** Sends webhooks: one request, one verdict, within a bounded time and size whatever the target does. */
import { errors } from 'undici';
import { type AddressGuard, BlockedAddress } from './address-guard.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { parseOutgoingUrl } from './outgoing-url.ts';
import { readReplyBody } from './reply-body.ts';
import {
  chain,
  type DeliveryMeta,
  failure,
  failureCode,
  replyExcerpt,
  type SendResult,
} from './send-result.ts';
import { refusedHeader, webhookHeaders } from './webhook-headers.ts';

export interface WebhookRequest {
  url: string;
  method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string;
}

export interface WebhookSenderOptions {
  guard: AddressGuard;
  userAgent: string;
  /** Milliseconds; 10 s to connect, 15 s from request to status, 30 s for everything, waiting for a free connection included. */
  timeouts?: { connect?: number; headers?: number; whole?: number };
  /** Bytes of an answer that are read; 65,536. */
  maxReplyBytes?: number;
  /** Connections kept to one origin; 16. */
  connectionsPerOrigin?: number;
  /** PEM certificates to trust instead of the built-in ones. */
  authorities?: string[];
}

export interface WebhookSender {
  /** Never rejects. With `secrets` the request is signed, once with each (Standard Webhooks). */
  sendWebhook(
    request: WebhookRequest,
    meta: DeliveryMeta,
    options?: { secrets?: readonly Uint8Array[] },
  ): Promise<SendResult>;
  /** Ends all connections; requests under way fail and may be tried again. */
  close(): Promise<void>;
}

const retriedStatuses = new Set([408, 425, 429]);
const longestRetryAfterSeconds = 3600;

/** One sender for one guard; it owns the connections, so the server makes it once and closes it at the end. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { connect = 10_000, headers: head = 15_000, whole = 30_000 } = options.timeouts ?? {};
  const maxReplyBytes = options.maxReplyBytes ?? 65_536;
  const agent = createGuardedAgent({
    guard: options.guard,
    connectTimeoutMs: connect,
    connections: options.connectionsPerOrigin ?? 16,
    authorities: options.authorities,
  });

  async function sendWebhook(
    request: WebhookRequest,
    meta: DeliveryMeta,
    { secrets = [] }: { secrets?: readonly Uint8Array[] } = {},
  ): Promise<SendResult> {
    const target = parseOutgoingUrl(request.url);
    if (typeof target === 'string')
      return failure('delivery.blockedUrl', { detail: target }, { retry: false });
    const refused = refusedHeader(request.headers);
    if (refused !== null) return failure('delivery.blockedHeader', { name: refused }, { retry: false });

    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), whole);
    try {
      const answer = await agent.request({
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers: webhookHeaders(request, meta, { secrets, userAgent: options.userAgent }),
        body: request.body || null,
        headersTimeout: head,
        // A slow answer is the business of the deadline.
        bodyTimeout: 0,
        signal: deadline.signal,
      });
      const reply = await readReplyBody(answer.body, {
        contentType: text(answer.headers['content-type']),
        encoded: !['', 'identity'].includes(text(answer.headers['content-encoding']) ?? ''),
        limit: maxReplyBytes,
      });
      const result = verdict(answer.statusCode, {
        reply: replyExcerpt(reply.text),
        tooLong: reply.tooLong ? maxReplyBytes : null,
        location: text(answer.headers.location),
        retryAfterSeconds: retryAfter(text(answer.headers['retry-after']), meta.timestamp),
      });
      if (!meta.keepAnswer) return result;
      const { statusCode } = answer;
      return {
        ...result,
        answer: { statusCode, headers: flat(answer.headers), isBodyEncoded: false, body: reply.text },
      };
    } catch (error) {
      return networkFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  function networkFailure(error: unknown): SendResult {
    const causes = chain(error);
    const blocked = causes.find((cause) => cause instanceof BlockedAddress);
    if (blocked) return failure('delivery.blockedAddress', { address: blocked.address }, { retry: false });
    const limit = causes.some((cause) => cause instanceof errors.ConnectTimeoutError)
      ? connect
      : causes.some((cause) => cause instanceof errors.HeadersTimeoutError)
        ? head
        : causes.some((cause) => cause.name === 'AbortError')
          ? whole
          : null;
    if (limit !== null) return failure('delivery.timeout', { seconds: limit / 1000 }, { retry: true });
    // undici's parser errors come without a code.
    const unreadable = causes.some((cause) => cause instanceof errors.HTTPParserError);
    const detail = unreadable ? 'INVALID_RESPONSE' : failureCode(error);
    return failure('delivery.connection', { detail }, { retry: true });
  }

  return { sendWebhook, close: () => agent.destroy() };
}

interface Answer {
  reply: string;
  /** The limit that the answer went beyond, bytes. */
  tooLong: number | null;
  location: string | undefined;
  retryAfterSeconds: number | undefined;
}

/** The status decides: a target that answered 2xx has taken the delivery, however its answer goes on. */
function verdict(statusCode: number, answer: Answer): SendResult {
  const { reply } = answer;
  if (statusCode < 300) {
    const reason: SendResult['reason'] =
      answer.tooLong === null
        ? { word: 'delivery.sent', params: { statusCode } }
        : { word: 'delivery.tooLong', params: { bytes: answer.tooLong } };
    return { outcome: 'succeeded', retry: false, statusCode, reason, reply };
  }
  if (statusCode < 400) {
    const params = { statusCode, location: safeLocation(answer.location) };
    const reason = { word: 'delivery.redirectRefused', params };
    return { outcome: 'failed', retry: false, statusCode, reason, reply };
  }
  const retry = statusCode >= 500 || retriedStatuses.has(statusCode);
  const reason = { word: 'delivery.refusedStatus', params: { statusCode } };
  const result: SendResult = { outcome: 'failed', retry, statusCode, reason, reply };
  return retry && answer.retryAfterSeconds !== undefined
    ? { ...result, retryAfterSeconds: answer.retryAfterSeconds }
    : result;
}

/** Headers with one text each, at most 16 KiB of them. */
function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const [name, value] of Object.entries(headers)) {
    const line = Array.isArray(value) ? value.join(', ') : (value ?? '');
    length += name.length + line.length;
    if (length > 16_384) break;
    kept[name] = line;
  }
  return kept;
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Seconds from a Retry-After header, a number or a date (RFC 9110 section 10.2.3); at most an hour. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d{1,12}\s*$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - now) / 1000);
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}

/** Where a redirect pointed, without the parts that carry secrets. */
function safeLocation(location: string | undefined): string {
  const bare = (location ?? '').replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
  return replyExcerpt(bare).slice(0, 300);
}
