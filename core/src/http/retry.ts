// Calls that are repeated when nothing was lost by it: idempotent ones, after failures that pass by themselves.
import { Problem, type ProblemKind } from './problem.ts';
import { type Reply, type Request, send, type Transport } from './transport.ts';

export interface RetryOptions {
  /** Tries in all; 4 when absent. */
  attempts?: number;
  /** Milliseconds of the first wait's upper bound, doubled each time; 500 when absent. */
  base?: number;
  /** Milliseconds that a single wait may last; a server that asks for more gets its problem thrown. 60,000 when absent. */
  longestWait?: number;
  /** 0 up to 1; spreads clients that failed together. */
  random?: () => number;
  /** Waits so many milliseconds, or throws the signal's reason. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

const idempotentMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const passingKinds = new Set<ProblemKind>(['unreachable', 'unavailable', 'too-many-requests']);

/** True when sending twice does what sending once does (RFC 9110 section 9.2.2), or the server knows the repetition by its key. */
export function isRepeatable(request: Pick<Request, 'method' | 'headers'>): boolean {
  const method = request.method.toUpperCase();
  if (idempotentMethods.has(method)) return true;
  if (method !== 'POST') return false;
  return Object.entries(request.headers ?? {}).some(
    ([name, value]) => name.toLowerCase() === 'idempotency-key' && value !== '',
  );
}

/** Sends, and sends again after unreachable, 429 and 503 if the request is repeatable. Throws the last problem. */
export async function sendWithRetry<T>(
  transport: Transport,
  request: Request,
  options: RetryOptions = {},
): Promise<Reply<T>> {
  const {
    attempts = 4,
    base = 500,
    longestWait = 60_000,
    random = Math.random,
    wait = waitOnClock,
  } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send<T>(transport, request);
    } catch (error) {
      if (!(error instanceof Problem) || !passingKinds.has(error.kind)) throw error;
      if (attempt >= attempts || !isRepeatable(request)) throw error;
      const asked = (error.retryAfter ?? 0) * 1000;
      if (asked > longestWait) throw error;
      // Jitter comes on top of what the server asked for: earlier than that would be refused again.
      const jitter = random() * base * 2 ** (attempt - 1);
      await wait(Math.min(longestWait, asked + jitter), request.signal);
    }
  }
}

function waitOnClock(milliseconds: number, signal?: AbortSignal): Promise<void> {
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
