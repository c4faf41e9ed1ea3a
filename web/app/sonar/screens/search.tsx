// Search over the managed nodes of all networks; the query is in the URL so that it can be shared.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData, useLocation } from '@remix-run/react';
import { Problem } from '@yagura/core/http/problem';
import { QueryError } from '@yagura/core/query/query-error';
import { parseSearch } from '@yagura/core/query/search';
import { itemFields } from '@yagura/core/resource/define-resource';
import { managedNode } from '@yagura/core/sonar/managed-node';
import { managedNodeSearchPage } from '@yagura/core/sonar/managed-node-search';
import { packageField, rowFields, storedFields } from '@yagura/core/sonar/search-values';
import { listData, type Row } from '../../resource/list/list-data.server.ts';
import { ResourceTable } from '../../resource/list/list-screen.tsx';
import type { Crumb } from '../../shell/navigation/crumb.ts';
import { withApi } from '../../signin/api.server.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Placeholder } from '../../ui/page/placeholder.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const path = '/apps/sonar/search/managed-nodes';

interface QuerySyntaxError {
  reason: string;
  /** Zero-based index in UTF-16 units; null if the error has no single position. */
  position: number | null;
}

export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const query = (searchParams.get('q') ?? '').slice(0, 4096);
  return withApi(args, async (api) => {
    let refused: QuerySyntaxError | null = null;
    const list = await listData(api, {
      resource: managedNode,
      screen: path,
      searchParams,
      async fetch(listQuery) {
        const { filter: _none, ...paging } = listQuery;
        try {
          return await api
            .client(managedNodeSearchPage)
            .call<{ items: Row[]; total: number }>('search', { query: paging, body: { query } });
        } catch (error) {
          const reason =
            error instanceof Problem && error.invalidParams.find(({ name }) => name === 'query')?.reason;
          if (!reason) throw error;
          refused = { reason, position: syntaxErrorPosition(query) };
          return { items: [], total: 0 };
        }
      },
    });
    const { meta } = list;
    const network = { name: 'networkId', meta: itemFields(managedNode).networkId!, sortable: false };
    return {
      ...list,
      query,
      refused: refused as QuerySyntaxError | null,
      meta: { ...meta, columns: [meta.columns[0]!, meta.columns[1]!, network, ...meta.columns.slice(2)] },
      state: {
        ...list.state,
        columns: list.state.columns.includes('networkId')
          ? list.state.columns
          : [...list.state.columns.slice(0, 2), 'networkId', ...list.state.columns.slice(2)],
      },
      hrefs: Object.fromEntries(
        list.rows.map((row) => [
          row.managedNodeId,
          `/apps/sonar/networks/${row.networkId}/managed-nodes/${row.managedNodeId}`,
        ]),
      ),
      // Nodes are deleted on their own page, which shows what is deleted with them.
      permissions: { ...list.permissions, create: false, remove: false },
      crumbs: [
        { to: '/apps/sonar', labelKey: 'shell.sonar' },
        { to: path, labelKey: 'search.title' },
      ] satisfies Crumb[],
    };
  });
}

/** Returns the position of the syntax error. */
function syntaxErrorPosition(query: string): number | null {
  try {
    parseSearch(query);
    return null;
  } catch (error) {
    return error instanceof QueryError ? error.position : null;
  }
}

export default function Search() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const { query, refused } = data;
  return (
    <>
      <h1 className="mb-3 text-xl font-semibold">{t('search.title')}</h1>
      <search>
        <form method="get" action={path} className="flex max-w-4xl gap-2" key={query}>
          <input
            type="search"
            name="q"
            defaultValue={query}
            maxLength={4096}
            aria-label={t('search.query')}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? 'search-refused' : undefined}
            placeholder="type:switch AND addr:10.0.0.0/8"
            spellCheck={false}
            autoCapitalize="off"
            className="h-9 w-full min-w-0 rounded-md border border-line-strong/60 bg-surface px-3 font-mono text-sm aria-invalid:border-danger"
          />
          <Button type="submit" variant="primary" icon="search" className="h-9">
            {t('search.run')}
          </Button>
        </form>
      </search>
      {refused && <QueryErrorDetails query={query} {...refused} />}
      <QueryHelp open={query === ''} />
      <div className="mt-4">
        <ResourceTable
          data={data}
          caption={t('search.title')}
          empty={
            <Placeholder
              kind="empty"
              title={refused ? t('search.refused') : t('search.none')}
              detail={refused ? undefined : t('search.none-detail')}
            />
          }
        />
      </div>
    </>
  );
}

function QueryErrorDetails({ query, reason, position }: QuerySyntaxError & { query: string }) {
  return (
    <div
      id="search-refused"
      role="alert"
      className="mt-2 max-w-4xl rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg"
    >
      <p className="flex items-start gap-2">
        <Icon name="error" className="mt-0.5" />
        <span>{reason}</span>
      </p>
      {position !== null && (
        <p className="mt-1 overflow-x-auto pl-6 font-mono break-all whitespace-pre-wrap">
          {query.slice(0, position)}
          <mark className="rounded-sm bg-danger px-0.5 text-on-danger">{query[position] ?? '␣'}</mark>
          {query.slice(position + 1)}
        </p>
      )}
    </div>
  );
}

/** Example queries, shown as links. */
const examples = [
  ['web', 'words'],
  ['type:switch', 'field'],
  ['addr:10.0.0.0/8', 'cidr'],
  ['route:10.0.0.0/8', 'route'],
  ['process:nginx AND port:443', 'process'],
  ['name:web*', 'wildcard'],
  ['package:openssl<3.1', 'version'],
  ['addresses:[2 TO *]', 'range'],
  ['tag.env:prod AND NOT state:outdated', 'connected'],
] as const;

function QueryHelp({ open }: { open: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const fields = [...storedFields, packageField, ...rowFields, 'tag.…'];
  return (
    <details open={open} className="mt-3 max-w-4xl rounded-lg border border-line bg-surface text-sm">
      <summary className="cursor-pointer px-3 py-2 font-medium">{t('search.help')}</summary>
      <div className="grid gap-3 border-t border-line px-3 py-3">
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[max-content_1fr]">
          {examples.map(([query, word]) => (
            <div key={query} className="contents">
              <dt>
                <Link to={`${pathname}?q=${encodeURIComponent(query)}`} className="font-mono">
                  {query}
                </Link>
              </dt>
              <dd className="mb-1 text-muted">{t(`search.example.${word}`)}</dd>
            </div>
          ))}
        </dl>
        <p className="text-xs text-muted">
          {t('search.fields')}: <span className="font-mono">{fields.join(', ')}</span>
        </p>
      </div>
    </details>
  );
}
