// Keeps the page while its server is away: what a page reads is asked for until it comes, and a form sent is refused in words, so that nothing typed is lost.

/** Pause before a read is tried again, in milliseconds. */
export const retryPause = 3000;

let listener: ((away: boolean) => void) | undefined;
/** Reads that wait for the server. */
let waiting = 0;

/** Hears when the server goes away from a read, and when it is back. */
export function onReach(told: (away: boolean) => void): () => void {
  listener = told;
  told(waiting > 0);
  return () => {
    if (listener === told) listener = undefined;
  };
}

/** Stands before the browser's own fetch from now on; only the data of pages is its business. */
export function watchReach(window: Window & typeof globalThis): void {
  const plain = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (!isPageData(input, window.location.href)) return plain(input, init);
    const ask = () => answer(plain(input, init), init?.signal);
    const first = await ask();
    if (first) return first;
    // Whether the form has arrived is not known: only a person can say that it should be sent again.
    if ((init?.method ?? 'GET').toUpperCase() !== 'GET') return refusal();
    return readLater(ask, init?.signal);
  };
}

async function readLater(ask: () => Promise<Response | null>, signal: AbortSignal | null | undefined) {
  count(1);
  try {
    for (;;) {
      await pause(signal);
      const reply = await ask();
      if (reply) return reply;
    }
  } finally {
    count(-1);
  }
}

function count(change: number): void {
  waiting += change;
  listener?.(waiting > 0);
}

/** Null when nothing was answered, or something before the console did it. What is no longer wanted is thrown. */
async function answer(asked: Promise<Response>, signal: AbortSignal | null | undefined) {
  try {
    const reply = await asked;
    const away = reply.status >= 502 && reply.status <= 504;
    return away && !reply.headers.has('x-remix-response') ? null : reply;
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

function pause(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', over);
      resolve();
    }, retryPause);
    signal?.addEventListener('abort', over, { once: true });
  });
}

function isPageData(input: RequestInfo | URL, here: string): boolean {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : String(input), here);
  return origin === new URL(here).origin && pathname.endsWith('.data');
}

/** What an action gives back that could not do its work, as Remix writes it. */
function refusal(): Response {
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
  const place = parts.push(value) - 1;
  if (typeof value === 'object' && value !== null)
    parts[place] = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [`_${parts.push(key) - 1}`, flatten(inner, parts)]),
    );
  return place;
}
