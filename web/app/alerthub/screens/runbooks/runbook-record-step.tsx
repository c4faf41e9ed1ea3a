// Detail page of an executed runbook step: input and result.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { runbookRecordStep } from '@yagura/core/alerthub/runbook-record';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader, ItemInfo } from '../../../resource/item/item-screen.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { Panel } from '../../../ui/page/panel.tsx';
import { JsonView } from '../../../ui/text/json-view.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { runbookRecordCrumbs } from './runbook-record-crumbs.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { runbookId, runbookRecordId, stepId } = args.params as {
    runbookId: string;
    runbookRecordId: string;
    stepId: string;
  };
  const record = `/apps/alerthub/runbooks/${encodeURIComponent(runbookId)}/runbook-records/${runbookRecordId}`;
  return withApi(args, async (api) => {
    const placed = {
      resource: runbookRecordStep,
      screen: `${record}/steps`,
      params: { runbookRecordId },
      rest: [stepId],
    };
    const [data, recordCrumbs, t] = await Promise.all([
      itemData(api, placed),
      runbookRecordCrumbs(api, { runbookId, runbookRecordId }),
      loadTranslator(preferencesOf(args.request).language),
    ]);
    const reason = data.item.reason as Reason | null;
    const { because, ...output } = testResultOf(data.item);
    return {
      ...data,
      meta: { ...data.meta, title: 'displayName' },
      // The steps are listed on the page of their record.
      crumbs: [
        ...recordCrumbs,
        { noun: runbookRecordStep.noun },
        { to: `${record}/steps/${encodeURIComponent(stepId)}`, text: String(data.item.displayName) },
      ],
      record,
      reason: reason && formatReason(reason, t),
      // The reason is shown as a sentence, the rest of the output as data.
      explanation:
        because && because.word !== reason?.word ? formatReason(because, t, { seen: output.seen }) : null,
      output: because ? output : data.item.output,
      watches: ['runbook-record'],
    };
  });
}

/**
 * Returns the output of an operator or a branch; an action's output is its target's response and may contain
 * anything.
 */
function testResultOf({ kind, output }: Record<string, unknown>): { because?: Reason; seen?: unknown } {
  return kind === 'operator' || kind === 'branch' ? { ...(output as object | null) } : {};
}

export default function RunbookRecordStep() {
  const data = useLoaderData<typeof loader>();
  const { t, fieldLabel } = useTranslation();
  return (
    <>
      <ItemHeader data={data} backHref={data.record} />
      {data.reason && (
        <p className="mb-4 rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">{data.reason}</p>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ItemInfo data={data} without={['input', 'output']} />
        <div className="grid gap-5">
          <Panel title={fieldLabel('input')} padded>
            <JsonView value={data.item.input} />
          </Panel>
          <Panel title={fieldLabel('output')} padded>
            {data.explanation && <p className="mb-2 text-sm">{data.explanation}</p>}
            {data.output === null ? (
              <p className="text-sm text-muted">{t('runbook.no-output')}</p>
            ) : (
              <JsonView value={data.output} />
            )}
          </Panel>
        </div>
      </div>
    </>
  );
}
