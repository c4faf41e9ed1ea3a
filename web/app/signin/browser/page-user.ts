// Tells the server for whom a page was rendered, so that what one user has typed is not sent as another who signed in
// later in the same browser.

/** Request header with the id of the user that the page shows. */
export const pageUserHeader = 'x-yagura-page-user';
/** Value of the header that asks for a sign-in: another user than that of the page is signed in. */
export const otherUser = 'other-user';

/** Wraps `window.fetch`. The layout marks the page with the user whose name it shows. The content security policy allows no requests to other sites. */
export function sendPageUser(window: Window & typeof globalThis): void {
  const originalFetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const userId = window.document.querySelector('main')?.dataset.user;
    if (userId) headers.set(pageUserHeader, userId);
    return originalFetch(input, { ...init, headers });
  };
}
