// Keeps the page while its server is away: what a page reads is asked for until it comes, and a form sent is refused in words, so that nothing typed is lost.

/** Pause before a read is tried again, in milliseconds. */
export const retryIntervalMs = 3000;

let listener: ((isOffline: boolean) => void) | undefined;
/** Reads that wait for the server. */
let pendingReads = 0;

/** Hears when the server goes away from a read, and when it is back. */
export function onConnectionChange(onChange: (isOffline: boolean) => void): () => void {
  listener = onChange;
  onChange(pendingReads > 0);
  return () => {
    if (listener === onChange) listener = undefined;
  };
}

/** Stands before the browser's own fetch from now on; only the data of pages is its business. */
export function watchConnection(window: Window & typeof globalThis): void {
  const originalFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (!isPageData(input, window.location.href)) return originalFetch(input, init);
    const attempt = () => responseOrNull(originalFetch(input, init), init?.signal);
    const first = await attempt();
    if (first) return first;
    // Whether the form has arrived is not known: only a person can say that it should be sent again.
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

/** Null when nothing was answered, or something before the console did it. What is no longer wanted is thrown. */
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

/** What an action gives back that could not do its work, as Remix writes it. */
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

/** Writes plain data as turbo-stream does: every value at a place of its own, objects by the places of their keys and values. */
function flatten(value: unknown, parts: unknown[]): number {
  const index = parts.push(value) - 1;
  if (typeof value === 'object' && value !== null)
    parts[index] = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [`_${parts.push(key) - 1}`, flatten(inner, parts)]),
    );
  return index;
}
