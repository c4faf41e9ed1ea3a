// The rules that raise events on a scope by naming it.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { rule } from '@yagura/core/alerthub/rule';
import type { ListQuery } from '@yagura/core/http/page';
import { listData, type Row } from '../../resource/list-data.server.ts';
import { ListScreen } from '../../resource/list-screen.tsx';
import { type Api, screen } from '../../signin/api.server.ts';
import { useWords } from '../../ui/words.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const scopeId = args.params.scopeId!;
  return screen(args, async (api) => {
    const list = await listData(api, {
      resource: rule,
      screen: '/apps/alerthub/rules',
      params: new URL(args.request.url).searchParams,
      fetch: (query) => rulesNaming(api, scopeId, query),
    });
    return { ...list, watches: ['rule'] };
  });
}

/** One page of the rules whose events go to the scope. The API filters by no list inside a rule, so all are looked through. */
async function rulesNaming(
  api: Api,
  scopeId: string,
  query: ListQuery,
): Promise<{ items: Row[]; total: number }> {
  const found: Row[] = [];
  for await (const item of api.client(rule).walk({ sort: query.sort, filter: query.filter })) {
    if (item.eventParams.some((param) => param.scopeId === scopeId)) found.push(item);
  }
  const offset = query.offset ?? 0;
  return { items: found.slice(offset, offset + (query.limit ?? found.length)), total: found.length };
}

export default function ScopeRules() {
  const data = useLoaderData<typeof loader>();
  const { t } = useWords();
  return (
    <>
      <ListScreen data={data} nested emptyText={t('page.scope-rules-none')} />
      <p className="mt-3 text-sm text-muted">{t('page.scope-rules-detail')}</p>
    </>
  );
}
