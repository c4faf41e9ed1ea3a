// Holds requests whose session has expired, or that another user in the same browser would send, until the user has
// signed in again, so that no input is lost. Once the user signs out, no request leads to the sign-in any more.

/** Response header that marks a redirect to the sign-in. */
export const signInRequiredHeader = 'x-yagura-sign-in';
/** Value of the header: another user than that of the page is signed in. */
export const otherUser = 'other-user';

/** Path to which the form of the account menu posts. */
export const signOutPath = '/sign-out';

/** Called for each held request with a function that resends it, and whether another user is signed in. */
export type BlockedRequestListener = (retry: () => void, isOtherUser: boolean) => void;

let listener: BlockedRequestListener | undefined;
/** Path at which there is unsubmitted input. */
let unsavedInputPath: string | undefined;

/** Registers the listener for held requests; without one, requests are not held. */
export function onBlockedRequest(onChange: BlockedRequestListener): () => void {
  listener = onChange;
  return () => {
    if (listener === onChange) listener = undefined;
  };
}

/** Wraps `window.fetch`. */
export function watchSession(window: Window & typeof globalThis): void {
  const { document, location } = window;
  const originalFetch = window.fetch.bind(window);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof window.Element ? target.closest('form') : null;
    if (form?.method === 'post') unsavedInputPath = location.pathname;
  });
  let isSigningOut = false;
  document.addEventListener('submit', ({ target }) => {
    const action = (target as Element).getAttribute('action') ?? '';
    if (new URL(action, location.href).pathname === signOutPath) isSigningOut = true;
  });
  // The page was restored from the history.
  window.addEventListener('pageshow', () => {
    isSigningOut = false;
  });
  window.fetch = async (input, init) => {
    let reply = await originalFetch(input, init);
    // Following it would cancel the redirects of the sign-out and leave the user signed in at the provider.
    if (isSigningOut && reply.headers.has(signInRequiredHeader)) return new Promise(() => {});
    while (
      listener &&
      reply.headers.has(signInRequiredHeader) &&
      isWorthRetrying(init?.method, location.pathname)
    ) {
      const isOtherUser = reply.headers.get(signInRequiredHeader) === otherUser;
      await new Promise<void>((retry) => listener!(retry, isOtherUser));
      reply = await originalFetch(input, init);
    }
    return reply;
  };
}

/**
 * Returns whether to hold a request: every write, and a read on a page with unsubmitted input, since its
 * response would replace the page.
 */
function isWorthRetrying(method: string | undefined, path: string): boolean {
  return (method !== undefined && method.toUpperCase() !== 'GET') || unsavedInputPath === path;
}
