/**
 * Decides which network addresses outgoing deliveries may connect to, to prevent access to internal networks
 * (SSRF).
 */
import type { LookupFunction } from 'node:net';
import { withoutBrackets } from '@yagura/core/validation/ip';
import ipaddr from 'ipaddr.js';
import { type Address, embeddedAddress, isPublicAddress, parseAddress } from './address-range.ts';
import { createDnsLookup } from './dns/dns-lookup.ts';
import type { ResolveHost } from './dns/resolve-host.ts';

export interface AddressGuard {
  /**
   * Throws `BlockedAddress` if `host` is an IP address, in any notation a URL accepts, that is not permitted.
   * Names pass; they are checked when resolved.
   */
  check(host: string, port: number): void;
  /**
   * Lookup function for `net.connect` and `tls.connect` to that port: returns only the permitted addresses of
   * a name, in the resolver's order, or fails with `BlockedAddress`. The socket connects to exactly these, so
   * DNS rebinding is not possible.
   */
  lookup(port: number): LookupFunction;
}

/** Thrown if outgoing deliveries may not connect to the target. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  readonly host: string;
  readonly address: string;

  constructor(host: string, address: string) {
    super(`Outgoing connections to ${address} are not permitted (host ${host})`);
    this.host = host;
    this.address = address;
  }
}

interface AllowedTarget {
  network: [Address, number] | null;
  host: string | null;
  port: number | null;
}

/**
 * Creates a guard that permits the public internet and the entries of `allow`: networks (`10.0.0.0/8`),
 * addresses, host names, and addresses or names with a port (`gate.example:8080`, `[::1]:8080`). Throws if an
 * entry is none of these.
 */
export function createAddressGuard(options: { allow: string[]; resolve?: ResolveHost }): AddressGuard {
  const permissions = options.allow
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseAllowedTarget);
  const resolve = options.resolve ?? createDnsLookup();

  function permits(host: string, address: Address, port: number): boolean {
    if (isPublicAddress(address)) return true;
    return permissions.some(
      (permission) =>
        (permission.port === null || permission.port === port) &&
        (permission.network ? isInNetwork(address, permission.network) : permission.host === host),
    );
  }

  return {
    check(host, port) {
      const name = canonicalHost(host);
      if (name === null) throw new BlockedAddress(host, host);
      const address = parseAddress(name);
      if (address && !permits(name, address, port)) throw new BlockedAddress(host, address.toString());
    },
    lookup: (port) => (host, options, callback) => {
      const name = canonicalHost(host) ?? host;
      resolve(name).then(
        (found) => {
          const family = Number(options.family ?? 0);
          const usable = found.filter((entry) => family === 0 || entry.family === family);
          const permitted = usable.filter((entry) => {
            const address = parseAddress(entry.address);
            return address !== null && permits(name, address, port);
          });
          const [first] = permitted;
          if (!first)
            return callback(
              usable[0] ? new BlockedAddress(host, usable[0].address) : notFoundError(host),
              '',
            );
          if (options.all) return callback(null, permitted);
          callback(null, first.address, first.family);
        },
        (error) => callback(error, ''),
      );
    },
  };
}

/**
 * Normalizes a host like a URL: short, octal and hexadecimal IPv4 forms as four decimal parts, no brackets,
 * no trailing dot.
 */
function canonicalHost(host: string): string | null {
  const bare = withoutBrackets(host).toLowerCase();
  const address = parseAddress(bare);
  if (address) return address.toString();
  // Characters that would make the URL parser read more than a host.
  if (!bare || /[\s/?#@:\\[\]]/.test(bare) || !URL.canParse(`http://${bare}`)) return null;
  return new URL(`http://${bare}`).hostname.replace(/\.$/, '');
}

function parseAllowedTarget(entry: string): AllowedTarget {
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) throw invalidEntryError(entry);
    return { network: ipaddr.parseCIDR(entry), host: null, port: null };
  }
  const [, hostPart = entry, portPart] = parseAddress(entry) ? [] : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []);
  const port = portPart === undefined ? null : Number(portPart);
  const host = canonicalHost(hostPart);
  if (host === null || (port !== null && (port < 1 || port > 65_535))) throw invalidEntryError(entry);
  const address = parseAddress(host);
  if (!address) return { network: null, host, port };
  return { network: [address, address.kind() === 'ipv4' ? 32 : 128], host: null, port };
}

function invalidEntryError(entry: string): Error {
  return new Error(`"${entry}" is not a network, an address, a host name or one of these with a port`);
}

function isInNetwork(address: Address, [network, bits]: [Address, number]): boolean {
  return [address, embeddedAddress(address)].some(
    (one) => one.kind() === network.kind() && one.match(network, bits),
  );
}

function notFoundError(host: string): Error {
  return Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' });
}
