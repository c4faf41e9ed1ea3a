// Searches items by name for the command palette, in every named resource that the user may list.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { resources } from '@yagura/core/all';
import { mapInChunks } from '@yagura/core/http/chunks';
import { printFilter } from '@yagura/core/query/filter';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';

export interface SearchResult {
  to: string;
  text: string;
  noun: Noun;
}

/** Maximum hits per resource. */
const maxPerResource = 4;
const maxText = 100;

type Row = Record<string, unknown>;

export async function loader(args: LoaderFunctionArgs) {
  const text = (new URL(args.request.url).searchParams.get('text') ?? '').trim().slice(0, maxText);
  return withApi(args, async (api) => {
    if (!text) return { found: [] as SearchResult[] };
    const user = await getCurrentUser(api);
    const named = resources.filter(
      (resource) =>
        isSearchableByName(resource) &&
        resourcePermissions(user, resource).list &&
        resourcePermissions(user, resource).show,
    );
    const found = await mapInChunks(named, async (resource): Promise<SearchResult[]> => {
      const filter = printFilter({ op: 'co', field: resource.title, value: text });
      const page = await api
        .client<Row, unknown>(resource)
        .list({
          filter,
          limit: maxPerResource,
          sort: resource.sortable.includes(resource.title) ? resource.title : undefined,
        })
        // A failing resource must not hide the hits of the others.
        .catch(() => ({ items: [] as Row[] }));
      return page.items.map((item) => ({
        to: `${resource.screen}/${encodeURIComponent(String(item[resource.id]))}`,
        text: String(item[resource.title]),
        noun: resource.noun,
      }));
    });
    return { found: found.flat() };
  });
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
