/** Result of one delivery attempt, common to all kinds of delivery. */

import type { MessageKey } from '@yagura/core/i18n/message-key';

export interface SendResult {
  outcome: 'succeeded' | 'failed';
  /** Whether a retry may succeed. */
  retry: boolean;
  /** Delay requested by the target in whole seconds, at most 3600. */
  retryAfterSeconds?: number;
  /** HTTP status or SMTP reply code; null without a response. */
  statusCode: number | null;
  /** Message key `delivery.*` and its parameters; never contains a secret of the request. */
  reason: { word: MessageKey; params: Record<string, string | number> };
  /** First 1,000 characters of the response. */
  reply: string | null;
  /** The response of an HTTP target, if requested with `keepAnswer`. */
  answer?: { statusCode: number; headers: Record<string, string>; isBodyEncoded: boolean; body: string };
}

/** Metadata of a delivery. */
export interface DeliveryMeta {
  /** The same for all attempts; letters, digits, `.`, `_` and `-`. */
  deliveryId: string;
  /** Start of this attempt, in milliseconds since the Unix epoch. */
  timestamp: number;
  /** Starts at 1. */
  attempt: number;
  /** Keeps headers and body of the response. */
  keepAnswer?: boolean;
}

/** A failure without a response. */
export function failedResult(
  word: MessageKey,
  params: SendResult['reason']['params'],
  options: { retry: boolean },
): SendResult {
  return { outcome: 'failed', retry: options.retry, statusCode: null, reason: { word, params }, reply: null };
}

const maxReplyLength = 1000;

/**
 * Truncates a response for the record to 1,000 characters and removes control characters, which neither the
 * database nor terminals accept.
 */
export function replyExcerpt(text: string): string {
  const start = Array.from(text.slice(0, maxReplyLength * 2))
    .slice(0, maxReplyLength)
    .join('');
  return start.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (sign) => (sign === '\r' ? '' : '\ufffd'));
}

/**
 * Stable short name of a network error, such as `ECONNREFUSED`; never a message, which may contain parts of
 * the URL.
 */
export function failureCode(error: unknown): string {
  for (const one of errorChain(error)) {
    if ('code' in one && typeof one.code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(one.code)) return one.code;
  }
  return 'UNKNOWN';
}

/** An error with its aggregated errors and causes, outermost first. */
export function errorChain(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...inner, error.cause].flatMap((one) => errorChain(one, depth + 1))];
}
