import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { fetchAllPages, type ListQuery, timeOrder } from '@yagura/core/http/page';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { openSession } from '../signin/session.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { parseTime } from './input/parse-time.ts';
import { nounOf } from './meta/noun.ts';
import { readPathParams } from './meta/path-params.ts';
import { resourceClient } from './meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from './output/output-format.ts';
import { createPresenter } from './output/present-value.ts';
import { pickColumns, printCount, writeRows } from './output/write-output.ts';

/** Which items, and in which order. */
export interface SelectionOptions {
  sort?: string;
  filter?: string;
  search?: string;
  since?: string;
  until?: string;
}

export interface ListOptions extends DataOptions, SelectionOptions {
  limit?: string;
  offset?: string;
  all?: boolean;
  columns?: string;
}

/** Default page size of lists. */
export const defaultLimit = 30;
/** Largest offset that the API accepts. */
export const maxOffset = 10_000_000;

/** `list`: one page, or all items with `--all`. */
export async function list(terminal: Terminal, meta: ResourceMeta, options: ListOptions): Promise<void> {
  const known = Object.keys(meta.fields);
  const format = parseOutputFormat(options, known);
  if (options.all && options.limit !== undefined)
    throw new UsageError('cli.usage.together', { flags: '--all, --limit' });
  const columns = pickColumns(options.columns, known) ?? defaultColumns(meta, terminal.out.isTTY);
  const session = openSession(terminal);
  const pathParams = await readPathParams(meta, { ...options }, session.transport, terminal.signal);
  const client = resourceClient(meta, session.transport);
  const query = toListQuery(terminal, options);
  const shape = { fields: meta.fields, columns, id: meta.id, title: meta.title };
  let incompleteSince: string | undefined;
  const fetchPage = async (request: ListQuery) => {
    const page = await client.list(request, pathParams, terminal.signal);
    incompleteSince ??= page.incompleteSince;
    return page;
  };
  if (options.all) {
    const rows = fetchAllPages(
      fetchPage,
      { ...query, limit: undefined },
      (row) => row[meta.id],
      timeOrder<Record<string, unknown>>(meta, query.sort),
    );
    await writeRows(terminal, rows, shape, format, session.transport);
  } else {
    const { items, total } = await fetchPage(query);
    await writeRows(terminal, items, shape, format, session.transport);
    if (isTableFormat(format)) printCount(terminal, items.length, total, nounOf(meta, terminal, 1));
  }
  if (incompleteSince === undefined) return;
  const time = formatDateTimeSeconds(incompleteSince, createPresenter(terminal));
  printMessage(terminal, terminal.err.paint('warning', terminal.t('format.incomplete-since', { time })));
}

/** Default columns of a resource; the id comes first for programs and when the item has no name. */
export function defaultColumns(meta: ResourceMeta, live: boolean): string[] {
  if (live && meta.title !== meta.id) return [...meta.columns];
  return [meta.id, ...meta.columns.filter((column) => column !== meta.id)];
}

function toListQuery(terminal: Terminal, options: ListOptions): ListQuery {
  return {
    limit: parseInteger(options.limit, '--limit', 1, 1000) ?? defaultLimit,
    offset: parseInteger(options.offset, '--offset', 0, maxOffset),
    ...toSelection(terminal, options),
  };
}

/** The part of a list's query that selects and orders its items. */
export function toSelection(
  terminal: Terminal,
  options: SelectionOptions,
): Pick<ListQuery, 'sort' | 'filter' | 'search' | 'sinceAt' | 'untilAt'> {
  const now = terminal.now();
  return {
    sort: options.sort,
    filter: options.filter,
    search: options.search,
    sinceAt: options.since && parseTime(options.since, '--since', now),
    untilAt: options.until && parseTime(options.until, '--until', now),
  };
}

/** Parses an integer flag; throws when it is invalid or out of range. */
export function parseInteger(
  text: string | undefined,
  flag: string,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError('cli.usage.number', { flag, min, max });
  return value;
}
