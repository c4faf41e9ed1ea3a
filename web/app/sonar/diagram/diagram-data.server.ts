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
import { toDiagram } from './to-diagram.ts';

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
