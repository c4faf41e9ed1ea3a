import type { ListQuery } from '@yagura/core/http/page';
import { openSession } from '../signin/session.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { dataForm, isTable } from './data-form.ts';
import type { ResourceMeta } from './entry.ts';
import { entryClient } from './entry-client.ts';
import { parseTime } from './moment.ts';
import { nounOf } from './noun.ts';
import { pickColumns, printCount, writeRows } from './output.ts';
import { placeOf } from './place.ts';

export interface ListOptions extends DataOptions {
  limit?: string;
  offset?: string;
  all?: boolean;
  sort?: string;
  filter?: string;
  search?: string;
  since?: string;
  until?: string;
  columns?: string;
}

/** Items of a list when nothing else is asked for. */
const usualLimit = 30;

/** `list`: one page, or everything with `--all`. */
export async function list(terminal: Terminal, meta: ResourceMeta, options: ListOptions): Promise<void> {
  const known = Object.keys(meta.fields);
  const form = dataForm(options, known);
  const columns = pickColumns(options.columns, known) ?? usualColumns(meta, terminal.out.live);
  const session = openSession(terminal);
  const pathParams = await placeOf(meta, { ...options }, session.transport, terminal.signal);
  const client = entryClient(meta, session.transport);
  const query = queryOf(terminal, options);
  const shape = { fields: meta.fields, columns, id: meta.id };
  if (options.all) {
    await writeRows(
      terminal,
      client.fetchAll({ ...query, limit: undefined }, pathParams),
      shape,
      form,
      session.transport,
    );
    return;
  }
  const page = await client.list(query, pathParams, terminal.signal);
  await writeRows(terminal, page.items, shape, form, session.transport);
  if (isTable(form)) printCount(terminal, page.items.length, page.total, nounOf(meta, terminal, 1));
}

/** The columns of a resource, led by its id for programs and where a person has no other handle. */
export function usualColumns(meta: ResourceMeta, live: boolean): string[] {
  if (live && meta.title !== meta.id) return [...meta.columns];
  return [meta.id, ...meta.columns.filter((column) => column !== meta.id)];
}

function queryOf(terminal: Terminal, options: ListOptions): ListQuery {
  const now = terminal.now();
  return {
    limit: wholeNumber(options.limit, '--limit', 1, 1000) ?? usualLimit,
    offset: wholeNumber(options.offset, '--offset', 0, Number.MAX_SAFE_INTEGER),
    sort: options.sort,
    filter: options.filter,
    search: options.search,
    sinceAt: options.since && parseTime(options.since, '--since', now),
    untilAt: options.until && parseTime(options.until, '--until', now),
  };
}

/** Reads a number of a flag; throws when it is none or out of its bounds. */
export function wholeNumber(
  text: string | undefined,
  flag: string,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Usage('cli.usage.number', { flag, min, max });
  return value;
}
