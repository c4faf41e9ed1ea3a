/** Path of a Chromium for the browser tests; undefined if there is none. */
export function findBrowser(): string | undefined;
