// Validates IPv4 addresses and networks.

const part = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const address = new RegExp(`^${part}(?:\\.${part}){3}$`);
const prefixLength = /^(?:3[0-2]|[12]?\d)$/;

/** Four decimal parts without leading zeros. */
export function isIpv4(text: string): boolean {
  return address.test(text);
}

/** An IPv4 address and a prefix length from 0 to 32; host bits may be set. */
export function isIpv4Cidr(text: string): boolean {
  const [start, size, ...more] = text.split('/', 3);
  return more.length === 0 && size !== undefined && isIpv4(start!) && prefixLength.test(size);
}

/** An IPv4 address or network. */
export function isIpv4OrCidr(text: string): boolean {
  return isIpv4(text) || isIpv4Cidr(text);
}
