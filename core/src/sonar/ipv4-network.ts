// Converts IPv4 addresses and networks to numbers.
import { isIpv4OrCidr } from '../validation/ipv4.ts';

export interface Ipv4Network {
  /** First address as a number. */
  first: number;
  bits: number;
  /** Number of addresses. */
  size: number;
  /** Canonical form without host bits, e.g. `10.0.0.0/24`. */
  text: string;
}

/** Parses `a.b.c.d` or `a.b.c.d/n`; undefined if it is neither. */
export function ipv4Network(text: string): Ipv4Network | undefined {
  if (!isIpv4OrCidr(text)) return undefined;
  const [address, prefix] = text.split('/') as [string, string?];
  const bits = prefix === undefined ? 32 : Number(prefix);
  const size = 2 ** (32 - bits);
  const first = Math.floor(ipv4Number(address) / size) * size;
  return { first, bits, size, text: `${ipv4Text(first)}/${bits}` };
}

/** The number of a dotted address. */
export function ipv4Number(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function ipv4Text(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
