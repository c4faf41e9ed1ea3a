// What was imported and exported of one kind.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { withApi } from '../../signin/api.server.ts';
import { ResourceHeader } from '../../ui/resource-header.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useTranslation } from '../../ui/words.tsx';
import { bulkCrumbs, bulkMay, kindOf } from '../bulk/tools.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = kindOf(args.params);
    return { kind, may: await bulkMay(api), crumbs: bulkCrumbs(kind) };
  });
}

export default function BulkHistories() {
  const { kind, may } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const base = `/apps/alerthub/tools/${kind}/histories`;
  return (
    <>
      <ResourceHeader title={t(`bulk.kind.${kind}`)} kind={t('page.tools')} backHref="/apps/alerthub/tools" />
      <Tabs
        tabs={[
          ...(may.listImports ? [{ to: `${base}/imports`, label: t('bulk.imports') }] : []),
          ...(may.listExports ? [{ to: `${base}/exports`, label: t('bulk.exports') }] : []),
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
