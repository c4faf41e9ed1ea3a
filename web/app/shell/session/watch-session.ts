// Holds a request of the page whose session has ended until somebody has signed in again, so that nothing typed is lost.

/** Marks a reply that leads to the sign-in. */
export const signInRequiredHeader = 'x-yagura-sign-in';

/** Is told of a request that waits; `again` sends it anew. */
export type BlockedRequestListener = (retry: () => void) => void;

let listener: BlockedRequestListener | undefined;
/** Where something was typed that is not yet sent. */
let unsavedInputPath: string | undefined;

/** Hears of requests that wait; without a listener none does. */
export function onBlockedRequest(onChange: BlockedRequestListener): () => void {
  listener = onChange;
  return () => {
    if (listener === onChange) listener = undefined;
  };
}

/** Stands before the browser's own fetch from now on. */
export function watchSession(window: Window & typeof globalThis): void {
  const { document, location } = window;
  const originalFetch = window.fetch.bind(window);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof window.Element ? target.closest('form') : null;
    if (form?.method === 'post') unsavedInputPath = location.pathname;
  });
  window.fetch = async (input, init) => {
    let reply = await originalFetch(input, init);
    while (
      listener &&
      reply.headers.has(signInRequiredHeader) &&
      isWorthRetrying(init?.method, location.pathname)
    ) {
      await new Promise<void>((retry) => listener!(retry));
      reply = await originalFetch(input, init);
    }
    return reply;
  };
}

/** A write always does; a read does where something was typed, for its reply would take the page away. */
function isWorthRetrying(method: string | undefined, path: string): boolean {
  return (method !== undefined && method.toUpperCase() !== 'GET') || unsavedInputPath === path;
}
