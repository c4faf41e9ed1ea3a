// The host names that select spaces: how they are written, and what a request says.
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 1035, 2.3.4. */
const maxLength = 253;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The one form of a host name: lower case, ASCII, no port; null when it is none. IPv6 addresses are none. */
export function hostNameOf(text: string): string | null {
  // What ends a host in a URL would be cut off together with all that follows.
  if (/[\s/\\?#@:]/.test(text.trim())) return null;
  const name = domainToASCII(text.trim()).replace(/\.$/, '');
  if (name.length === 0 || name.length > maxLength) return null;
  if (isIP(name) === 4) return name;
  const labels = name.split('.');
  // What ends in a number is read as an address by browsers (WHATWG URL, 3.5).
  if (/^\d+$/.test(labels.at(-1)!)) return null;
  return labels.every((one) => label.test(one)) ? name : null;
}

/** The host name of a `Host` header or of an authority, without its port; undefined when there is none. */
export function hostOfHeader(header: string | undefined): string | undefined {
  const host = /^(\[[\da-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(header?.trim() ?? '')?.[1];
  return host?.toLowerCase().replace(/\.$/, '');
}
