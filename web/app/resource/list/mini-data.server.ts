// Loader data of a short list inside another page: a few rows without paging or column selection.
import type { ListQuery } from '@yagura/core/http/page';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, itemFields, type Resource } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import type { Api } from '../../signin/api.server.ts';
import type { References } from '../../ui/references.ts';
import { itemHref, resolveReferences } from '../references.server.ts';
import { fillScreenPath } from '../screen-path.ts';

type Row = Record<string, unknown>;

/** `Name` is the names of the fields that a table of the rows can show. */
export interface MiniData<Name extends string = string> {
  name: string;
  id: string;
  fields: Record<Name, FieldMeta>;
  rows: Row[];
  hrefs: Record<string, string>;
  total: number;
  references: References;
}

type FieldName<T> = keyof T & string;

interface Page {
  items: Row[];
  total: number;
}

/** Returns the first rows of a list and everything to render them. */
export async function miniData<T, N>(
  api: Api,
  resource: Resource<T, N>,
  query: ListQuery,
  pathParams: PathParams = {},
  fetch?: () => Promise<Page>,
): Promise<MiniData<FieldName<T>>> {
  const page = await (fetch?.() ?? api.client<Row, unknown>(resource as AnyResource).list(query, pathParams));
  return toMiniData(api, resource, page, pathParams);
}

/** Like the above, limited to the given fields. */
export async function miniDataWithColumns<T, N, Name extends FieldName<T>>(
  api: Api,
  resource: Resource<T, N>,
  query: ListQuery,
  names: readonly Name[],
): Promise<MiniData<Name>> {
  const page = await api.client<Row, unknown>(resource as AnyResource).list(query);
  return toMiniData(api, resource, page, {}, names);
}

/** The data of a page that has been fetched. */
export async function toMiniData<Name extends string>(
  api: Api,
  resource: AnyResource,
  { items, total }: Page,
  pathParams: PathParams,
  names?: readonly Name[],
): Promise<MiniData<Name>> {
  const pick = <T>(all: Record<string, T>) =>
    names ? Object.fromEntries(names.map((name) => [name, all[name]!])) : all;
  const screen = fillScreenPath(resource.screen, pathParams);
  const opens = screen !== undefined && resource.verbs.includes('show');
  const fields = pick(itemFields(resource)) as Record<Name, FieldMeta>;
  return {
    name: resource.name,
    id: resource.id,
    fields,
    rows: items.map((item) => ({ ...pick(item), [resource.id]: item[resource.id] })),
    hrefs: opens
      ? Object.fromEntries(items.map((row) => [row[resource.id], itemHref(resource, screen, row)]))
      : {},
    total,
    references: await resolveReferences(api, fields, items),
  };
}
