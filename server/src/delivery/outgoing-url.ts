/** Reads the address of a webhook: http or https, no user name, a port that exists. */

/** What is wrong with the URL, as a stable word. */
export type UrlFault = 'invalid' | 'scheme' | 'userinfo' | 'port';

export interface OutgoingUrl {
  origin: string;
  /** Path and query. */
  path: string;
  /** As the URL parser writes it: lower case, IPv4 in four decimal parts, IPv6 in brackets. */
  host: string;
  port: number;
}

/** The parts of a target's URL, or what is wrong with it. The fragment is dropped: it is never sent. */
export function parseOutgoingUrl(text: string): OutgoingUrl | UrlFault {
  if (!URL.canParse(text)) return portFault(text) ? 'port' : 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username || url.password) return 'userinfo';
  const port = url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80;
  if (port < 1) return 'port';
  return { origin: url.origin, path: url.pathname + url.search, host: url.hostname, port };
}

/** The parser refuses a port above 65,535 as a whole; the sentence should name the port. */
function portFault(text: string): boolean {
  return URL.canParse(text.replace(/^(https?:\/\/[^/?#]*):\d{1,20}(?=[/?#]|$)/i, '$1')) && /:\d/.test(text);
}
