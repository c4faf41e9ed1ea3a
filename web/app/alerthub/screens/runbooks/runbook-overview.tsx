// Overview of a runbook and its latest records.

import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { dataKey } from '@yagura/core/i18n/message-key';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemInfo } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(`/apps/alerthub/runbooks/${encodeURIComponent(args.params.runbookId!)}`);
  return withApi(args, (api) => itemData(api, match));
}

export const action = removeItemAction;

export default function RunbookOverview() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const steps = data.item.steps as unknown as { stepId: string; displayName: string; kind: string }[];
  return (
    <ItemInfo
      data={data}
      fields={{
        steps:
          steps.length === 0 ? (
            <span className="text-muted">{t('runbook.no-steps')}</span>
          ) : (
            <ol className="grid list-decimal gap-0.5 pl-5">
              {steps.map((step) => (
                <li key={step.stepId}>
                  {step.displayName || step.stepId}{' '}
                  <span className="text-muted">({t(dataKey(`value.${step.kind}`))})</span>
                </li>
              ))}
            </ol>
          ),
      }}
    />
  );
}
