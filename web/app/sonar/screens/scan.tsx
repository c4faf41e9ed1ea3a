// Scan page of a network: estimate and start a scan, and the scan settings.
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { Form, useLoaderData, useNavigation } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { network } from '@yagura/core/sonar/network';
import { snapshot } from '@yagura/core/sonar/snapshot';
import { startScan } from '@yagura/core/tasks/task-calls';
import { itemData } from '../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../resource/item/item-screen.tsx';
import { matchResource } from '../../resource/match-resource.server.ts';
import { fillScreenPath } from '../../resource/screen-path.ts';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { type Estimate, ScanEstimate } from '../scan-estimate.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(new URL(args.request.url).pathname);
  return withApi(args, async (api) => {
    const [item, { permissions }] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    return { ...item, mayEstimate: can(permissions, permissionFor(network, 'estimate')) };
  });
}

/** Returns the agent's estimate, or starts a scan and redirects to its snapshot. */
export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const networkId = args.params.networkId!;
  const intent = (await args.request.formData()).get('intent');
  return withApi(args, async (api) => {
    try {
      if (intent === 'estimate')
        return { estimate: await api.client(network).call<Estimate>('estimate', { id: networkId }) };
      const snapshotId = await startScan(api.transport, networkId);
      const list = fillScreenPath(snapshot.screen, { networkId })!;
      return redirect(snapshotId ? `${list}/${snapshotId}` : list);
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function Scan() {
  const data = useLoaderData<typeof loader>();
  const reply = useActionResult<typeof action>();
  const { t } = useTranslation();
  const navigation = useNavigation();
  const busy = navigation.state === 'submitting';
  const isEstimating = navigation.formData?.get('intent') === 'estimate';
  useProblemToast(reply);
  return (
    <div className="space-y-3">
      {data.permissions.edit && (
        <Form method="post" className="flex flex-wrap gap-2">
          <Button
            type="submit"
            variant="primary"
            busy={busy && !isEstimating}
            disabled={busy && isEstimating}
          >
            {t('sonar.scan.start')}
          </Button>
          {data.mayEstimate && (
            <Button
              type="submit"
              name="intent"
              value="estimate"
              busy={busy && isEstimating}
              disabled={busy && !isEstimating}
            >
              {t('sonar.scan.estimate')}
            </Button>
          )}
          <LinkButton to={`${data.screen}/edit`}>{t('verb.edit')}</LinkButton>
        </Form>
      )}
      {reply && 'estimate' in reply && <ScanEstimate estimate={reply.estimate} />}
      <ItemInfo data={data} />
    </div>
  );
}
