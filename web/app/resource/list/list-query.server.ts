// What a list's address asks of the API: page, size, sort, and a filter that may be plain words.

import type { ListQuery } from '@yagura/core/http/page';
import { filterFields, parseFilter, printFilter } from '@yagura/core/query/filter';
import { QueryError } from '@yagura/core/query/query-error';
import { type AnyResource, itemFields } from '@yagura/core/resource/define-resource';
import { formatSort, type TableState } from '../../ui/table/table-state.ts';

/** Kinds of fields that plain words are looked for in. */
const fullTextKinds = new Set(['text', 'email', 'url']);

/** The API's query for a table's state. Text that is no filter of known fields is looked for in the texts of the resource. */
export function listQuery(resource: AnyResource, state: TableState, text: string | null): ListQuery {
  return {
    limit: state.size,
    offset: (state.page - 1) * state.size,
    sort: formatSort(state.sort) || resource.defaultSort,
    ...(text?.trim() ? parseSearchBox(resource, text.trim()) : { filter: undefined }),
  };
}

/** Words are searched for where everything that an item says can be, and else filtered by. */
function parseSearchBox(resource: AnyResource, text: string): Pick<ListQuery, 'filter' | 'search'> {
  const filter = resolveFilter(resource, text);
  if (filter === undefined && resource.searchable) return { filter, search: text };
  return { filter: filter ?? containsFilter(resource, text) };
}

/** What was typed, when it reads as a filter of known fields. */
function resolveFilter(resource: AnyResource, text: string): string | undefined {
  try {
    const filter = parseFilter(text);
    if (filterFields(filter).every((field) => resource.filterable.includes(field))) return text;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
  return undefined;
}

/** A filter for what was typed: as it is when it reads as one, else the words in any text field. */
export function parseFilterText(resource: AnyResource, text: string): string | undefined {
  return resolveFilter(resource, text) ?? containsFilter(resource, text);
}

function containsFilter(resource: AnyResource, text: string): string | undefined {
  const meta = itemFields(resource);
  const fields = resource.filterable.filter((name) => fullTextKinds.has(meta[name]?.kind ?? ''));
  if (fields.length === 0) return undefined;
  const items = fields.map((field) => ({ op: 'co' as const, field, value: text }));
  return printFilter(items.length === 1 ? items[0]! : { op: 'or', items });
}

/** True when plain words can be looked for. */
export function isSearchable(resource: AnyResource): boolean {
  const meta = itemFields(resource);
  return resource.filterable.some((name) => fullTextKinds.has(meta[name]?.kind ?? ''));
}
