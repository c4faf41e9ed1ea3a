/** Parses the URL of a webhook: http or https, no user info, a valid port. */

/** Stable code of what is wrong with the URL. */
export type UrlError = 'invalid' | 'scheme' | 'userinfo' | 'port';

export interface OutgoingUrl {
  origin: string;
  /** Path and query. */
  path: string;
}

/** Parses a target URL; returns its parts or the fault. The fragment is dropped, as it is never sent. */
export function parseOutgoingUrl(text: string): OutgoingUrl | UrlError {
  if (!URL.canParse(text)) return portError(text) ? 'port' : 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username || url.password) return 'userinfo';
  if (url.port === '0') return 'port';
  return { origin: url.origin, path: url.pathname + url.search };
}

/** The parser rejects the whole URL for a port above 65,535, but the error message should name the port. */
function portError(text: string): boolean {
  return URL.canParse(text.replace(/^(https?:\/\/[^/?#]*):\d{1,20}(?=[/?#]|$)/i, '$1')) && /:\d/.test(text);
}
