// Validates IPv4 and IPv6 addresses and networks, as accepted by the IP restriction.
import ipaddr from 'ipaddr.js';
import { isIpv4, isIpv4Cidr } from './ipv4.ts';

/** An IPv4 or IPv6 address, without a zone index. */
export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}

/** An address, or a network in CIDR notation, of either family. */
export function isIpOrCidr(text: string): boolean {
  if (isIp(text) || isIpv4Cidr(text)) return true;
  const [start, size, ...more] = text.split('/', 3);
  return (
    more.length === 0 && size !== undefined && isIpv6(start!) && /^\d{1,3}$/.test(size) && Number(size) <= 128
  );
}

function isIpv6(text: string): boolean {
  return text.length <= 45 && text.includes(':') && /^[0-9a-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text);
}
