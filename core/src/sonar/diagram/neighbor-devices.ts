// Finds out which device a neighbor is: a managed node, or one that no scan has found.
import { isIpv4 } from '../../validation/ipv4.ts';
import { type DiagramSource, nodeElementId, normalizeMac } from './diagram-source.ts';
import type { DiagramNode } from './element.ts';

type Neighbor = DiagramSource['neighbors'][number];

/** The id of an element has at most 255 characters. */
const maxNameInId = 240;

/** What identifies a neighbor, strongest first: its MAC, its address, its name. */
function namesOf({ macaddr, remoteAddr, remoteName }: Neighbor): string[] {
  return [normalizeMac(macaddr), remoteAddr ?? '', remoteName?.toLowerCase() ?? ''].filter(Boolean);
}

/** The first label of a name with a domain. */
function hostLabel(name: string): string {
  return isIpv4(name) || name.includes(':') ? name : name.split('.', 1)[0]!;
}

/**
 * Devices by MAC, by address and by host name, in lower case. A name or address that several nodes have identifies none
 * of them. LLDP and CDP may tell a name with or without its domain.
 */
export class NeighborDevices {
  /** Devices that are no managed nodes, by element id. */
  readonly unmanagedDevices = new Map<string, DiagramNode>();
  private readonly nodes: ReadonlyMap<string, string>;
  private readonly nodesByLabel: ReadonlyMap<string, string>;
  private readonly unmanagedByName = new Map<string, string>();

  constructor(sources: readonly DiagramSource[]) {
    const macs = new Map<string, string>();
    const names: [name: string, id: string][] = [];
    for (const source of sources) {
      const id = nodeElementId(source.managedNodeId);
      for (const one of [source.macaddr, ...source.addresses, ...source.interfaces]) {
        const mac = normalizeMac(typeof one === 'object' ? one?.macaddr : one);
        if (mac && !macs.has(mac)) macs.set(mac, id);
      }
      const own = source.addresses.flatMap((one) => [
        one.addr,
        ...(one.hostnames ?? []).map(({ hostname }) => hostname.toLowerCase()),
      ]);
      for (const name of new Set([...own, source.displayName.toLowerCase()])) names.push([name, id]);
    }
    this.nodes = new Map([...unambiguous(names), ...macs]);
    this.nodesByLabel = unambiguous(names.map(([name, id]) => [hostLabel(name), id]));
  }

  /** The element id of a neighbor; undefined if nothing identifies it. */
  find(neighbor: Neighbor): string | undefined {
    const names = namesOf(neighbor);
    const [strongest] = names;
    if (strongest === undefined) return undefined;
    const label = neighbor.remoteName ? hostLabel(neighbor.remoteName.toLowerCase()) : '';
    const node = names.map((name) => this.nodes.get(name)).find(Boolean) ?? this.nodesByLabel.get(label);
    return node ?? this.findUnmanagedDevice(names, neighbor);
  }

  /** Several protocols tell of one device with different names. */
  private findUnmanagedDevice(names: readonly string[], neighbor: Neighbor): string {
    const known = names.map((name) => this.unmanagedByName.get(name)).find(Boolean);
    const id = known ?? `device:${names[0]!.slice(0, maxNameInId)}`;
    for (const name of names) if (!this.unmanagedByName.has(name)) this.unmanagedByName.set(name, id);
    const before = this.unmanagedDevices.get(id);
    const now = unknownDeviceNode(id, neighbor);
    this.unmanagedDevices.set(
      id,
      before
        ? {
            ...before,
            displayName: hasName(before) ? before.displayName : now.displayName,
            addr: before.addr ?? now.addr,
            macaddr: before.macaddr ?? now.macaddr,
          }
        : now,
    );
    return id;
  }
}

/** Names of one device only. */
function unambiguous(names: readonly (readonly [name: string, id: string])[]): Map<string, string> {
  const owners = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const [name, id] of names) {
    if (owners.has(name) && owners.get(name) !== id) ambiguous.add(name);
    else owners.set(name, id);
  }
  for (const name of ambiguous) owners.delete(name);
  return owners;
}

function hasName({ displayName, macaddr, addr }: DiagramNode): boolean {
  return displayName !== '' && displayName !== macaddr && displayName !== addr;
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
