// Tells the server for whom a page was rendered, so that what one user has typed is not sent as another who signed in
// later in the same browser.
import { otherUser, signInRequiredHeader } from './watch-session.ts';

/** Request header with the id of the user that the page shows. */
export const pageUserHeader = 'x-yagura-page-user';

/**
 * Wraps `window.fetch`. The page is marked with the user for whom it was rendered. A page that reads as another user is
 * loaded anew, unless there is input to keep (see `watchSession`). The content security policy allows no requests to other
 * sites.
 */
export function sendPageUser(window: Window & typeof globalThis): void {
  const { document, location } = window;
  const originalFetch = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const headers = new Headers(init?.headers ?? request?.headers);
    const userId = document.querySelector<HTMLElement>('[data-user]')?.dataset.user;
    if (userId) headers.set(pageUserHeader, userId);
    const reply = await originalFetch(input, { ...init, headers });
    const method = init?.method ?? request?.method ?? 'GET';
    if (method === 'GET' && reply.headers.get(signInRequiredHeader) === otherUser) location.reload();
    return reply;
  };
}
