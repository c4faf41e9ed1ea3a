// Searches the items that a reference field can refer to by their name.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { resources } from '@yagura/core/all';
import type { ListQuery } from '@yagura/core/http/page';
import { printFilter } from '@yagura/core/query/filter';
import { withApi } from '../../signin/api.server.ts';
import type { FoundReferences } from '../../ui/references.ts';
import { itemName } from '../references.server.ts';

const maxFound = 100;
const maxTextLength = 100;

/** No problem, which would lead to a page and be logged as a fault of the server. */
const notFound = () => new Response(null, { status: 404 });

export async function loader(args: LoaderFunctionArgs): Promise<FoundReferences> {
  const resource = resources.find(({ name }) => name === args.params.resource);
  // Filters ask for items of any resource; those of a parent are not listed without it, and their ids are typed
  // instead.
  if (!resource?.verbs.includes('list') || resource.path.includes('{')) throw notFound();
  if (!resource.filterable.includes(resource.title)) throw notFound();
  const { searchParams } = new URL(args.request.url);
  const text = (searchParams.get('text') ?? '').trim().slice(0, maxTextLength);
  const known = searchParams.get('id');
  return withApi(args, async (api) => {
    const list = async (query: ListQuery) => {
      const page = await api.client<Record<string, unknown>, unknown>(resource).list(query);
      const toOption = (item: Record<string, unknown>): [string, string] => [
        String(item[resource.id]),
        itemName(resource, item),
      ];
      return { options: page.items.map(toOption), hasMore: page.total > page.items.length };
    };
    const filterOf = (op: 'co' | 'eq', field: string, value: string) => printFilter({ op, field, value });
    const [found, own] = await Promise.all([
      list({
        limit: maxFound,
        sort: resource.title,
        ...(text === '' ? {} : { filter: filterOf('co', resource.title, text) }),
      }),
      known ? list({ limit: 1, filter: filterOf('eq', resource.id, known) }) : undefined,
    ]);
    const options = new Map([...(own?.options ?? []), ...found.options]);
    return { options: [...options], hasMore: found.hasMore };
  });
}
