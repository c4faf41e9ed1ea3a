// Layout of a runbook's pages: header and sections.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { can } from '@yagura/core/access/permissions';
import { runbook } from '@yagura/core/alerthub/runbook';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { itemData } from '../../../resource/item/item-data.server.ts';
import { ItemHeader } from '../../../resource/item/item-screen.tsx';
import { matchResource } from '../../../resource/match-resource.server.ts';
import { removeItemAction } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { getCurrentUser } from '../../../signin/current-user.server.ts';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const match = matchResource(`/apps/alerthub/runbooks/${encodeURIComponent(args.params.runbookId!)}`);
  return withApi(args, async (api) => {
    const [data, { permissions }] = await Promise.all([itemData(api, match), getCurrentUser(api)]);
    return { ...data, mayTest: can(permissions, permissionFor(runbook, 'rehearse')) };
  });
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
          ...(data.mayTest ? [{ to: `${base}/test-run`, label: t('runbook.test') }] : []),
          { to: `${base}/runbook-records`, label: t('runbook.records') },
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
