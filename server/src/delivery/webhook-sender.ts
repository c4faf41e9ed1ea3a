/** Sends webhooks: one request and one result each, bounded in time and size whatever the target does. */
import { errors } from 'undici';
import { type AddressGuard, BlockedAddress } from './address-guard.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { parseOutgoingUrl } from './outgoing-url.ts';
import { readResponseBody } from './response-body.ts';
import { type DeliveryMeta, errorChain, failedResult, failureCode, type SendResult } from './send-result.ts';
import { buildWebhookHeaders, findForbiddenHeaders } from './webhook-headers.ts';
import { firstHeaderValue, toSendResult } from './webhook-result.ts';

export interface WebhookRequest {
  url: string;
  method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string;
}

/**
 * Milliseconds; by default 10 s to connect, 15 s from request to status, 30 s in total including the wait for
 * a free connection.
 */
export interface WebhookTimeouts {
  connect?: number;
  headers?: number;
  whole?: number;
}

export interface WebhookSenderOptions {
  guard: AddressGuard;
  userAgent: string;
  timeouts?: WebhookTimeouts | undefined;
  /** Maximum bytes of a response that are read; by default 65,536. */
  maxReplyBytes?: number;
  /** Maximum connections to one origin; by default 16. */
  connectionsPerOrigin?: number;
  /** PEM certificates to trust instead of the built-in ones. */
  authorities?: string[];
}

export interface WebhookSender {
  /** Never rejects. With `secrets`, the request is signed with each of them (Standard Webhooks). */
  sendWebhook(
    request: WebhookRequest,
    meta: DeliveryMeta,
    options?: { secrets?: readonly Uint8Array[] },
  ): Promise<SendResult>;
  /** Closes all connections; running requests fail and may be retried. */
  close(): Promise<void>;
}

/**
 * Creates a sender with its own connections for one guard; create it once per server and close it on
 * shutdown.
 */
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
      return failedResult('delivery.blockedUrl', { detail: target }, { retry: false });
    const refused = findForbiddenHeaders(request.headers)[0];
    if (refused !== undefined)
      return failedResult('delivery.blockedHeader', { name: refused }, { retry: false });

    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), whole);
    try {
      const answer = await agent.request({
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers: buildWebhookHeaders(request, meta, { secrets, userAgent: options.userAgent }),
        body: request.body || null,
        headersTimeout: head,
        // Slow bodies are handled by the deadline.
        bodyTimeout: 0,
        signal: deadline.signal,
      });
      const reply = await readResponseBody(answer.body, {
        contentType: firstHeaderValue(answer.headers['content-type']),
        encoded: !['', 'identity'].includes(firstHeaderValue(answer.headers['content-encoding']) ?? ''),
        limit: maxReplyBytes,
      });
      const { statusCode, headers } = answer;
      return toSendResult(
        { statusCode, headers, body: reply.text, tooLong: reply.tooLong ? maxReplyBytes : null },
        meta,
      );
    } catch (error) {
      return networkFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  function networkFailure(error: unknown): SendResult {
    const causes = errorChain(error);
    const blocked = causes.find((cause) => cause instanceof BlockedAddress);
    if (blocked)
      return failedResult('delivery.blockedAddress', { address: blocked.address }, { retry: false });
    const limit = causes.some((cause) => cause instanceof errors.ConnectTimeoutError)
      ? connect
      : causes.some((cause) => cause instanceof errors.HeadersTimeoutError)
        ? head
        : causes.some((cause) => cause.name === 'AbortError')
          ? whole
          : null;
    if (limit !== null) return failedResult('delivery.timeout', { seconds: limit / 1000 }, { retry: true });
    // undici's parser errors have no code.
    const unreadable = causes.some((cause) => cause instanceof errors.HTTPParserError);
    const detail = unreadable ? 'INVALID_RESPONSE' : failureCode(error);
    return failedResult('delivery.connection', { detail }, { retry: true });
  }

  return { sendWebhook, close: () => agent.destroy() };
}
