// Loader data of a diagram page, and the action that saves moved nodes.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { can } from '@yagura/core/access/permissions';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { moveElementsPermission } from '@yagura/core/sonar/diagram/diagram';
import type { DiagramElements } from '@yagura/core/sonar/diagram/element';
import { buildCrumbs } from '../../resource/crumbs.server.ts';
import { matchResource } from '../../resource/match-resource.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { deviceTypes } from './device-types.ts';
import type { DiagramEdge, DiagramNode } from './diagram-layout.ts';

export async function diagramData(args: LoaderFunctionArgs, resource: AnyResource) {
  const networkId = args.params.networkId!;
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [elements, user, crumbs] = await Promise.all([
      api.client(resource).call<DiagramElements>('layout', { params: { networkId }, body: {} }),
      getCurrentUser(api),
      buildCrumbs(api, match),
    ]);
    return {
      ...toDiagram(elements, networkId),
      total: elements.total,
      truncated: elements.truncated,
      mayMove: can(user.permissions, moveElementsPermission),
      crumbs,
      watches: [resource.name, 'managed-node'],
    };
  });
}

/** Saves the positions in a posted list of moves (`moves`, as JSON). */
export async function saveMoves(args: ActionFunctionArgs, resource: AnyResource) {
  rejectCrossSiteRequest(args.request, args.context);
  const networkId = args.params.networkId!;
  const text = String((await args.request.formData()).get('moves') ?? '[]');
  return withApi(args, async (api) => {
    try {
      const elements = JSON.parse(text) as unknown;
      await api.client(resource).call('layout', { params: { networkId }, body: { elements } });
      return { saved: true };
    } catch (error) {
      if (error instanceof SyntaxError) throw new Response(null, { status: 400 });
      return toProblemResponse(error, {});
    }
  });
}

/** Converts diagram elements to nodes and edges. A tile shows its address, on layer 2 also its port. */
function toDiagram(
  elements: DiagramElements,
  networkId: string,
): { nodes: DiagramNode[]; edges: DiagramEdge[] } {
  const isLayer2 = elements.subnets.length === 0 && elements.addresses.length === 0;
  const ports = new Map<string, string>();
  for (const { from, to, fromIfname, toIfname } of elements.links) {
    if (fromIfname) ports.set(`${from}\n${to}`, fromIfname);
    if (toIfname) ports.set(`${to}\n${from}`, toIfname);
  }
  const boxOf = (one: DiagramElements['nodes'][number] | DiagramElements['subnets'][number]) => ({
    x: Number(one.posX),
    y: Number(one.posY),
    width: one.width!,
    height: one.height!,
    container: one.container ?? null,
    moved: one.moved!,
  });
  const devices = elements.nodes.map((node): DiagramNode => {
    const port = isLayer2 && node.container ? ports.get(`${node.container}\n${node.elementId}`) : undefined;
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
      isSubnet: true,
      ...boxOf(subnet),
    }),
  );
  const addresses = new Map(elements.addresses.map((one) => [`${one.node}\n${one.subnet}`, one.addr]));
  const edges = elements.links.map(({ elementId, from, to, fromIfname, toIfname, evidence }): DiagramEdge => {
    const label = isLayer2
      ? [fromIfname, toIfname].filter(Boolean).join(' – ')
      : (addresses.get(`${from}\n${to}`) ?? '');
    return { id: elementId, from, to, label, evidence };
  });
  // Containers are drawn before their contents.
  const nodes = [...subnets, ...devices];
  return { nodes: [...nodes.filter(isTopLevel), ...nodes.filter((node) => !isTopLevel(node))], edges };
}

function isTopLevel({ container }: DiagramNode): boolean {
  return container === null;
}
