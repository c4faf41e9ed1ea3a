/** Determines the delivery result from a webhook response, whether sent directly or by an on-site agent. */
import { type DeliveryMeta, replyExcerpt, type SendResult } from './send-result.ts';

export interface WebhookResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  /** The part that was read. */
  body: string;
  /** The limit in bytes that the response exceeded, or null. */
  tooLong: number | null;
}

const retryableStatuses = new Set([408, 425, 429]);
const maxRetryAfterSeconds = 3600;

/** Returns the result of an attempt that got a response. */
export function toSendResult(answer: WebhookResponse, meta: DeliveryMeta): SendResult {
  const result = classifyResponse(answer, meta.timestamp);
  if (!meta.keepAnswer) return result;
  const { statusCode, headers, body } = answer;
  return { ...result, answer: { statusCode, headers: flattenHeaders(headers), isBodyEncoded: false, body } };
}

/**
 * The status decides: a target that responded 2xx has accepted the delivery, whatever follows in the
 * response.
 */
function classifyResponse(answer: WebhookResponse, now: number): SendResult {
  const { statusCode } = answer;
  const reply = replyExcerpt(answer.body);
  if (statusCode < 300) {
    const reason: SendResult['reason'] =
      answer.tooLong === null
        ? { word: 'delivery.sent', params: { statusCode } }
        : { word: 'delivery.tooLong', params: { bytes: answer.tooLong } };
    return { outcome: 'succeeded', retry: false, statusCode, reason, reply };
  }
  if (statusCode < 400) {
    const params = { statusCode, location: redactLocation(firstHeaderValue(answer.headers.location)) };
    const reason: SendResult['reason'] = { word: 'delivery.redirectRefused', params };
    return { outcome: 'failed', retry: false, statusCode, reason, reply };
  }
  const retry = statusCode >= 500 || retryableStatuses.has(statusCode);
  const reason: SendResult['reason'] = { word: 'delivery.refusedStatus', params: { statusCode } };
  const result: SendResult = { outcome: 'failed', retry, statusCode, reason, reply };
  const retryAfterSeconds = parseRetryAfter(firstHeaderValue(answer.headers['retry-after']), now);
  return retry && retryAfterSeconds !== undefined ? { ...result, retryAfterSeconds } : result;
}

/** Flattens headers to one string each, at most 16 KiB in total. */
function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
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

/** Returns the first value of a header. */
export function firstHeaderValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Parses Retry-After, a number or a date (RFC 9110 section 10.2.3), to seconds; at most one hour. */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d{1,12}\s*$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - now) / 1000);
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

/** Target of a redirect without the parts that may contain secrets. */
function redactLocation(location: string | undefined): string {
  const bare = (location ?? '').replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
  return replyExcerpt(bare).slice(0, 300);
}
