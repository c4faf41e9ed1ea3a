// List of the rules that raise events on a scope, by name or by its current attributes.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import { scope } from '@yagura/core/alerthub/scope';
import type { Page } from '@yagura/core/http/page';
import { listData, type Row } from '../../../resource/list/list-data.server.ts';
import { ListScreen } from '../../../resource/list/list-screen.tsx';
import { withApi } from '../../../signin/api.server.ts';
import { useTranslation } from '../../../ui/translation.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const scopeId = args.params.scopeId!;
  return withApi(args, async (api) => {
    const list = await listData(api, {
      resource: rule,
      screen: '/apps/alerthub/rules',
      searchParams: new URL(args.request.url).searchParams,
      fetch: (query) => api.client(scope).call<Page<Row>>('rules', { id: scopeId, query: { ...query } }),
    });
    return { ...list, watches: ['rule', 'scope'] };
  });
}

export default function ScopeRules() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  return <ListScreen data={data} nested emptyText={t('page.scope-rules-none')} />;
}
