// Builds the layer 2 diagram: connections between ports and devices, from the neighbors that devices report.

import { type DiagramSource, nodeElementId, normalizeMac, toDiagramNode } from './diagram-source.ts';
import { type DiagramElements, type DiagramLink, type DiagramNic, diagramLimits } from './element.ts';
import { NeighborDevices } from './neighbor-devices.ts';

type Layer2Elements = Omit<DiagramElements, 'total' | 'truncated'> & { truncated: boolean };

interface Sighting {
  node: string;
  ifname: string;
  /** The device connected to the port. */
  other: string;
  remoteIfname: string | null;
  /** False if the other device has no interface of that name, which then says nothing about the port. */
  isRemotePortKnown: boolean;
  /** The device announced itself (LLDP, CDP); otherwise its address was seen in traffic. */
  isDirect: boolean;
}

/**
 * Elements of layer 2. A device that announced itself on a port (LLDP, CDP) is connected to that port. A MAC
 * from a port's address table is assigned to the port with the fewest other addresses, probably the closest
 * one.
 */
export function buildLayer2(sources: readonly DiagramSource[]): Layer2Elements {
  const nodes = new Map(
    sources.map((source) => [nodeElementId(source.managedNodeId), toDiagramNode(source)]),
  );
  const devices = new NeighborDevices(sources);
  const { sightings, truncated } = sightingsOf(sources, devices);
  const links = mergeLinks(selectLinks(sightings, vlansOf(sources)));
  for (const { from, to } of links)
    for (const id of [from, to]) if (!nodes.has(id)) nodes.set(id, devices.unmanagedDevices.get(id)!);
  return {
    nodes: [...nodes.values()],
    nics: nicsOf(sources, links),
    addresses: [],
    links,
    subnets: [],
    truncated,
  };
}

/**
 * Devices seen on each port; a port that sees its own device is ignored. What LLDP and CDP tell of one device on one port
 * is one sighting.
 */
function sightingsOf(sources: readonly DiagramSource[], devices: NeighborDevices) {
  const interfaces = new Map(sources.map((one) => [nodeElementId(one.managedNodeId), one.interfaces]));
  const sightings = new Map<string, Sighting>();
  for (const source of sources) {
    const node = nodeElementId(source.managedNodeId);
    for (const neighbor of source.neighbors) {
      const { ifname, protocol } = neighbor;
      const other = devices.find(neighbor);
      if (other === undefined || other === node) continue;
      const remote = remotePortOf(neighbor.remoteIfname, interfaces.get(other) ?? []);
      const isDirect = remote.remoteIfname !== null || protocol === 'lldp' || protocol === 'cdp';
      const key = `${ifname}\n${other}\n${isDirect}`;
      const known = sightings.get(`${node}\n${key}`);
      if (known) {
        if (known.remoteIfname === null || (!known.isRemotePortKnown && remote.isRemotePortKnown))
          Object.assign(known, remote);
        continue;
      }
      if (sightings.size >= diagramLimits.parts)
        return { sightings: [...sightings.values()], truncated: true };
      sightings.set(`${node}\n${key}`, { node, ifname, other, ...remote, isDirect });
    }
  }
  return { sightings: [...sightings.values()], truncated: false };
}

/**
 * The name that the device itself has for a port; others may abbreviate it, or tell its MAC, a number or a description. Of
 * a device whose interfaces were not read, the name is taken as it is told.
 */
function remotePortOf(
  name: string | null | undefined,
  interfaces: DiagramSource['interfaces'],
): Pick<Sighting, 'remoteIfname' | 'isRemotePortKnown'> {
  if (!name) return { remoteIfname: null, isRemotePortKnown: false };
  const mac = normalizeMac(name);
  const found =
    interfaces.find(({ ifname }) => ifname === name) ??
    interfaces.find(({ ifname }) => isSamePort(ifname, name)) ??
    interfaces.find(({ macaddr }) => mac !== '' && normalizeMac(macaddr) === mac);
  return {
    remoteIfname: found?.ifname ?? name,
    isRemotePortKnown: found !== undefined || interfaces.length === 0,
  };
}

/** `Gi0/1` and `GigabitEthernet0/1`: the same number, and one word begins with the other. */
function isSamePort(first: string, second: string): boolean {
  const [a, b] = [first, second].map((name) => /^([a-z-]{2,}) ?(\d.*)$/.exec(name.toLowerCase()));
  if (!a || !b || a[2] !== b[2]) return false;
  return a[1]!.startsWith(b[1]!) || b[1]!.startsWith(a[1]!);
}

