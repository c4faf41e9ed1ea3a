// Detail page of a callflow, with a preview of who rings when.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { chain } from '@yagura/core/pigeon/chain';
import { permissionFor } from '@yagura/core/resource/define-resource';
import type { QuietHours } from '@yagura/core/schedule/quiet-hours';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { QuietHoursText } from '../quiet-hours-text.tsx';
import { handlePreview, isPreviewRequest, listGuidances } from '../ring-preview/ring-preview.server.ts';
import { RingPreviewPanel } from '../ring-preview/ring-preview-panel.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, user] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    const mayPreview = can(user.permissions, permissionFor(chain, 'preview'));
    return { ...data, guidances: mayPreview ? await listGuidances(api) : null };
  });
}

export async function action(args: ActionFunctionArgs) {
  return (await isPreviewRequest(args.request)) ? handlePreview(args) : removeItemAction(args);
}

export default function Callflow() {
  const data = useLoaderData<typeof loader>();
  const callflowId = String(data.item.callflowId);
  const quietHours = data.item.quietHours as unknown as QuietHours | null;
  return (
    <ItemScreen
      key={callflowId}
      data={data}
      fields={quietHours ? { quietHours: <QuietHoursText hours={quietHours} /> } : {}}
    >
      {data.guidances && (
        <div className="mt-5">
          <RingPreviewPanel callflowId={callflowId} guidance={{ options: data.guidances }} />
        </div>
      )}
    </ItemScreen>
  );
}
