// Retries calls that the server asked to repeat later, if repeating them is safe.
import type { Problem, ProblemKind } from './problem.ts';

export interface RetryOptions {
  /** Total number of attempts; default 4. */
  attempts?: number;
  /** Upper bound of the first wait in milliseconds, doubled each time; default 500. */
  baseDelayMs?: number;
  /** Maximum wait in milliseconds; if the server asks for longer, its problem is thrown. Default 10,000. */
  maxWaitMs?: number;
  /** Random number from 0 to below 1; spreads clients that failed at the same time. */
  random?: () => number;
  /** Waits the given number of milliseconds, or throws the signal's reason. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Called before every wait, with its milliseconds. */
  onWait?: (milliseconds: number, kind: ProblemKind) => void;
}

interface RetryableRequest {
  method: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * True if the request is idempotent (RFC 9110 section 9.2.2), or the server detects duplicates by its key.
 */
export function isRepeatable({
  method: rawMethod,
  headers = {},
}: Pick<RetryableRequest, 'method' | 'headers'>): boolean {
  const method = rawMethod.toUpperCase();
  const sent = new Set(
    Object.entries(headers).flatMap(([name, value]) => (value === '' ? [] : [name.toLowerCase()])),
  );
  // If the first attempt was applied, its ETag no longer matches.
  if (sent.has('if-match')) return false;
  return idempotentMethods.has(method) || (method === 'POST' && sent.has('idempotency-key'));
}

/** Whether the same call may succeed later. A 429 had no effect, so any call may be retried. */
function isRetryable(kind: ProblemKind, request: RetryableRequest): boolean {
  return kind === 'too-many-requests' || (kind === 'unavailable' && isRepeatable(request));
}

/** Retries after 429, and after 503 if the request is repeatable. Throws the last problem. */
export async function withRetry<T>(
  request: RetryableRequest,
  options: RetryOptions,
  sendAttempt: () => Promise<T>,
): Promise<T> {
  const { attempts = 4, baseDelayMs = 500, maxWaitMs = 10_000, random = Math.random, wait = sleep } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendAttempt();
    } catch (error) {
      const { kind, retryAfter = 0 } = error as Partial<Problem>;
      if (!kind || !isRetryable(kind, request) || attempt >= attempts) throw error;
      const requestedDelayMs = retryAfter * 1000;
      if (requestedDelayMs > maxWaitMs) throw error;
      // Jitter is added to the requested wait: an earlier retry would be rejected again.
      const delayMs = requestedDelayMs + random() * baseDelayMs * 2 ** (attempt - 1);
      options.onWait?.(delayMs, kind);
      await wait(delayMs, request.signal);
    }
  }
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
