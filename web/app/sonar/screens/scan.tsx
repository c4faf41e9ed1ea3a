// The scan of a network: starting one, and what its scans look at.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { Form, useLoaderData, useNavigation } from '@remix-run/react';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { startScan } from '@yagura/core/work/task';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemInfo } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { fillScreen } from '../../resource/screen-path.ts';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { refuse } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { refuseForeign } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(new URL(args.request.url).pathname);
  return withApi(args, (api) => itemData(api, placed));
}

/** Starts a scan and leads to the snapshot that it fills. */
export async function action(args: ActionFunctionArgs) {
  refuseForeign(args.request, args.context);
  const networkId = args.params.networkId!;
  return withApi(args, async (api) => {
    try {
      const snapshotId = await startScan(api.transport, networkId);
      const list = fillScreen(snapshot.screen, { networkId })!;
      return redirect(snapshotId ? `${list}/${snapshotId}` : list);
    } catch (error) {
      return refuse(error, {});
    }
  });
}

export default function Scan() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { t } = useTranslation();
  const busy = useNavigation().state === 'submitting';
  useRefusalToast(refusal);
  return (
    <div className="space-y-3">
      {data.permissions.edit && (
        <Form method="post" className="flex gap-2">
          <Button type="submit" variant="primary" disabled={busy}>
            {t('sonar.scan.start')}
          </Button>
          <LinkButton to={`${data.screen}/edit`}>{t('verb.edit')}</LinkButton>
        </Form>
      )}
      <ItemInfo data={data} />
    </div>
  );
}
