// Developer mode: shows developer tools in this browser; off by default.

/** A cookie, so that the server renders the same drawer as the browser. */
export const developerModeCookie = 'yagura.developer-mode';

/** Reads the setting from cookies (a request header or `document.cookie`); anything but `true` is off. */
export function isDeveloperMode(cookies: string | null): boolean {
  return new RegExp(`(?:^|;)\\s*${developerModeCookie.replaceAll('.', '\\.')}=true(?:;|$)`).test(
    cookies ?? '',
  );
}
