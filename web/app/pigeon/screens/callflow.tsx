// Detail page of a callflow, with a preview of who rings when.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { QuietHours } from '@yagura/core/schedule/quiet-hours';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemScreen } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { removeItemAction } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { QuietHoursText } from '../quiet-hours-text.tsx';
import { callIntent, previewIntent } from '../ring-preview/preview-fields.ts';
import { handlePreview, listGuidances, requestedIntent } from '../ring-preview/ring-preview.server.ts';
import { RingPreviewPanel } from '../ring-preview/ring-preview-panel.tsx';
import { findCallLine, startCall } from '../ring-preview/start-call.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [data, line] = await Promise.all([itemData(api, match), findCallLine(api)]);
    // Who may not call may not preview calls either.
    return { ...data, calls: line && { line, guidances: await listGuidances(api) } };
  });
}

export async function action(args: ActionFunctionArgs) {
  const intent = await requestedIntent(args.request);
  if (intent === callIntent) return startCall(args);
  return intent === previewIntent ? handlePreview(args) : removeItemAction(args);
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
      {data.calls && (
        <div className="mt-5">
          <RingPreviewPanel
            callflowId={callflowId}
            guidance={{ options: data.calls.guidances }}
            line={data.calls.line}
          />
        </div>
      )}
    </ItemScreen>
  );
}
