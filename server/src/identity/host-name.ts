// Normalizes the host names that select spaces and extracts them from requests.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 1035, 2.3.4. */
const maxLength = 253;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes a host name: lower case, ASCII, no port; null when invalid. IP literals in IPv6 form are
 * invalid.
 */
export function hostNameOf(text: string): string | null {
  // Reject characters that end the host in a URL; otherwise the parser would silently drop everything after
  // them.
  if (/[\s/\\?#@:]/.test(text.trim())) return null;
  // Empty for a name that ends in a number and is no IPv4 address (WHATWG URL, 3.5).
  const name = domainToASCII(text.trim()).replace(/\.$/, '');
  if (name.length === 0 || name.length > maxLength) return null;
  if (isIP(name) === 4) return name;
  return name.split('.').every((one) => label.test(one)) ? name : null;
}

/** The host name of a `Host` header or an authority, without the port; undefined when there is none. */
export function hostOfHeader(header: string | undefined): string | undefined {
  const host = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(header?.trim() ?? '')?.[1];
  return host?.toLowerCase().replace(/\.$/, '');
}
