// Loader data of a short list inside another page: a few rows without paging or column selection.
import type { ListQuery } from '@yagura/core/http/page';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, itemFields } from '@yagura/core/resource/define-resource';
import type { Api } from '../../signin/api.server.ts';
import type { References } from '../../ui/references.ts';
import { itemHref, resolveReferences } from '../references.server.ts';
import { type ColumnMeta, screenMeta } from '../screen-meta.ts';
import { fillScreenPath } from '../screen-path.ts';

type Row = Record<string, unknown>;

export interface MiniData {
  name: string;
  id: string;
  columns: ColumnMeta[];
  rows: Row[];
  hrefs: Record<string, string>;
  total: number;
  references: References;
}

interface Page {
  items: Row[];
  total: number;
}

/** Returns the first rows of a list and everything to render them. */
export async function miniData(
  api: Api,
  resource: AnyResource,
  query: ListQuery,
  pathParams: PathParams = {},
  fetch?: () => Promise<Page>,
): Promise<MiniData> {
  const page = await (fetch?.() ?? api.client<Row, unknown>(resource).list(query, pathParams));
  return toMiniData(api, resource, page, pathParams);
}

/** Like the above, limited to the given columns. */
export async function miniDataWithColumns(
  api: Api,
  resource: AnyResource,
  query: ListQuery,
  names: readonly string[],
): Promise<MiniData> {
  return toMiniData(api, resource, await api.client<Row, unknown>(resource).list(query), {}, names);
}

async function toMiniData(
  api: Api,
  resource: AnyResource,
  { items, total }: Page,
  pathParams: PathParams,
  names?: readonly string[],
): Promise<MiniData> {
  const pickColumns = <T>(all: Record<string, T>) =>
    names ? Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) : all;
  const screen = fillScreenPath(resource.screen, pathParams);
  const opens = screen !== undefined && resource.verbs.includes('show');
  return {
    name: resource.name,
    id: resource.id,
    columns: screenMeta(resource).columns.filter(({ name }) => !names || names.includes(name)),
    rows: items.map((item) => ({ ...pickColumns(item), [resource.id]: item[resource.id] })),
    hrefs: opens
      ? Object.fromEntries(items.map((row) => [row[resource.id], itemHref(resource, screen, row)]))
      : {},
    total,
    references: await resolveReferences(api, pickColumns(itemFields(resource)), items),
  };
}
