// Merges what a scan read about a host into what is known of it: only groups that were read are replaced.
import { isReadBySnmpOnly, neighborSources, sourcesOf, wouldFindNeighbor } from './evidence.ts';
import {
  type Evidence,
  type HostInventory,
  type InventoryGroup,
  type InventorySource,
  inventoryLimits,
} from './host-inventory.ts';

type Address = HostInventory['addresses'][number];

/** Data as stored; older rows lack the groups that were added later. */
type StoredInventory = Partial<HostInventory>;

/** Sources that read the host itself, as opposed to seeing it from outside. */
const readOnHost: readonly InventorySource[] = ['ssh', 'snmp', 'winrm', 'agent'];

/** Sources that read a system more completely than SNMP. */
const completeSources: readonly InventorySource[] = ['ssh', 'winrm'];

/**
 * The evidence of a reported host. For an agent that tells none, every group that is not empty was read at
 * `at`.
 */
export function evidenceOf(
  host: HostInventory & { packages: readonly unknown[]; windowsUpdates: readonly unknown[] },
  at: string,
): Evidence[] {
  if (host.evidence.length > 0) return host.evidence;
  const { addresses, system } = host;
  const read: Record<InventoryGroup, boolean> = {
    addresses: addresses.length > 0,
    interfaces: host.interfaces.length > 0,
    neighbors: host.neighbors.length > 0,
    system: Object.values(system).some(Boolean) || host.deviceTypes.length > 0 || !isEmpty(host.extraFields),
    packages: host.packages.length > 0,
    windowsUpdates: host.windowsUpdates.length > 0,
    routes: host.routes.length > 0,
    listening: host.listening.length > 0,
    services: addresses.some((one) => one.services.length > 0),
  };
  const groups = Object.keys(read) as InventoryGroup[];
  return groups.flatMap((group) => (read[group] ? [{ group, source: 'agent' as const, at }] : []));
}

/** What is known of a host after a scan has reported it. */
export function mergeInventory(known: StoredInventory, reported: HostInventory): HostInventory {
  const read = new Set(reported.evidence.map((one) => one.group));
  const pick = <K extends keyof HostInventory>(group: InventoryGroup, name: K): HostInventory[K] =>
    read.has(group) ? reported[name] : (known[name] ?? reported[name]);
  const interfaces = pick('interfaces', 'interfaces');
  // An empty member of the system group is unknown rather than gone.
  const isKnownSystem = Object.values(reported.system).some(Boolean);
  const kept = keptEvidence(known, reported);
  if (kept.some((one) => one.group === 'system' && read.has('system')))
    reported = withKnownSystem(known, reported);
  return {
    addresses: mergeAddresses(known, reported, interfaces),
    interfaces,
    neighbors: mergeNeighbors(known, pick('neighbors', 'neighbors'), reported.evidence),
    routes: pick('routes', 'routes'),
    listening: pick('listening', 'listening'),
    system: isKnownSystem ? pick('system', 'system') : (known.system ?? reported.system),
    deviceTypes:
      reported.deviceTypes.length > 0
        ? pick('system', 'deviceTypes')
        : (known.deviceTypes ?? reported.deviceTypes),
    extraFields: isEmpty(reported.extraFields)
      ? (known.extraFields ?? reported.extraFields)
      : pick('system', 'extraFields'),
    evidence: [...reported.evidence, ...kept].slice(0, inventoryLimits.evidence),
  };
}

/**
 * What was known before and stays: groups that were not read, neighbors of a protocol that was not read, and the system
 * as a better source told it before, when only SNMP could be read this time.
 */
