// Searches items by name for the command palette, in every named resource that the user may list.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { resources } from '@yagura/core/all';
import { mapInChunks } from '@yagura/core/http/chunks';
import type { Page } from '@yagura/core/http/page';
import { printFilter } from '@yagura/core/query/filter';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { type Api, withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';

interface SearchResult {
  to: string;
  text: string;
  noun: Noun;
}

/** A list with more hits than the palette shows. */
interface MoreResults {
  /** The list, limited to the hits. */
  to: string;
  total: number;
  totalIsLeast: boolean;
  noun: Noun;
}

interface FoundItems {
  /** What was searched for. */
  text: string;
  found: SearchResult[];
  more: MoreResults[];
}

/** Maximum hits per resource. */
const maxPerResource = 4;
const maxText = 100;

type Row = Record<string, unknown>;

export async function loader(args: LoaderFunctionArgs): Promise<FoundItems> {
  const text = (new URL(args.request.url).searchParams.get('text') ?? '').trim().slice(0, maxText);
  return withApi(args, async (api) => {
    if (!text) return { text, found: [], more: [] };
    const user = await getCurrentUser(api);
    const named = resources.filter(
      (resource) =>
        isSearchableByName(resource) &&
        resourcePermissions(user, resource).list &&
        resourcePermissions(user, resource).show,
    );
    const found = await mapInChunks(named, (resource) => findItems(api, resource, text));
    return {
      text,
      found: found.flatMap(({ hits }) => hits),
      more: found.flatMap(({ more }) => more ?? []),
    };
  });
}

async function findItems(
  api: Api,
  resource: AnyResource,
  text: string,
): Promise<{ hits: SearchResult[]; more?: MoreResults }> {
  const filterOf = (op: 'co' | 'sw') => printFilter({ op, field: resource.title, value: text });
  const list = (op: 'co' | 'sw'): Promise<Pick<Page<Row>, 'items' | 'total' | 'totalIsLeast'>> =>
    api
      .client<Row, unknown>(resource)
      .list({
        filter: filterOf(op),
        limit: maxPerResource,
        sort: resource.sortable.includes(resource.title) ? resource.title : undefined,
      })
      // A failing resource must not hide the hits of the others.
      .catch(() => ({ items: [], total: 0 }));
  const toResult = (item: Row): SearchResult => ({
    to: `${resource.screen}/${encodeURIComponent(String(item[resource.id]))}`,
    text: String(item[resource.title]),
    noun: resource.noun,
  });
  const page = await list('co');
  if (page.total <= page.items.length) return { hits: page.items.map(toResult) };
  // In the order of names, the name that was typed in full comes first among those that begin with the text.
  const beginning = await list('sw');
  const hits = new Map([...beginning.items, ...page.items].map((item) => [item[resource.id], item]));
  return {
    hits: [...hits.values()].slice(0, maxPerResource).map(toResult),
    more: {
      to: `${resource.screen}?${new URLSearchParams({ filter: filterOf('co') })}`,
      total: page.total,
      totalIsLeast: page.totalIsLeast === true,
      noun: resource.noun,
    },
  };
}

/** A resource with names to search and a page that needs no parent. */
function isSearchableByName(resource: AnyResource): boolean {
  return (
    resource.title !== resource.id &&
    resource.filterable.includes(resource.title) &&
    resource.verbs.includes('list') &&
    resource.screen !== undefined &&
    !resource.screen.includes(':') &&
    !resource.path.includes('{')
  );
}
