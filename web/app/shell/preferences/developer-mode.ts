// Developer mode: a switch of this browser that shows the tools for developers; off unless it was turned on.

/** Cookie that holds the switch; it is a cookie so that the server draws the same drawer as the browser. */
export const developerModeCookie = 'yagura.developer-mode';

/** Reads the switch from a list of cookies (a request's header or `document.cookie`); anything but `true` is off. */
export function isDeveloperMode(cookies: string | null): boolean {
  return new RegExp(`(?:^|;)\\s*${developerModeCookie.replaceAll('.', '\\.')}=true(?:;|$)`).test(
    cookies ?? '',
  );
}
