// A runbook: its header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { itemData } from '../../resource/item-data.server.ts';
import { ItemHeader } from '../../resource/item-screen.tsx';
import { matchResource } from '../../resource/place.server.ts';
import { removeAt } from '../../resource/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useTranslation } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const placed = matchResource(`/apps/alerthub/runbooks/${encodeURIComponent(args.params.runbookId!)}`);
  return withApi(args, (api) => itemData(api, placed));
}

export const action = removeAt;

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
