// Compares what two scans read about the same host, entry by entry.
import { isReadBySnmpOnly, sourcesOf, wouldFindNeighbor } from './evidence.ts';
import type { HostInventory, InventoryGroup } from './host-inventory.ts';

export const differenceKinds = [
  'host',
  'address',
  'interface',
  'package',
  'windows-update',
  'port',
  'service',
  'route',
  'neighbor',
  'system',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export const differenceChanges = ['added', 'removed', 'changed'] as const;
export type DifferenceChange = (typeof differenceChanges)[number];

export interface Difference {
  kind: DifferenceKind;
  change: DifferenceChange;
  /** What differs: an address, the name of a package, a port such as `tcp/443 0.0.0.0`. */
  entry: string;
  /** Null for what was added. */
  before: string | null;
  /** Null for what was removed. */
  after: string | null;
}

/** A host as one scan read it; older snapshots lack some groups. */
export type ComparedHost = Partial<HostInventory> & {
  packages: readonly { name: string; version: string; arch: string }[];
  windowsUpdates: readonly { hotfixId: string; description: string }[];
};

/** Entries of one kind: the text of each by its name. */
type Entries = Map<string, string>;

/**
 * Kinds besides the host itself, and the group of data that each is read with. Entries that the other scan could not have
 * found are left out.
 */
const comparedKinds: Record<
  Exclude<DifferenceKind, 'host'>,
  {
    group: InventoryGroup;
    entriesOf(host: ComparedHost, other: ComparedHost): [entry: string, text: string][];
  }
> = {
  address: {
    group: 'addresses',
    entriesOf: ({ addresses = [] }) =>
      addresses.map(({ addr, macaddr, hostnames }) => [
        addr,
        joined([macaddr, ...hostnames.map(({ hostname }) => hostname).sort()]),
      ]),
  },
  interface: {
    group: 'interfaces',
    entriesOf: ({ interfaces = [] }) => interfacesOf(interfaces),
  },
  package: {
    group: 'packages',
    entriesOf: ({ packages }) => packages.map(({ name, version, arch }) => [joined([name, arch]), version]),
  },
  'windows-update': {
    group: 'windowsUpdates',
    entriesOf: ({ windowsUpdates }) =>
      windowsUpdates.map(({ hotfixId, description }) => [hotfixId, description]),
  },
  port: {
    group: 'listening',
    entriesOf: ({ listening = [] }) =>
      listening.map(({ protocol, port, address, process }) => [
        `${protocol}/${port} ${address}`,
        process ?? '',
      ]),
  },
  service: {
    group: 'services',
    entriesOf: ({ addresses = [] }) =>
      addresses.flatMap(({ addr, services }) =>
        services.map(({ name, port, proto, product, version }): [string, string] => [
          `${port === null ? name : `${proto ?? 'tcp'}/${port}`} ${addr}`,
          joined([name, product, version]),
        ]),
      ),
  },
  route: {
    group: 'routes',
    entriesOf: ({ routes = [] }) =>
      routes.map(({ destination, gateway, ifname, metric }) => [
        destination,
        joined([gateway, ifname, metric === undefined ? undefined : String(metric)]),
      ]),
  },
  neighbor: {
    group: 'neighbors',
    entriesOf: ({ neighbors = [] }, { evidence }) =>
      neighbors
        .filter((one) => !evidence || wouldFindNeighbor(evidence, one))
        .map(({ ifname, remoteName, macaddr, remoteIfname, vlan }) => [
          joined([ifname, vlan === undefined ? undefined : `VLAN ${vlan}`]),
          joined([remoteName, macaddr, remoteIfname]),
        ]),
  },
  system: {
    group: 'system',
    entriesOf: ({ system, deviceTypes = [], extraFields }, other) => [
      ...Object.entries(system ?? {}).filter(([, value]) => value !== ''),
      // A host without types is of an unknown one.
      ...(deviceTypes.length > 0 && (other.deviceTypes ?? []).length > 0
        ? [['deviceTypes', joined(deviceTypes.map(({ type }) => type).sort())] satisfies [string, string]]
        : []),
      ...leavesOf(extraFields),
    ],
  },
};

/**
 * What differs between two readings of a host, in the order of the kinds and of their entries. What one of the scans did
 * not read, or read in another way, is left out: it is not gone.
 */
export function compareHosts(before: ComparedHost, after: ComparedHost): Difference[] {
  return Object.entries(comparedKinds).flatMap(([kind, { group, entriesOf }]) =>
    isComparable(before, after, group)
      ? compareEntries(
          kind as keyof typeof comparedKinds,
          toEntries(entriesOf(before, after)),
          toEntries(entriesOf(after, before)),
        )
      : [],
  );
}

/**
 * Whether both scans read a group, and in the same terms. Snapshots from before evidence was stored do not say what was
 * read.
 */
function isComparable(before: ComparedHost, after: ComparedHost, group: InventoryGroup): boolean {
  const [old, now] = [before, after].map(({ evidence }) => evidence && sourcesOf(evidence, group));
  if (old?.length === 0 || now?.length === 0) return false;
  return !old || !now || isReadBySnmpOnly(old) === isReadBySnmpOnly(now);
}

function compareEntries(kind: DifferenceKind, before: Entries, after: Entries): Difference[] {
  const entries = [...new Set([...before.keys(), ...after.keys()])].sort();
  return entries.flatMap((entry): Difference[] => {
    const old = before.get(entry) ?? null;
    const now = after.get(entry) ?? null;
    if (old === now) return [];
    const change = old === null ? 'added' : now === null ? 'removed' : 'changed';
    return [{ kind, change, entry, before: old, after: now }];
  });
}

/** Several entries with one name, such as two installed versions of a package, are one. */
function toEntries(list: readonly (readonly [string, string])[]): Entries {
  const texts = new Map<string, Set<string>>();
  for (const [entry, text] of list) texts.set(entry, (texts.get(entry) ?? new Set()).add(text));
  return new Map([...texts].map(([entry, found]) => [entry, [...found].sort().join(', ')]));
}

/** Ends of the links to containers (Docker, CNI, Calico, Cilium), whose names are drawn anew at each start. */
const containerLink = /^(?:veth|cali|lxc)[\da-f]{7,}$/;

/**
 * State, MAC address and addresses of each interface, of whose rows there is one per address. Links to containers are left
 * out: with them, every start of a container would be a change of the host.
 */
function interfacesOf(rows: HostInventory['interfaces']): [ifname: string, text: string][] {
  const states = new Map<string, { state: string; addresses: string[] }>();
  for (const { ifname, linkState, macaddr, addr, netmask } of rows) {
    if (containerLink.test(ifname)) continue;
    const found = states.get(ifname) ?? { state: joined([linkState, macaddr]), addresses: [] };
    if (addr) found.addresses.push(joined([addr, netmask], '/'));
    states.set(ifname, found);
  }
  return [...states].map(([ifname, { state, addresses }]) => [
    ifname,
    joined([state, addresses.sort().join(', ')]),
  ]);
}

/** Texts, numbers and booleans in free-form data, by their dotted path. */
function leavesOf(value: unknown, path = '', depth = 0): [string, string][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return path ? [[path, String(value)]] : [];
  if (depth > maxDepth) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, path ? `${path}.${name}` : name, depth + 1),
  );
}

const maxDepth = 6;

const joined = (parts: readonly (string | null | undefined)[], separator = ' ') =>
  parts.filter(Boolean).join(separator);
