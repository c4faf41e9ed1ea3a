// The site's policy: what this agent may contact. The server can only ask for less.
import { type exclusionReasons, maxExclusions } from '@yagura/core/inventory/scan-report';
import type { ScanOrderSettings } from '@yagura/core/ksocket/agent-protocol';
import {
  countAddresses,
  type Ipv4Range,
  includesAddress,
  intersect,
  subtract,
  toNetworks,
  toRanges,
  union,
} from './ipv4-ranges.ts';

/** Networks that hold no hosts of a site (RFC 6890) or serve the credentials of cloud machines. */
const specialNetworks: readonly (readonly string[])[] = [
  // Metadata services; they are no part of the link-local network, so that each must be named itself.
  ['169.254.169.254', '100.100.100.200', '192.0.0.192'],
  // Loopback, link-local, multicast, reserved.
  ['127.0.0.0/8'],
  ['169.254.0.0/16'],
  ['224.0.0.0/4'],
  ['0.0.0.0/8', '240.0.0.0/4'],
];

export interface ScanPolicy {
  allowed: readonly string[];
  forbidden: readonly string[];
  ports: readonly number[];
  packetsPerSecond: number;
  parallelHosts: number;
}

export type ExclusionReason = (typeof exclusionReasons)[number];

export interface Targets {
  ranges: Ipv4Range[];
  count: number;
  /** What was asked for and is not contacted, with the first reason that applies. */
  excluded: { network: string; reason: ExclusionReason }[];
}

/** The addresses that the site's policy permits. */
export function permittedRanges(policy: Pick<ScanPolicy, 'allowed' | 'forbidden'>): Ipv4Range[] {
  const withoutSpecial = subtract(toRanges(policy.allowed), unnamedSpecial(policy.allowed));
  return subtract(withoutSpecial, toRanges(policy.forbidden));
}

/** Seeds reduced to what both the site and the server permit. */
export function selectTargets(policy: ScanPolicy, request: ScanOrderSettings): Targets {
  let left = toRanges(request.seeds);
  const excluded: Targets['excluded'] = [];
  const exclude = (reason: ExclusionReason, what: readonly Ipv4Range[]) => {
    for (const network of toNetworks(intersect(left, what))) excluded.push({ network, reason });
    left = subtract(left, what);
  };
  for (const networks of specialNetworks)
    exclude('SPECIAL_ADDRESS', subtract(toRanges(networks), named(policy.allowed, networks)));
  exclude('NOT_ALLOWED_BY_SITE', subtract(left, toRanges(policy.allowed)));
  exclude('FORBIDDEN_BY_SITE', toRanges(policy.forbidden));
  if (request.allowed.length > 0) exclude('NOT_ALLOWED_BY_SERVER', subtract(left, toRanges(request.allowed)));
  exclude('FORBIDDEN_BY_SERVER', toRanges(request.forbidden));
  return { ranges: left, count: countAddresses(left), excluded: excluded.slice(0, maxExclusions) };
}

/** The slower of the site's pace and the one that the server asks for. */
export function effectivePace(
  policy: Pick<ScanPolicy, 'packetsPerSecond' | 'parallelHosts'>,
  pace: ScanOrderSettings['pace'] = {},
): { packetsPerSecond: number; parallelHosts: number } {
  return {
    packetsPerSecond: Math.min(policy.packetsPerSecond, pace.packetsPerSecond ?? Number.POSITIVE_INFINITY),
    parallelHosts: Math.min(policy.parallelHosts, pace.parallelHosts ?? Number.POSITIVE_INFINITY),
  };
}

/** Whether a policy of requests permits this address and port. */
export function permitsRequest(
  policy: { allowed: readonly string[]; forbidden: readonly string[]; ports: readonly number[] },
  address: string,
  port: number,
): boolean {
  return (
    includesAddress(permittedRanges(policy), address) &&
    (policy.ports.length === 0 || policy.ports.includes(port))
  );
}

/** Special networks except the parts that the site names. */
function unnamedSpecial(allowed: readonly string[]): Ipv4Range[] {
  return specialNetworks.reduce<Ipv4Range[]>(
    (all, networks) => union(all, subtract(toRanges(networks), named(allowed, networks))),
    [],
  );
}

/** Entries that lie completely within one of the networks, so that 0.0.0.0/0 does not name loopback. */
function named(allowed: readonly string[], networks: readonly string[]): Ipv4Range[] {
  return toRanges(
    allowed.filter((entry) =>
      networks.some((network) => subtract(toRanges([entry]), toRanges([network])).length === 0),
    ),
  );
}
