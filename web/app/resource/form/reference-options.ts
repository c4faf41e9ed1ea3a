// Searches the items that a reference field can refer to by their name.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { resources } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import { printFilter } from '@yagura/core/query/filter';
import { withApi } from '../../signin/api.server.ts';
import type { FoundReferences } from '../../ui/references.ts';
import { itemName } from '../references.server.ts';

const maxFound = 100;
const maxTextLength = 100;

export async function loader(args: LoaderFunctionArgs): Promise<FoundReferences> {
  const resource = resources.find(({ name }) => name === args.params.resource);
  if (!resource?.verbs.includes('list') || resource.path.includes('{')) throw new Problem('not-found');
  if (!resource.filterable.includes(resource.title)) throw new Problem('not-found');
  const text = (new URL(args.request.url).searchParams.get('text') ?? '').trim().slice(0, maxTextLength);
  return withApi(args, async (api) => {
    const { items } = await api.client<Record<string, unknown>, unknown>(resource).list({
      limit: maxFound,
      sort: resource.title,
      ...(text === '' ? {} : { filter: printFilter({ op: 'co', field: resource.title, value: text }) }),
    });
    return { options: items.map((item) => [String(item[resource.id]), itemName(resource, item)]) };
  });
}
