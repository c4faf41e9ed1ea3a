// Keeps the page usable while the server is unreachable: page data requests are retried until they succeed; a
// submitted form fails with an error message, so that no input is lost.

/** Delay between retries in milliseconds. */
export const retryIntervalMs = 3000;

let listener: ((isOffline: boolean) => void) | undefined;
/** Number of requests waiting for the server. */
let pendingReads = 0;

/** Registers the listener for the server becoming unreachable and reachable again. */
export function onConnectionChange(onChange: (isOffline: boolean) => void): () => void {
  listener = onChange;
  onChange(pendingReads > 0);
  return () => {
    if (listener === onChange) listener = undefined;
  };
}

/** Wraps `window.fetch`; affects page data requests only. */
export function watchConnection(window: Window & typeof globalThis): void {
  const originalFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (!isPageData(input, window.location.href)) return originalFetch(input, init);
    const attempt = () => responseOrNull(originalFetch(input, init), init?.signal);
    const first = await attempt();
    if (first) return first;
    // It is unknown whether the form arrived, so only the user can decide to send it again.
    if ((init?.method ?? 'GET').toUpperCase() !== 'GET') return unreachableResponse();
    return retryRead(attempt, init?.signal);
  };
}

async function retryRead(attempt: () => Promise<Response | null>, signal: AbortSignal | null | undefined) {
  changePendingReads(1);
  try {
    for (;;) {
      await waitBeforeRetry(signal);
      const reply = await attempt();
      if (reply) return reply;
    }
  } finally {
    changePendingReads(-1);
  }
}

function changePendingReads(change: number): void {
  pendingReads += change;
  listener?.(pendingReads > 0);
}

/**
 * Resolves to null if there was no response, or a gateway error from a proxy. Throws if the request was
 * aborted.
 */
async function responseOrNull(pendingResponse: Promise<Response>, signal: AbortSignal | null | undefined) {
  try {
    const reply = await pendingResponse;
    const isOffline = reply.status >= 502 && reply.status <= 504;
    return isOffline && !reply.headers.has('x-remix-response') ? null : reply;
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

function waitBeforeRetry(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, retryIntervalMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function isPageData(input: RequestInfo | URL, here: string): boolean {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : String(input), here);
  return origin === new URL(here).origin && pathname.endsWith('.data');
}

/** Response of an action whose request failed, in Remix's format. */
function unreachableResponse(): Response {
  const problem = {
    kind: 'unreachable',
    type: 'urn:yagura:problem:unreachable',
    title: 'The server cannot be reached',
    status: 503,
  };
  const parts: unknown[] = [];
  flatten({ data: { problem, errors: {}, values: {} } }, parts);
  return new Response(`${JSON.stringify(parts)}\n`, { status: 503, headers: { 'x-remix-response': 'yes' } });
}

/**
 * Encodes plain data as turbo-stream does: every value has an index; objects refer to keys and values by
 * index.
 */
function flatten(value: unknown, parts: unknown[]): number {
  const index = parts.push(value) - 1;
  if (typeof value === 'object' && value !== null)
    parts[index] = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [`_${parts.push(key) - 1}`, flatten(inner, parts)]),
    );
  return index;
}
