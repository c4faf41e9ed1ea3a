/** Builds the headers of an outgoing webhook from the user's headers, which are validated, and our own. */
import type { DeliveryMeta } from './send-result.ts';
import { signWebhook } from './webhook-signature.ts';

/** Set only by us: routing, framing, and authenticity of the request (RFC 9110 section 7.6.1). */
const reservedHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-yagura-attempt',
]);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Returns the names of the headers that are not allowed. */
export function findForbiddenHeaders(headers: Record<string, string>): string[] {
  return Object.keys(headers).filter((name) => !token.test(name) || reservedHeaders.has(name.toLowerCase()));
}

/**
 * Returns all headers with lower-case names. Line breaks and other control characters in values become
 * spaces; non-Latin text is sent as UTF-8. Without a content type, the body is labeled as JSON if it is valid
 * JSON, otherwise as plain text.
 */
export function buildWebhookHeaders(
  request: { headers: Record<string, string>; body: string },
  meta: DeliveryMeta,
  options: { secrets: readonly Uint8Array[]; userAgent: string },
): Record<string, string> {
  const seconds = Math.floor(meta.timestamp / 1000);
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': options.userAgent };
  if (request.body)
    headers['content-type'] = isJson(request.body) ? 'application/json' : 'text/plain; charset=utf-8';
  for (const [name, value] of Object.entries(request.headers))
    headers[name.toLowerCase()] = headerValue(value);
  headers['webhook-id'] = meta.deliveryId;
  headers['webhook-timestamp'] = String(seconds);
  headers['x-yagura-attempt'] = String(meta.attempt);
  if (options.secrets.length > 0) {
    const signed = { deliveryId: meta.deliveryId, seconds, body: request.body };
    headers['webhook-signature'] = signWebhook(options.secrets, signed);
  }
  return headers;
}

/** The client writes one byte per character, so UTF-8 bytes are passed as Latin-1 characters. */
function headerValue(value: string): string {
  return Buffer.from(value.replace(/[\x00-\x1f\x7f]+/g, ' ').trim(), 'utf8').toString('latin1');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
