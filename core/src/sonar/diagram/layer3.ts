// Builds the layer 3 diagram: addresses of nodes in subnets.
import { ipv4Network, ipv4Number } from '../ipv4-network.ts';
import { type DiagramSource, nodeElementId, normalizeMac, toDiagramNode } from './diagram-source.ts';
import {
  type DiagramAddress,
  type DiagramElements,
  type DiagramLink,
  type DiagramNic,
  diagramLimits,
} from './element.ts';

export const subnetElementId = (subnet: string) => `subnet:${subnet}`;

type Layer3Elements = Omit<DiagramElements, 'total' | 'truncated'> & { truncated: boolean };

/**
 * Elements of layer 3. An address with an unknown subnet is assigned to the smallest known subnet that
 * contains it.
 */
export function buildLayer3(sources: readonly DiagramSource[]): Layer3Elements {
  const told = new Map<DiagramSource, (string | null)[]>(
    sources.map((source) => [source, source.addresses.map((one) => reportedSubnet(source, one))]),
  );
  const known = [...new Set([...told.values()].flat())]
    .flatMap((subnet) => (subnet ? (ipv4Network(subnet) ?? []) : []))
    .sort((one, other) => other.bits - one.bits);
  const nics: DiagramNic[] = [];
  const addresses: DiagramAddress[] = [];
  const links: DiagramLink[] = [];
  const members = new Map<string, Set<string>>();
  let truncated = false;
  for (const source of sources) {
    const node = nodeElementId(source.managedNodeId);
    const ownNics = new Map<string, DiagramNic>();
    for (const [index, one] of source.addresses.entries()) {
      if (addresses.length >= diagramLimits.parts) {
        truncated = true;
        break;
      }
      const nic = nicOf(source, one, ownNics);
      const subnet = told.get(source)![index] ?? narrowestSubnet(one.addr, known);
      addresses.push({
        elementId: `address:${source.managedNodeId}/${one.addr}`,
        node,
        nic: nic?.elementId ?? null,
        addr: one.addr,
        subnet: subnet && subnetElementId(subnet),
      });
      if (!subnet) continue;
      const inside = members.get(subnet) ?? new Set();
      members.set(subnet, inside);
      if (inside.has(node)) continue;
      inside.add(node);
      links.push({
        elementId: `link:${source.managedNodeId}/${subnet}`,
        from: node,
        to: subnetElementId(subnet),
        fromIfname: nic?.ifname ?? null,
        toIfname: null,
        evidence: told.get(source)![index] ? 'measured' : 'inferred',
      });
    }
    nics.push(...ownNics.values());
  }
  const subnets = [...members].map(([subnet, inside]) => ({
    elementId: subnetElementId(subnet),
    subnet,
    numberOfNodes: inside.size,
  }));
  subnets.sort((one, other) => subnetOrder(one.subnet).localeCompare(subnetOrder(other.subnet)));
  return { nodes: sources.map(toDiagramNode), nics, addresses, links, subnets, truncated };
}

/** Sort key of addresses and subnets by number; IPv6 after IPv4, by text. */
export function subnetOrder(text: string): string {
  const [address, bits = '32'] = text.split('/');
  if (!address?.includes('.')) return `6${text}`;
  return `4${String(ipv4Number(address)).padStart(10, '0')}/${bits.padStart(2, '0')}`;
}

function reportedSubnet(source: DiagramSource, one: DiagramSource['addresses'][number]): string | null {
  if (one.subnet) return ipv4Network(one.subnet)?.text ?? one.subnet;
  const netmask = source.interfaces.find(({ addr }) => addr === one.addr)?.netmask;
  const bits = netmask ? netmaskBits(netmask) : undefined;
  return bits === undefined ? null : (ipv4Network(`${one.addr}/${bits}`)?.text ?? null);
}

/** Prefix length of a dotted netmask; undefined if it is invalid. */
function netmaskBits(netmask: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(netmask)) return undefined;
  const inverse = 2 ** 32 - ipv4Number(netmask);
  const bits = 32 - Math.log2(inverse);
  return Number.isInteger(bits) && bits >= 0 ? bits : undefined;
}

function narrowestSubnet(addr: string, known: readonly { first: number; size: number; text: string }[]) {
  if (!addr.includes('.')) return null;
  const number = ipv4Number(addr);
  return known.find(({ first, size }) => number >= first && number < first + size)?.text ?? null;
}

function nicOf(
  source: DiagramSource,
  one: DiagramSource['addresses'][number],
  made: Map<string, DiagramNic>,
): DiagramNic | undefined {
  const mac = normalizeMac(one.macaddr);
  const found =
    source.interfaces.find(({ addr }) => addr === one.addr) ??
    (mac ? source.interfaces.find(({ macaddr }) => normalizeMac(macaddr) === mac) : undefined);
  const ifname = found?.ifname ?? '';
  const macaddr = mac || normalizeMac(found?.macaddr) || null;
  const key = ifname || macaddr;
  if (!key) return undefined;
  const nic = made.get(key) ?? {
    elementId: `nic:${source.managedNodeId}/${key}`,
    node: nodeElementId(source.managedNodeId),
    ifname,
    macaddr,
    linkState: found?.linkState ?? null,
  };
  made.set(key, nic);
  return nic;
}
