// Groups client addresses by the network that one customer owns.
import ipaddr from 'ipaddr.js';

/** The address itself for IPv4; the /64 prefix for IPv6, which one customer owns entirely. */
export function networkPrefixOf(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString();
}