/** The sightings that count as links. */
function selectLinks(
  sightings: readonly Sighting[],
  vlans: ReadonlyMap<string, ReadonlySet<number>>,
): Sighting[] {
  const sizes = new Map<string, number>();
  for (const one of sightings) sizes.set(portOf(one), (sizes.get(portOf(one)) ?? 0) + 1);
  const direct = sightings.filter(({ isDirect }) => isDirect);
  const tellers = new Set(sightings.map(({ node }) => node));
  const named = new Set(direct.map(({ other }) => other));
  // Addresses seen on a port toward a device that reports its own ports are behind that device.
  const passages = new Set(direct.filter(({ other }) => tellers.has(other)).map(portOf));
  const nearest = new Map<string, Sighting>();
  // Among ports with as many addresses, one that carries several VLANs leads to another switch.
  const isNearer = (one: Sighting, best: Sighting) => {
    const difference = sizes.get(portOf(one))! - sizes.get(portOf(best))!;
    const numberOfVlans = (sighting: Sighting) => vlans.get(portOf(sighting))?.size ?? 0;
    return difference < 0 || (difference === 0 && numberOfVlans(one) < numberOfVlans(best));
  };
  for (const one of sightings) {
    if (one.isDirect || named.has(one.other) || passages.has(portOf(one))) continue;
    const best = nearest.get(one.other);
    if (!best || isNearer(one, best)) nearest.set(one.other, one);
  }
  return [...direct, ...nearest.values()];
}

/** VLANs in which each port has neighbors. */
function vlansOf(sources: readonly DiagramSource[]): Map<string, Set<number>> {
  const vlans = new Map<string, Set<number>>();
  for (const source of sources)
    for (const { ifname, vlan } of source.neighbors) {
      if (vlan === undefined) continue;
      const port = portOf({ node: nodeElementId(source.managedNodeId), ifname });
      vlans.set(port, (vlans.get(port) ?? new Set()).add(vlan));
    }
  return vlans;
}

/** One link per pair of ports, with the data of both ends merged. A port that is not known may be any port of its device. */
function mergeLinks(sightings: readonly Sighting[]): DiagramLink[] {
  const links: DiagramLink[] = [];
  const between = new Map<string, { link: DiagramLink; isToKnown: boolean }[]>();
  for (const { node, other, ifname, remoteIfname, isRemotePortKnown, isDirect } of sightings) {
    const pair = [node, other].sort().join('\n');
    const list = between.get(pair) ?? [];
    between.set(pair, list);
    const back = list.find(
      ({ link, isToKnown }) =>
        link.to === node &&
        (!isToKnown || link.toIfname === ifname) &&
        (!isRemotePortKnown || link.fromIfname === remoteIfname),
    );
    if (back) {
      const { link } = back;
      link.toIfname = ifname;
      back.isToKnown = true;
      link.evidence = !isDirect && link.evidence === 'inferred' ? 'inferred' : 'confirmed';
      continue;
    }
    const link: DiagramLink = {
      elementId: `link:${node}/${ifname}/${other}`,
      from: node,
      to: other,
      fromIfname: ifname,
      toIfname: remoteIfname,
      evidence: isDirect ? 'measured' : 'inferred',
    };
    list.push({ link, isToKnown: isRemotePortKnown });
    links.push(link);
  }
  return links;
}

function portOf({ node, ifname }: Pick<Sighting, 'node' | 'ifname'>): string {
  return `${node}\n${ifname}`;
}

/** The ports at the ends of links. */
function nicsOf(sources: readonly DiagramSource[], links: readonly DiagramLink[]): DiagramNic[] {
  const wanted = new Map<string, Set<string>>();
  const want = (node: string, ifname: string | null) => {
    if (ifname === null) return;
    const names = wanted.get(node) ?? new Set();
    wanted.set(node, names.add(ifname));
  };
  for (const { from, to, fromIfname, toIfname } of links) {
    want(from, fromIfname);
    want(to, toIfname);
  }
  return sources.flatMap((source) => {
    const node = nodeElementId(source.managedNodeId);
    return [...(wanted.get(node) ?? [])].map((ifname) => {
      const known = source.interfaces.find((one) => one.ifname === ifname);
      return {
        elementId: `nic:${source.managedNodeId}/${ifname}`,
        node,
        ifname,
        macaddr: normalizeMac(known?.macaddr) || null,
        linkState: known?.linkState ?? null,
      };
    });
  });
}
