// Layout of the import and export histories of one kind.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { withApi } from '../../../signin/api.server.ts';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { bulkCrumbs, bulkKindOf, bulkPermissions } from '../../bulk/tools.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const kind = bulkKindOf(args.params);
    return { kind, permissions: await bulkPermissions(api), crumbs: bulkCrumbs(kind) };
  });
}

export default function BulkHistories() {
  const { kind, permissions } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const base = `/apps/alerthub/tools/${kind}/histories`;
  return (
    <>
      <ResourceHeader title={t(`bulk.kind.${kind}`)} kind={t('page.tools')} backHref="/apps/alerthub/tools" />
      <Tabs
        tabs={[
          ...(permissions.listImports ? [{ to: `${base}/imports`, label: t('bulk.imports') }] : []),
          ...(permissions.listExports ? [{ to: `${base}/exports`, label: t('bulk.exports') }] : []),
        ]}
      />
      <div className="pt-4">
        <Outlet />
      </div>
    </>
  );
}