function keptEvidence(known: StoredInventory, reported: HostInventory): Evidence[] {
  const neighbors = sourcesOf(reported.evidence, 'neighbors');
  const system = sourcesOf(reported.evidence, 'system');
  return (known.evidence ?? []).filter(({ group, source }) => {
    if (group === 'neighbors' && neighbors.length > 0)
      return (
        neighborSources.includes(source) &&
        neighbors.every((one) => neighborSources.includes(one) && one !== source)
      );
    if (group === 'system' && system.length > 0)
      return completeSources.includes(source) && isReadBySnmpOnly(system);
    return !reported.evidence.some((one) => one.group === group);
  });
}

/** SNMP adds what a better source did not tell. */
function withKnownSystem(known: StoredInventory, reported: HostInventory): HostInventory {
  const knownValues = Object.entries(known.system ?? {}).filter(([, value]) => value !== '');
  return {
    ...reported,
    system: { ...reported.system, ...Object.fromEntries(knownValues) },
    extraFields: { ...(reported.extraFields as object), ...((known.extraFields ?? {}) as object) },
  };
}

/** Neighbors that the scan could not have found stay. */
function mergeNeighbors(
  known: StoredInventory,
  neighbors: HostInventory['neighbors'],
  evidence: readonly Evidence[],
): HostInventory['neighbors'] {
  if (neighbors === known.neighbors) return neighbors;
  const stay = (known.neighbors ?? []).filter(
    (one) => one.protocol !== undefined && !wouldFindNeighbor(evidence, one),
  );
  return [...neighbors, ...stay].slice(0, inventoryLimits.neighbors);
}

/** Merges two hosts of one scan that are the same device: both were seen, so the addresses add up. */
export function combineInventories(first: StoredInventory, second: HostInventory): HostInventory {
  const merged = mergeInventory(first, second);
  const added = new Set(merged.addresses.map((one) => one.addr));
  const key = ({ group, source, credential }: Evidence) => `${group} ${source} ${credential ?? ''}`;
  const knownEvidence = new Set(merged.evidence.map(key));
  return {
    ...merged,
    addresses: [...merged.addresses, ...(first.addresses ?? []).filter((one) => !added.has(one.addr))].slice(
      0,
      inventoryLimits.addresses,
    ),
    evidence: [...merged.evidence, ...(first.evidence ?? []).filter((one) => !knownEvidence.has(key(one)))],
  };
}

/**
 * Seen from outside only, a host keeps the addresses that it has on its own interfaces, and what is known of
 * an address that was seen again.
 */
function mergeAddresses(
  known: StoredInventory,
  reported: HostInventory,
  interfaces: HostInventory['interfaces'],
): Address[] {
  const read = (group: InventoryGroup) => reported.evidence.filter((one) => one.group === group);
  const before = known.addresses ?? [];
  const byAddr = new Map(before.map((one) => [one.addr, one]));
  const hasServices = read('services').length > 0;
  const sources = read('addresses').map((one) => one.source);
  if (sources.length === 0) {
    const now = new Map(reported.addresses.map((one) => [one.addr, one]));
    return before.map((one) => (hasServices ? { ...one, services: now.get(one.addr)?.services ?? [] } : one));
  }
  const isComplete = sources.some((source) => readOnHost.includes(source));
  const areNamesRead = (one: Address) => isComplete || sources.includes('dns') || one.hostnames.length > 0;
  const seen = reported.addresses.map((one): Address => {
    const old = byAddr.get(one.addr);
    if (!old) return one;
    return {
      addr: one.addr,
      subnet: one.subnet ?? old.subnet,
      macaddr: one.macaddr ?? old.macaddr,
      hostnames: areNamesRead(one) ? one.hostnames : old.hostnames,
      services: hasServices ? one.services : old.services,
      extraFields: isEmpty(one.extraFields) ? old.extraFields : one.extraFields,
    };
  });
  if (isComplete) return seen;
  const own = new Set(interfaces.map((one) => one.addr));
  const now = new Set(seen.map((one) => one.addr));
  return [...seen, ...before.filter(({ addr }) => own.has(addr) && !now.has(addr))].slice(
    0,
    inventoryLimits.addresses,
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
