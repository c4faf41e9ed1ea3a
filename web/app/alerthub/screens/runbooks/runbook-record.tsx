// Detail page of a runbook record: its progress step by step.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Form as PlainForm, useLoaderData, useNavigation } from '@remix-run/react';
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { runbook } from '@yagura/core/alerthub/runbook';
import { runbookRecord, runbookRecordStep } from '@yagura/core/alerthub/runbook-record';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { miniData } from '../../../resource/list/mini-data.server.ts';
import { MiniTable } from '../../../resource/list/mini-table.tsx';
import { toActionProblem, useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { redirectWithNotice, toProblemResponse } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { runbookRecordCrumbs } from './runbook-record-crumbs.server.ts';

const max = 1000;

export async function loader(args: LoaderFunctionArgs) {
  const { runbookId, runbookRecordId } = args.params as { runbookId: string; runbookRecordId: string };
  const here = `/apps/alerthub/runbooks/${encodeURIComponent(runbookId)}/runbook-records`;
  return withApi(args, async (api) => {
    const placed = { resource: runbookRecord, screen: here, params: {}, rest: [runbookRecordId] };
    const [data, crumbs, steps, user, t] = await Promise.all([
      itemData(api, placed),
      runbookRecordCrumbs(api, { runbookId, runbookRecordId }),
      miniData(api, runbookRecordStep, { sort: 'seq', limit: max }, { runbookRecordId }),
      getCurrentUser(api),
      loadTranslator(preferencesOf(args.request).language),
    ]);
    const failed = steps.rows.findLast((row) => row.status === 'failed');
    const reason = data.item.reason as Reason | null;
    return {
      ...data,
      crumbs,
      // The list of records is a section of the runbook.
      backHref: data.references.runbook?.[runbookId] === null ? runbook.screen : here,
      steps: {
        ...steps,
        hrefs: Object.fromEntries(
          steps.rows.map((row) => [
            row.stepId,
            `${here}/${runbookRecordId}/steps/${encodeURIComponent(String(row.stepId))}`,
          ]),
        ),
      },
      reason: reason && formatReason(reason, t),
      rerun:
        resourcePermissions(user, runbook).edit && data.item.status === 'failed'
          ? (failed?.stepId as string)
          : undefined,
      watches: ['runbook-record'],
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const { runbookId, runbookRecordId } = args.params as { runbookId: string; runbookRecordId: string };
  const form = await args.request.formData();
  return withApi(args, async (api) => {
    try {
      const made = await api.client(runbookRecord).call<{ runbookRecordId: string }>('rerun', {
        id: runbookRecordId,
        body: { stepId: String(form.get('stepId') ?? '') },
      });
      return redirectWithNotice(
        `/apps/alerthub/runbooks/${encodeURIComponent(runbookId)}/runbook-records/${made.runbookRecordId}`,
        'created',
      );
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export default function RunbookRecord() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const busy = useNavigation().state !== 'idle';
  useProblemToast(toActionProblem(useActionResult()));
  return (
    <>
      <ItemHeader
        data={data}
        backHref={data.backHref}
        actions={
          data.rerun && (
            <PlainForm method="post">
              <input type="hidden" name="stepId" value={data.rerun} />
              <Button type="submit" size="small" busy={busy}>
                {t('runbook.rerun')}
              </Button>
            </PlainForm>
          )
        }
      />
      {data.reason && (
        <p className="mb-4 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">{data.reason}</p>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} />
        <Panel title={t('runbook.steps')}>
          <MiniTable
            data={data.steps}
            caption={t('runbook.steps')}
            columns={['seq', 'status', 'displayName', 'kind', 'endedAt']}
            hiddenOnMobile={['kind', 'endedAt']}
          />
        </Panel>
      </div>
    </>
  );
}
