// Converts a list's URL to an API query: page, size, sort and filter, which may be plain words.

import type { ListQuery } from '@yagura/core/http/page';
import { type Filter, filterFields, parseFilter, printFilter } from '@yagura/core/query/filter';
import { QueryError } from '@yagura/core/query/query-error';
import { printSort } from '@yagura/core/query/sort';
import { type AnyResource, itemFields } from '@yagura/core/resource/define-resource';
import { kindTraits } from '@yagura/core/resource/field-kinds';
import type { TableState } from '../../ui/table/table-state.ts';

/** Field kinds that plain words are matched against. */
const fullTextKinds = new Set(['text', 'email', 'url']);

/**
 * Returns the API query for a table's state. Text that is not a filter of known fields is matched against the
 * resource's text fields.
 */
export function listQuery(resource: AnyResource, state: TableState, text: string | null): ListQuery {
  return {
    limit: state.size,
    offset: (state.page - 1) * state.size,
    sort: printSort(state.sort) || resource.defaultSort,
    ...(text?.trim() ? parseSearchBox(resource, text.trim()) : { filter: undefined }),
  };
}

/** Plain words use the full-text search if the resource has one, else a filter. */
function parseSearchBox(resource: AnyResource, text: string): Pick<ListQuery, 'filter' | 'search'> {
  const filter = resolveFilter(resource, text);
  if (filter === undefined && resource.searchable) return { filter, search: text };
  return { filter: filter ?? containsFilter(resource, text) };
}

/** Returns the text if it parses as a filter of known fields. */
function resolveFilter(resource: AnyResource, text: string): string | undefined {
  try {
    const filter = parseFilter(text);
    if (filterFields(filter).every((field) => resource.filterable.includes(field))) return text;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
  return undefined;
}

/** A field name and an operator at the beginning, as in `severity eq 3`. */
const filterBeginning = /^[\s(]*(?:not\s*\(\s*)?[a-z][\w.]*\s+(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)(?:[\s)]|$)/i;

/** Returns whether text that was searched for as plain words was probably meant as a filter. */
export function isInvalidFilter(resource: AnyResource, text: string): boolean {
  return filterBeginning.test(text) && resolveFilter(resource, text) === undefined;
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns a field that the text compares with what cannot be an id, such as a name, although it has ids; undefined if
 * there is none.
 */
export function fieldWithoutId(resource: AnyResource, text: string): string | undefined {
  if (resolveFilter(resource, text) === undefined) return undefined;
  const meta = itemFields(resource);
  const hasIds = (name: string) => meta[name] !== undefined && kindTraits[meta[name].kind].column === 'uuid';
  const find = (filter: Filter): string | undefined => {
    if ('items' in filter) return filter.items.map(find).find((found) => found !== undefined);
    if ('item' in filter) return find(filter.item);
    if (!['eq', 'ne'].includes(filter.op) || !('value' in filter) || !hasIds(filter.field)) return undefined;
    return typeof filter.value === 'string' && !uuidForm.test(filter.value) ? filter.field : undefined;
  };
  return find(parseFilter(text));
}

/** Returns a filter for the words in any text field. */
function containsFilter(resource: AnyResource, text: string): string | undefined {
  const meta = itemFields(resource);
  const fields = resource.filterable.filter((name) => fullTextKinds.has(meta[name]?.kind ?? ''));
  if (fields.length === 0) return undefined;
  const items = fields.map((field) => ({ op: 'co' as const, field, value: text }));
  return printFilter(items.length === 1 ? items[0]! : { op: 'or', items });
}

/** Returns whether plain words can be searched for. */
export function isSearchable(resource: AnyResource): boolean {
  const meta = itemFields(resource);
  return resource.filterable.some((name) => fullTextKinds.has(meta[name]?.kind ?? ''));
}
