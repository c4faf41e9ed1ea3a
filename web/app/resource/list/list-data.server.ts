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
import { isSearchable, listQuery } from './list-query.server.ts';

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
  state: TableState;
  references: References;
  permissions: ResourcePermissions;
  searchable: boolean;
  /** Why the filter was rejected. */
  filterError: string | null;
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

/**
 * Returns one page of a list and everything to render it. A rejected filter yields an empty page with the
 * error.
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
  const query = { ...listQuery(resource, state, searchParams.get('filter')), ...request.fixedQuery };
  const [user, page] = await Promise.all([
    getCurrentUser(api),
    (
      request.fetch ??
      ((requested: ListQuery) => api.client<Row, unknown>(resource).list(requested, request.params))
    )(query).catch(toFilterError),
  ]);
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
    totalIsLeast: 'totalIsLeast' in page && page.totalIsLeast === true,
    state,
    references,
    permissions,
    searchable: isSearchable(resource),
    filterError: 'refused' in page ? page.refused : null,
    watches: [resource.name],
    command: resourceListCommand(resource, request.params ?? {}, state, searchParams, query),
  };
}

function toFilterError(error: unknown): { items: Row[]; total: number; refused: string } {
  const reason =
    error instanceof Problem &&
    error.invalidParams.find((param) => ['filter', 'search'].includes(param.name))?.reason;
  if (!reason) throw error;
  return { items: [], total: 0, refused: reason };
}
