/** What came of one attempt to deliver, the same for every kind of delivery. */

export interface SendResult {
  outcome: 'succeeded' | 'failed';
  /** Whether trying again can help. */
  retry: boolean;
  /** What the target asked for, whole seconds, at most 3600. */
  retryAfterSeconds?: number;
  /** HTTP status or SMTP reply code; null when there was no answer. */
  statusCode: number | null;
  /** A word key `delivery.*` and its values; never holds a secret of the request. */
  reason: { word: string; params: Record<string, string | number> };
  /** First 1,000 characters of the answer. */
  reply: string | null;
  /** The answer of an HTTP target, when `keepAnswer` asked for it. */
  answer?: { statusCode: number; headers: Record<string, string>; isBodyEncoded: boolean; body: string };
}

/** What a delivery carries beside its content. */
export interface DeliveryMeta {
  /** The same over all attempts; letters, digits, `.`, `_` and `-`. */
  deliveryId: string;
  /** Milliseconds since 1970 when this attempt began. */
  timestamp: number;
  /** From 1. */
  attempt: number;
  /** Keeps headers and body of the answer. */
  keepAnswer?: boolean;
}

/** A failure without an answer. */
export function failedResult(
  word: string,
  params: SendResult['reason']['params'],
  options: { retry: boolean },
): SendResult {
  return { outcome: 'failed', retry: options.retry, statusCode: null, reason: { word, params }, reply: null };
}

const maxReplyLength = 1000;

/** A reply as the record keeps it: 1,000 characters, and no control signs, which the store and terminals do not take. */
export function replyExcerpt(text: string): string {
  const start = Array.from(text.slice(0, maxReplyLength * 2))
    .slice(0, maxReplyLength)
    .join('');
  return start.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (sign) => (sign === '\r' ? '' : '\ufffd'));
}

/** A short stable name of a network failure, such as `ECONNREFUSED`; never a message, which may hold parts of the URL. */
export function failureCode(error: unknown): string {
  for (const one of errorChain(error)) {
    if ('code' in one && typeof one.code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(one.code)) return one.code;
  }
  return 'UNKNOWN';
}

/** An error, what several tries left, and what caused it, outermost first. */
export function errorChain(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const inner = error instanceof AggregateError ? error.errors : [];
  return [error, ...[...inner, error.cause].flatMap((one) => errorChain(one, depth + 1))];
}
