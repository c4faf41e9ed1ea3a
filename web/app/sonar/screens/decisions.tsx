// Which hosts are one managed node and why; merges and splits by hand, and undoing them.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { type Filter, printFilter } from '@yagura/core/query/filter';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { managedNode, managedNodeSnapshot, nodeDecision } from '@yagura/core/sonar/managed-node';
import { matchResource } from '../../resource/match-resource.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { DecisionList } from '../decisions/decision-list.tsx';
import { HostList } from '../decisions/host-list.tsx';
import { MergeForm } from '../decisions/merge-form.tsx';

/** Hosts and decisions on the page, the last ones. */
const maxRows = 100;
const maxCandidates = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const { params } = matchResource(pathname);
  const { networkId, managedNodeId } = params as { networkId: string; managedNodeId: string };
  const find = (searchParams.get('find') ?? '').trim().slice(0, 100);
  return withApi(args, async (api) => {
    const { permissions } = await getCurrentUser(api);
    const mayMerge = can(permissions, permissionFor(managedNode, 'merge'));
    const [hosts, decisions, candidates] = await Promise.all([
      api.client(managedNodeSnapshot).list({ limit: maxRows, sort: '-createdAt' }, params),
      api.client(nodeDecision).list({ limit: maxRows, sort: '-createdAt' }, params),
      mayMerge && find
        ? api.client(managedNode).list({ limit: maxCandidates, filter: findFilter(find) }, { networkId })
        : null,
    ]);
    return {
      find,
      hosts,
      decisions: decisions.items,
      mayMerge,
      mayUndo: can(permissions, permissionFor(nodeDecision, 'remove')),
      candidates: candidates?.items.filter((one) => one.managedNodeId !== managedNodeId) ?? null,
      managedNodeId,
      watches: [managedNode.name, nodeDecision.name],
    };
  });
}

function findFilter(value: string): string {
  const items = ['displayName', 'addr', 'macaddr'].map((field): Filter => ({ op: 'co', field, value }));
  return printFilter({ op: 'or', items });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const { params } = matchResource(new URL(args.request.url).pathname);
  const form = await args.request.formData();
  const [intent, id] = [String(form.get('intent')), String(form.get('id'))];
  return withApi(args, async (api) => {
    const nodes = api.client(managedNode);
    const at = { id: params.managedNodeId, params };
    try {
      if (intent === 'merge') await nodes.call('merge', { ...at, body: { otherNodeId: id } });
      else if (intent === 'split') await nodes.call('split', { ...at, body: { nodeId: id } });
      else if (intent === 'undo') await api.client(nodeDecision).remove(id, params);
      else throw data(null, { status: 400 });
      return { done: intent };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Decisions() {
  const { find, hosts, decisions, mayMerge, mayUndo, candidates, managedNodeId } =
    useLoaderData<typeof loader>();
  return (
    <div className="grid grid-cols-1 gap-4">
      <HostList hosts={hosts.items} total={hosts.total} maySplit={mayMerge} />
      <DecisionList decisions={decisions} managedNodeId={managedNodeId} mayUndo={mayUndo} />
      {mayMerge && <MergeForm key={find} find={find} candidates={candidates} />}
    </div>
  );
}
