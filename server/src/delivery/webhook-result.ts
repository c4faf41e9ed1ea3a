/** What the answer of a webhook's target means for its delivery, whoever carried the request there. */
import { type DeliveryMeta, replyExcerpt, type SendResult } from './send-result.ts';

export interface WebhookResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  /** As much of it as was read. */
  body: string;
  /** The limit that the answer went beyond, bytes. */
  tooLong: number | null;
}

const retryableStatuses = new Set([408, 425, 429]);
const maxRetryAfterSeconds = 3600;

/** The fate of one attempt that was answered. */
export function toSendResult(answer: WebhookResponse, meta: DeliveryMeta): SendResult {
  const result = classifyResponse(answer, meta.timestamp);
  if (!meta.keepAnswer) return result;
  const { statusCode, headers, body } = answer;
  return { ...result, answer: { statusCode, headers: flattenHeaders(headers), isBodyEncoded: false, body } };
}

/** The status decides: a target that answered 2xx has taken the delivery, however its answer goes on. */
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
    const reason = { word: 'delivery.redirectRefused', params };
    return { outcome: 'failed', retry: false, statusCode, reason, reply };
  }
  const retry = statusCode >= 500 || retryableStatuses.has(statusCode);
  const reason = { word: 'delivery.refusedStatus', params: { statusCode } };
  const result: SendResult = { outcome: 'failed', retry, statusCode, reason, reply };
  const retryAfterSeconds = parseRetryAfter(firstHeaderValue(answer.headers['retry-after']), now);
  return retry && retryAfterSeconds !== undefined ? { ...result, retryAfterSeconds } : result;
}

/** Headers with one text each, at most 16 KiB of them. */
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

/** The first of a header's values. */
export function firstHeaderValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Seconds from a Retry-After header, a number or a date (RFC 9110 section 10.2.3); at most an hour. */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\s*\d{1,12}\s*$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - now) / 1000);
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), maxRetryAfterSeconds);
}

/** Where a redirect pointed, without the parts that carry secrets. */
function redactLocation(location: string | undefined): string {
  const bare = (location ?? '').replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
  return replyExcerpt(bare).slice(0, 300);
}
