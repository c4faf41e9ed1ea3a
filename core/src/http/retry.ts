// Calls that are repeated when nothing was lost by it: what the server asked to have sent later.
import type { Problem, ProblemKind } from './problem.ts';

export interface RetryOptions {
  /** Tries in all; 4 when absent. */
  attempts?: number;
  /** Milliseconds of the first wait's upper bound, doubled each time; 500 when absent. */
  baseDelayMs?: number;
  /** Milliseconds that a single wait may last; a server that asks for more gets its problem thrown. 10,000 when absent. */
  maxWaitMs?: number;
  /** 0 up to 1; spreads clients that failed together. */
  random?: () => number;
  /** Waits so many milliseconds, or throws the signal's reason. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

interface RetryableRequest {
  method: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** True when sending twice does what sending once does (RFC 9110 section 9.2.2), or the server knows the repetition by its key. */
export function isRepeatable({
  method: rawMethod,
  headers = {},
}: Pick<RetryableRequest, 'method' | 'headers'>): boolean {
  const method = rawMethod.toUpperCase();
  const sent = new Set(
    Object.entries(headers).flatMap(([name, value]) => (value === '' ? [] : [name.toLowerCase()])),
  );
  // The version that was asked for is gone once the first try has been carried out.
  if (sent.has('if-match')) return false;
  return idempotentMethods.has(method) || (method === 'POST' && sent.has('idempotency-key'));
}

/** Whether a refusal says that the same call may work in a while. A 429 has done nothing, so any call may follow it. */
function isRetryable(kind: ProblemKind, request: RetryableRequest): boolean {
  return kind === 'too-many-requests' || (kind === 'unavailable' && isRepeatable(request));
}

/** Sends, and sends again after 429, and after 503 if the request is repeatable. Throws the last problem. */
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
      // Jitter comes on top of what the server asked for: earlier than that would be refused again.
      await wait(requestedDelayMs + random() * baseDelayMs * 2 ** (attempt - 1), request.signal);
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
