// Validates IPv4 and IPv6 addresses and networks, as accepted by the IP restriction.
import { isIpv4, isIpv4Cidr } from './ipv4.ts';

/** An IPv4 or IPv6 address, without a zone index. */
export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/** The host of a URL as sockets want it: an IPv6 address stands there in brackets (RFC 3986 section 3.2.2). */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** An address, or a network in CIDR notation, of either family. */
export function isIpOrCidr(text: string): boolean {
  if (isIp(text) || isIpv4Cidr(text)) return true;
  const [start, size, ...more] = text.split('/', 3);
  return (
    more.length === 0 && size !== undefined && isIpv6(start!) && /^\d{1,3}$/.test(size) && Number(size) <= 128
  );
}

const maxIpv6Length = 45;
const ipv6Groups = 8;
const ipv6Group = /^[0-9a-f]{1,4}$/i;

/**
 * Eight groups of hexadecimal digits, one or more of which `::` may replace once, and the last two of which may be written as
 * an IPv4 address (RFC 4291 section 2.2). Cheap for what is none, because whole texts are searched for addresses.
 */
function isIpv6(text: string): boolean {
  if (text.length > maxIpv6Length || !text.includes(':')) return false;
  const last = text.slice(text.lastIndexOf(':') + 1);
  const address = isIpv4(last) ? `${text.slice(0, -last.length)}0:0` : text;
  const [start, end, ...more] = address.split('::', 3);
  const groups = [start, end].flatMap((part) => (part ? part.split(':') : []));
  const isComplete = end === undefined ? groups.length === ipv6Groups : groups.length < ipv6Groups;
  return more.length === 0 && isComplete && groups.every((group) => ipv6Group.test(group));
}
