// Estimates a scan before it starts, without sending anything.
import type { NeighborTablePlan } from '@yagura/core/inventory/scan-report';
import type { ScanOrderSettings } from '@yagura/core/ksocket/agent-protocol';
import { type DiscoveryAbilities, neighborTablePlan, neighborTableSize } from '../discover/abilities.ts';
import { blockSize, blocksAhead, neighborWaitMs, probeTimeoutMs } from '../discover/discovery-limits.ts';
import { packetsPerTarget } from '../discover/installed-scanners.ts';
import { emptyMac } from '../read/interfaces.ts';
import { countAddresses, type Ipv4Range, intersect, subtract, toRanges } from '../site/ipv4-ranges.ts';
import type { OwnNetwork } from '../site/own-networks.ts';
import { effectivePace, type ScanPolicy, selectTargets, type Targets } from '../site/policy.ts';

/** Seconds that each block takes beyond those that fit into the table, while the table empties itself. */
const pacedBlockSeconds = 8;

export interface ScanEstimate {
  addresses: number;
  /** Packets of the search for hosts; reading from the hosts that are found is not included. */
  packets: number;
  seconds: number;
  excluded: Targets['excluded'];
  limits: {
    packetsPerSecond: number;
    parallelHosts: number;
    /** If more addresses are on the link than the kernel's neighbor table holds. */
    neighborTable?: NeighborTablePlan;
  };
  targets: Ipv4Range[];
}

export function estimateScan(
  policy: ScanPolicy,
  request: ScanOrderSettings,
  own: readonly OwnNetwork[],
  abilities: DiscoveryAbilities,
): ScanEstimate {
  const seeds = seedsOf(request, own);
  const { ranges, excluded } = selectTargets(policy, { ...request, seeds });
  const targets = subtract(ranges, edgeAddresses(own));
  const onLink = countAddresses(intersect(targets, onLinkRanges(own)));
  const offLink = countAddresses(targets) - onLink;
  const { packetsPerSecond, parallelHosts } = effectivePace(policy, request.pace);
  const neighborTable = neighborTablePlan(onLink, abilities);
  const pings = abilities.nmap ? offLink * packetsPerTarget : 0;
  const packets =
    onLink * (neighborTable === 'arp-scan' ? packetsPerTarget : 1) + offLink * policy.ports.length + pings;
  const blocks = Math.ceil(onLink / blockSize);
  const blocksThatFit = Math.max(1, Math.floor(neighborTableSize() / blockSize));
  const pacing = neighborTable === 'pace' ? (blocks - blocksThatFit) * pacedBlockSeconds : 0;
  const waits = Math.ceil(blocks / Math.min(blocksAhead, blocksThatFit)) * neighborWaitMs;
  const waiting = (waits + Math.ceil(offLink / parallelHosts) * probeTimeoutMs) / 1000 + pacing;
  return {
    addresses: onLink + offLink,
    packets,
    seconds: Math.ceil(Math.max(packets / packetsPerSecond, waiting)),
    excluded,
    limits: { packetsPerSecond, parallelHosts, ...(neighborTable ? { neighborTable } : {}) },
    targets,
  };
}

/** Without starting addresses, the networks of this machine. */
export function seedsOf({ seeds }: ScanOrderSettings, own: readonly OwnNetwork[]): string[] {
  return seeds.length > 0 ? seeds : own.map(({ network }) => network);
}

/** Networks in which the kernel looks up neighbors itself: not those of tunnels, which have no hardware addresses. */
export function onLinkRanges(own: readonly OwnNetwork[]): Ipv4Range[] {
  return toRanges(own.filter(({ macaddr }) => macaddr !== emptyMac).map(({ network }) => network));
}

/** Network and broadcast addresses of own networks, which are no hosts. */
export function edgeAddresses(own: readonly OwnNetwork[]): Ipv4Range[] {
  const edges = own.flatMap(({ network }) => {
    const [range] = toRanges([network]);
    return range && range.last - range.first >= 3 ? [range.first, range.last] : [];
  });
  return [...new Set(edges)].sort((a, b) => a - b).map((number) => ({ first: number, last: number }));
}
