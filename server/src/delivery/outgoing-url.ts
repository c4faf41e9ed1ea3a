/** Reads the address of a webhook: http or https, no user name, a port that exists. */

/** What is wrong with the URL, as a stable word. */
export type UrlError = 'invalid' | 'scheme' | 'userinfo' | 'port';

export interface OutgoingUrl {
  origin: string;
  /** Path and query. */
  path: string;
}

/** The parts of a target's URL, or what is wrong with it. The fragment is dropped: it is never sent. */
export function parseOutgoingUrl(text: string): OutgoingUrl | UrlError {
  if (!URL.canParse(text)) return portError(text) ? 'port' : 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username || url.password) return 'userinfo';
  if (url.port === '0') return 'port';
  return { origin: url.origin, path: url.pathname + url.search };
}

/** The parser refuses a port above 65,535 as a whole; the sentence should name the port. */
function portError(text: string): boolean {
  return URL.canParse(text.replace(/^(https?:\/\/[^/?#]*):\d{1,20}(?=[/?#]|$)/i, '$1')) && /:\d/.test(text);
}
