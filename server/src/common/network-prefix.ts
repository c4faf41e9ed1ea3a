// Groups client addresses by the network that one customer owns.
import ipaddr from 'ipaddr.js';

/** Some proxies write the port of each connection behind the address, and an IPv6 address in brackets. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** The address itself for IPv4; the /64 prefix for IPv6, which one customer owns entirely. */
export function networkPrefixOf(text: string): string {
  const [, inBrackets, beforePort] = withPort.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  if (!ipaddr.isValid(address)) return text;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString();
}
