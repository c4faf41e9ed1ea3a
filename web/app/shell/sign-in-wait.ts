// Holds a request of the page whose session has ended until somebody has signed in again, so that nothing typed is lost.

/** Marks a reply that leads to the sign-in. */
export const signInHeader = 'x-yagura-sign-in';

/** Is told of a request that waits; `again` sends it anew. */
export type Waiting = (again: () => void) => void;

let listener: Waiting | undefined;
/** Where something was typed that is not yet sent. */
let typedAt: string | undefined;

/** Hears of requests that wait; without a listener none does. */
export function onWaiting(told: Waiting): () => void {
  listener = told;
  return () => {
    if (listener === told) listener = undefined;
  };
}

/** Stands before the browser's own fetch from now on. */
export function watchSessions(window: Window & typeof globalThis): void {
  const { document, location } = window;
  const plain = window.fetch.bind(window);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof window.Element ? target.closest('form') : null;
    if (form?.method === 'post') typedAt = location.pathname;
  });
  window.fetch = async (input, init) => {
    let reply = await plain(input, init);
    while (listener && reply.headers.has(signInHeader) && holdsWork(init?.method, location.pathname)) {
      await new Promise<void>((again) => listener!(again));
      reply = await plain(input, init);
    }
    return reply;
  };
}

/** A write always does; a read does where something was typed, for its reply would take the page away. */
function holdsWork(method: string | undefined, path: string): boolean {
  return (method !== undefined && method.toUpperCase() !== 'GET') || typedAt === path;
}
