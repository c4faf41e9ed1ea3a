// Layout of a snapshot's pages: header with the controls of a running scan, and sections.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { task } from '@yagura/core/tasks/task';
import { namespacePermission } from '@yagura/core/tasks/task-permissions';
import { SectionedItem } from '../../resource/item/sectioned-item.tsx';
import { sectionsData } from '../../resource/item/sections.server.ts';
import { removeItemAction, toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { isScanIntent, ScanControls, type ScanIntent } from '../scan-controls.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const [item, { permissions }] = await Promise.all([
    sectionsData(args, snapshot),
    withApi(args, getCurrentUser),
  ]);
  const { status, paused } = item.item;
  const isRunning = status === 'requested' || status === 'started';
  const allowed: Record<ScanIntent, boolean> = {
    pause: status === 'started' && !paused && can(permissions, permissionFor(snapshot, 'pause')),
    resume: status === 'started' && paused === true && can(permissions, permissionFor(snapshot, 'resume')),
    abort: isRunning && can(permissions, namespacePermission('sonar', 'tasks', 'abort')),
  };
  const intents = (Object.keys(allowed) as ScanIntent[]).filter((intent) => allowed[intent]);
  return { ...item, intents };
}

export async function action(args: ActionFunctionArgs) {
  const intent = String((await args.request.clone().formData()).get('intent') ?? '');
  if (intent === 'delete') return removeItemAction(args);
  rejectCrossSiteRequest(args.request, args.context);
  if (!isScanIntent(intent)) throw data(null, { status: 400 });
  const { networkId, snapshotId } = args.params;
  return withApi(args, async (api) => {
    try {
      const params = { networkId: networkId! };
      const snapshots = api.client(snapshot);
      if (intent === 'abort') {
        const { task: started } = await snapshots.show(snapshotId!, params);
        if (started) await api.client(task).call('abort', { id: started.taskId });
      } else await snapshots.call(intent, { id: snapshotId, params });
      return { done: intent };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Snapshot() {
  const { intents, ...item } = useLoaderData<typeof loader>();
  return <SectionedItem data={item} actions={<ScanControls intents={intents} />} />;
}
