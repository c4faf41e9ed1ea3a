// Builds the layer 2 diagram: connections between ports and devices, from the neighbors that devices report.

import { type DiagramSource, nodeElementId, normalizeMac, toDiagramNode } from './diagram-source.ts';
import {
  type DiagramElements,
  type DiagramLink,
  type DiagramNic,
  type DiagramNode,
  diagramLimits,
} from './element.ts';

type Layer2Elements = Omit<DiagramElements, 'total' | 'truncated'> & { truncated: boolean };

interface Sighting {
  node: string;
  ifname: string;
  /** The device connected to the port. */
  other: string;
  remoteIfname: string | null;
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
  const strangers = new Map<string, DiagramNode>();
  const { sightings, truncated } = sightingsOf(sources, ownersOf(sources), strangers);
  const links = mergeLinks(selectLinks(sightings));
  for (const { from, to } of links)
    for (const id of [from, to]) if (!nodes.has(id)) nodes.set(id, strangers.get(id)!);
  return {
    nodes: [...nodes.values()],
    nics: nicsOf(sources, links),
    addresses: [],
    links,
    subnets: [],
    truncated,
  };
}

/** The id of an element has at most 255 characters. */
const maxNameInId = 240;

type Neighbor = DiagramSource['neighbors'][number];

/** What identifies a neighbor, strongest first: its MAC, its address, its name. */
function namesOf({ macaddr, remoteAddr, remoteName }: Neighbor): string[] {
  return [normalizeMac(macaddr), remoteAddr ?? '', remoteName?.toLowerCase() ?? ''].filter(Boolean);
}

/**
 * Nodes by MAC, by address and by host name, in lower case. A name or address that several nodes have
 * identifies none of them.
 */
function ownersOf(sources: readonly DiagramSource[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const source of sources) {
    const id = nodeElementId(source.managedNodeId);
    const macs = [source.macaddr, ...source.addresses, ...source.interfaces].map((one) =>
      normalizeMac(typeof one === 'object' ? one?.macaddr : one),
    );
    for (const mac of macs) if (mac && !owners.has(mac)) owners.set(mac, id);
    const names = source.addresses.flatMap((one) => [
      one.addr,
      ...(one.hostnames ?? []).map(({ hostname }) => hostname.toLowerCase()),
    ]);
    for (const name of new Set([...names, source.displayName.toLowerCase()])) {
      if (owners.has(name) && owners.get(name) !== id) ambiguous.add(name);
      else owners.set(name, id);
    }
  }
  for (const name of ambiguous) owners.delete(name);
  return owners;
}

/** Devices seen on each port; a port that sees its own device is ignored. */
function sightingsOf(
  sources: readonly DiagramSource[],
  owners: ReadonlyMap<string, string>,
  strangers: Map<string, DiagramNode>,
) {
  const sightings: Sighting[] = [];
  for (const source of sources) {
    const node = nodeElementId(source.managedNodeId);
    const seen = new Set<string>();
    for (const neighbor of source.neighbors) {
      const { ifname, remoteIfname = null } = neighbor;
      const names = namesOf(neighbor);
      const [name] = names;
      if (name === undefined) continue;
      const other =
        names.map((one) => owners.get(one)).find(Boolean) ?? `device:${name.slice(0, maxNameInId)}`;
      const key = `${ifname}\n${other}\n${remoteIfname ?? ''}`;
      if (other === node || seen.has(key)) continue;
      if (sightings.length >= diagramLimits.parts) return { sightings, truncated: true };
      seen.add(key);
      if (other.startsWith('device:')) strangers.set(other, unknownDeviceNode(other, neighbor));
      sightings.push({ node, ifname, other, remoteIfname });
    }
  }
  return { sightings, truncated: false };
}

/** The sightings that count as links. */
function selectLinks(sightings: readonly Sighting[]): Sighting[] {
  const sizes = new Map<string, number>();
  for (const one of sightings) sizes.set(portOf(one), (sizes.get(portOf(one)) ?? 0) + 1);
  const direct = sightings.filter((one) => one.remoteIfname !== null);
  const tellers = new Set(sightings.map(({ node }) => node));
  const named = new Set(direct.map(({ other }) => other));
  // Addresses seen on a port toward a device that reports its own ports are behind that device.
  const passages = new Set(direct.filter(({ other }) => tellers.has(other)).map(portOf));
  const nearest = new Map<string, Sighting>();
  for (const one of sightings) {
    if (one.remoteIfname !== null || named.has(one.other) || passages.has(portOf(one))) continue;
    const best = nearest.get(one.other);
    if (!best || sizes.get(portOf(one))! < sizes.get(portOf(best))!) nearest.set(one.other, one);
  }
  return [...direct, ...nearest.values()];
}

/** One link per pair of ports, with the data of both ends merged. */
function mergeLinks(sightings: readonly Sighting[]): DiagramLink[] {
  const links: DiagramLink[] = [];
  const between = new Map<string, DiagramLink[]>();
  for (const { node, other, ifname, remoteIfname } of sightings) {
    const pair = [node, other].sort().join('\n');
    const list = between.get(pair) ?? [];
    between.set(pair, list);
    const back = list.find(
      (link) =>
        link.to === node &&
        (link.toIfname === null || link.toIfname === ifname) &&
        (remoteIfname === null || link.fromIfname === remoteIfname),
    );
    if (back) {
      back.toIfname = ifname;
      back.evidence = remoteIfname === null && back.evidence === 'inferred' ? 'inferred' : 'confirmed';
      continue;
    }
    const link: DiagramLink = {
      elementId: `link:${node}/${ifname}/${other}`,
      from: node,
      to: other,
      fromIfname: ifname,
      toIfname: remoteIfname,
      evidence: remoteIfname === null ? 'inferred' : 'measured',
    };
    list.push(link);
    links.push(link);
  }
  return links;
}

function portOf({ node, ifname }: Pick<Sighting, 'node' | 'ifname'>): string {
  return `${node}\n${ifname}`;
}

/** A device not found by any scan: only what its neighbor tells is known. */
function unknownDeviceNode(elementId: string, { macaddr, remoteAddr, remoteName }: Neighbor): DiagramNode {
  const mac = normalizeMac(macaddr) || null;
  return {
    elementId,
    managedNodeId: null,
    displayName: remoteName || mac || remoteAddr || '',
    state: null,
    type: '',
    addr: remoteAddr || null,
    macaddr: mac,
    vendor: '',
    numberOfAddresses: 0,
  };
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
