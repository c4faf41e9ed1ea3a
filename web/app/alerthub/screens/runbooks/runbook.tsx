// Layout of a runbook's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(`/apps/alerthub/runbooks/${encodeURIComponent(args.params.runbookId!)}`);
  return withApi(args, (api) => itemData(api, match));
}

export const action = removeItemAction;

export default function Runbook() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const base = `${data.screen}/${String(data.item.runbookId)}`;
  return (
    <>
      <ItemHeader data={data} />
      <Tabs
        tabs={[
          { to: base, label: t('page.overview'), end: true },
          { to: `${base}/flow`, label: t('runbook.flow') },
          { to: `${base}/runbook-records`, label: t('runbook.records') },
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
