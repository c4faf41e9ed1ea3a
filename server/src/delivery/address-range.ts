/**
 * Distinguishes public internet addresses from all others, based on the IANA special-purpose registries (RFC
 * 6890, RFC 8190).
 */
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The part of the IPv6 space allocated as global unicast (IANA, RFC 4291 section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address such as `10.0.0.1`, `::1` or `fe80::1%eth0`; null if invalid. Shortened and octal forms
 * are not accepted.
 */
export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!ipaddr.IPv6.isValid(text)) return null;
  // ipaddr.js parses `::8.8.8.8` as an IPv4-mapped address; the URL parser converts the last four bytes to
  // hexadecimal.
  const plain = text.includes('.')
    ? new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
    : text;
  return ipaddr.IPv6.parse(plain);
}

/**
 * Returns the IPv4 address reached through an IPv4-mapped (RFC 4291) or well-known NAT64 (RFC 6052) address;
 * any other address unchanged.
 */
export function embeddedAddress(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() !== 'rfc6052' || address.parts[2] !== 0) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/**
 * Whether the address is ordinary global unicast. Besides local ranges, this excludes all forms that embed an
 * IPv4 address and need a relay (6to4, Teredo, IPv4-compatible, IPv4-translated): no legitimate target has
 * one today.
 */
export function isPublicAddress(address: Address): boolean {
  const reached = embeddedAddress(address);
  if (reached.range() !== 'unicast') return false;
  return reached instanceof ipaddr.IPv4 || reached.match(globalUnicast);
}
