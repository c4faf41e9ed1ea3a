// Loader data of a list page.

import type { ListQuery } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, itemFields } from '@yagura/core/resource/define-resource';
import type { Api } from '../../signin/api.server.ts';
import {
  getCurrentUser,
  type ResourcePermissions,
  resourcePermissions,
} from '../../signin/current-user.server.ts';
import type { References } from '../../ui/references.ts';
import { readTableState, type TableState } from '../../ui/table/table-state.ts';
import { resourceListCommand } from '../cli-command.server.ts';
import { itemHref, resolveReferences } from '../references.server.ts';
import { type ScreenMeta, screenMeta } from '../screen-meta.ts';
import { fieldWithoutId, isInvalidFilter, isSearchable, listQuery } from './list-query.server.ts';

/** Columns shown until the user selects others. */
const defaultColumns = 6;

export type Row = Record<string, unknown>;

/** The part of the metadata that a list needs: neither form nor detail fields. */
export type ListMeta = Pick<
  ScreenMeta,
  'name' | 'noun' | 'id' | 'title' | 'verbs' | 'columns' | 'filterable'
>;

export interface ListData {
  meta: ListMeta;
  /** Path of the list. */
  screen: string;
  rows: Row[];
  /** URL of each row's own page, by id; empty for resources without one. */
  hrefs: Record<string, string>;
  total: number;
  totalIsLeast: boolean;
  /** Time since which a search may lack items; null if it is complete. */
  incompleteSince: string | null;
  state: TableState;
  references: References;
  permissions: ResourcePermissions;
  searchable: boolean;
  /** Whether the user limits the list by words or a filter. */
  isFiltered: boolean;
  /** Why the filter was rejected, or is none. */
  filterError: string | null;
  /** A field that the filter compares with what cannot be an id, although it has ids. */
  fieldWithoutId: string | null;
  /** Resources whose changes reload this list. */
  watches: string[];
  /** Equivalent CLI command. */
  command: string;
}

export interface ListRequest {
  resource: AnyResource;
  screen: string;
  params?: PathParams;
  searchParams: URLSearchParams;
  /** Fixed constraints, combined with the user's filter. */
  fixedQuery?: ListQuery;
  /** Fetches the page by other means than the resource's list call. */
  fetch?: (query: ListQuery) => Promise<{ items: Row[]; total: number }>;
}

interface FoundPage {
  items: Row[];
  total: number;
  totalIsLeast?: boolean;
  incompleteSince?: string;
  /** Why the query was rejected. */
  refused?: string;
}

/**
 * Returns one page of a list and everything to render it. A rejected filter yields an empty page with the
 * error, and so does an invalid one that matches nothing as plain words either.
 */
export async function listData(api: Api, request: ListRequest): Promise<ListData> {
  const { resource, screen, searchParams } = request;
  const { name, noun, id, title, verbs, columns, filterable } = screenMeta(resource);
  const meta = { name, noun, id, title, verbs, columns, filterable };
  const known = meta.columns.map((column) => column.name);
  const state = readTableState(searchParams, undefined, {
    sort: resource.defaultSort,
    columns: known.slice(0, defaultColumns),
    known,
    sortable: [...resource.sortable],
  });
  const text = searchParams.get('filter')?.trim() ?? '';
  const query = { ...listQuery(resource, state, text), ...request.fixedQuery };
  const fetchPage = (requested: ListQuery): Promise<FoundPage> =>
    (request.fetch?.(requested) ?? api.client<Row, unknown>(resource).list(requested, request.params)).catch(
      toFilterError,
    );
  const [user, found] = await Promise.all([getCurrentUser(api), fetchPage(query)]);
  const isInvalid = found.total === 0 && isInvalidFilter(resource, text);
  const page = isInvalid ? await fetchPage({ filter: text, limit: 1 }) : found;
  const permissions = resourcePermissions(user, resource);
  const rows = page.items;
  const references = await resolveReferences(api, itemFields(resource), rows);
  const opens = permissions.show && resource.verbs.includes('show');
  return {
    meta,
    screen,
    rows,
    hrefs: opens
      ? Object.fromEntries(rows.map((row) => [row[resource.id], itemHref(resource, screen, row)]))
      : {},
    total: page.total,
    totalIsLeast: page.totalIsLeast === true,
    incompleteSince: page.incompleteSince ?? null,
    state,
    references,
    permissions,
    searchable: isSearchable(resource),
    isFiltered: text !== '',
    filterError: page.refused ?? null,
    fieldWithoutId: text === '' ? null : (fieldWithoutId(resource, text) ?? null),
    watches: [resource.name],
    command: resourceListCommand(resource, request.params ?? {}, state, searchParams, query),
  };
}

function toFilterError(error: unknown): FoundPage {
  const reason =
    error instanceof Problem &&
    error.invalidParams.find((param) => ['filter', 'search'].includes(param.name))?.reason;
  if (!reason) throw error;
  return { items: [], total: 0, refused: reason };
}
