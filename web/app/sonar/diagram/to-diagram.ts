// Converts the elements of a diagram to what is drawn: nodes and edges.
import type { DiagramElements } from '@yagura/core/sonar/diagram/element';
import { deviceTypes } from './device-types.ts';
import type { DiagramEdge, DiagramNode } from './diagram-layout.ts';

/** A tile shows its address, on layer 2 also its port. */
export function toDiagram(
  elements: DiagramElements,
  networkId: string,
): { nodes: DiagramNode[]; edges: DiagramEdge[] } {
  const isLayer2 = elements.subnets.length === 0 && elements.addresses.length === 0;
  /** Ports of a device at which another one is connected; several if the links are aggregated. */
  const ports = grouped(
    elements.links.flatMap(({ from, to, fromIfname, toIfname }) => [
      { key: `${from}\n${to}`, port: fromIfname },
      { key: `${to}\n${from}`, port: toIfname },
    ]),
    ({ key }) => key,
  );
  const addresses = grouped(elements.addresses, ({ node, subnet }) => `${node}\n${subnet}`);
  const addressesOfNode = grouped(elements.addresses, ({ node }) => node);
  const nicsOfNode = grouped(elements.nics, ({ node }) => node);
  const boxOf = (one: DiagramElements['nodes'][number] | DiagramElements['subnets'][number]) => ({
    x: Number(one.posX),
    y: Number(one.posY),
    width: one.width!,
    height: one.height!,
    container: one.container ?? null,
    moved: one.moved!,
  });
  const devices = elements.nodes.map((node): DiagramNode => {
    const own = isLayer2 && node.container ? ports.get(`${node.container}\n${node.elementId}`) : undefined;
    const port = (own ?? []).flatMap((one) => one.port || []).join(', ');
    const type = node.type.toLowerCase().replace(/[\s_]+/g, '-');
    return {
      id: node.elementId,
      ...(node.managedNodeId
        ? { href: `/apps/sonar/networks/${networkId}/managed-nodes/${node.managedNodeId}` }
        : {}),
      name: node.displayName,
      note: [port, node.addr].filter(Boolean).join(' · '),
      type: deviceTypes.includes(type) ? type : 'unknown',
      state: node.state,
      vendor: node.vendor,
      terms: [
        ...(addressesOfNode.get(node.elementId) ?? []).map(({ addr }) => addr),
        ...[node, ...(nicsOfNode.get(node.elementId) ?? [])].flatMap(({ macaddr }) => macaddr ?? []),
      ],
      isSubnet: false,
      ...boxOf(node),
    };
  });
  const subnets = elements.subnets.map(
    (subnet): DiagramNode => ({
      id: subnet.elementId,
      name: subnet.subnet,
      note: String(subnet.numberOfNodes),
      type: 'subnet',
      state: null,
      vendor: '',
      terms: [],
      isSubnet: true,
      ...boxOf(subnet),
    }),
  );
  const edges = elements.links.map(({ elementId, from, to, fromIfname, toIfname, evidence }): DiagramEdge => {
    const label = isLayer2
      ? [fromIfname, toIfname].filter(Boolean).join(' – ')
      : (addresses.get(`${from}\n${to}`) ?? []).map(({ addr }) => addr).join(', ');
    return { id: elementId, from, to, label, evidence };
  });
  // Containers are drawn before their contents.
  const nodes = [...subnets, ...devices];
  return { nodes: [...nodes.filter(isTopLevel), ...nodes.filter((node) => !isTopLevel(node))], edges };
}

function isTopLevel({ container }: DiagramNode): boolean {
  return container === null;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
