// Converts the query string of a list call to SQL; invalid parameters are a 400 naming the parameter.

import { invalidField } from '@yagura/core/http/problem';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { type Filter, type FilterValue, parseFilter } from '@yagura/core/query/filter';
import { describeQueryError, QueryError } from '@yagura/core/query/query-error';
import { parseSort, type SortKey } from '@yagura/core/query/sort';
import { type AnyResource, periodField } from '@yagura/core/resource/define-resource';
import { toUtc } from '@yagura/core/resource/to-utc';
import { isStorableDate } from '@yagura/core/validation/date';
import { findUnstorableText } from '../../http/input/storable-text.ts';
import type { Sql } from './sql.ts';
import type { Column, Table } from './table.ts';

export interface ListRequest {
  limit: number;
  offset: number;
  sort: SortKey[];
  filter: Filter | undefined;
  /** Search terms; undefined for none. */
  search: string | undefined;
  since: string | undefined;
  until: string | undefined;
}

type Query = Record<string, unknown>;

/** Maximum characters of a search. */
const maxSearch = 500;

/** Parses limit, offset, sort, filter and time bounds; error reasons use the language of `t`. */
export function readListQuery(resource: AnyResource, query: Query, t: Translate): ListRequest {
  try {
    return readParameters(resource, query);
  } catch (error) {
    if (error instanceof ListQueryRefused) throw invalidField(error.parameter, t(error.word, error.params));
    if (error instanceof FilterTextError)
      throw invalidField(error.parameter, describeQueryError(error.error, t));
    throw error;
  }
}

/** An invalid parameter: message key and its parameters. */
class ListQueryRefused extends Error {
  readonly parameter: string;
  readonly word: MessageKey;
  readonly params: Record<string, unknown> | undefined;
  constructor(parameter: string, word: MessageKey, params?: Record<string, unknown>) {
    super(word);
    this.parameter = parameter;
    this.word = word;
    this.params = params;
  }
}

/** A sort list or filter that cannot be parsed. */
class FilterTextError extends Error {
  readonly parameter: string;
  readonly error: QueryError;
  constructor(parameter: string, error: QueryError) {
    super(error.message);
    this.parameter = parameter;
    this.error = error;
  }
}

function readParameters(resource: AnyResource, query: Query): ListRequest {
  const sort = readSort(singleValue(query, 'sort') || resource.defaultSort);
  for (const key of sort) {
    if (key.field !== resource.id && !resource.sortable.includes(key.field)) {
      throw new ListQueryRefused('sort', 'query.unsortable', {
        field: key.field,
        fields: resource.sortable.join(', '),
      });
    }
  }
  const filter = readFilter(singleValue(query, 'filter'));
  for (const field of filter ? fieldsOf(filter) : []) {
    if (field !== resource.id && !resource.filterable.includes(field)) {
      throw new ListQueryRefused('filter', 'query.unfilterable', {
        field,
        fields: resource.filterable.join(', '),
      });
    }
  }
  if (!periodField(resource) && (query.sinceAt !== undefined || query.untilAt !== undefined)) {
    throw new ListQueryRefused(query.sinceAt === undefined ? 'untilAt' : 'sinceAt', 'query.timeless');
  }
  const search = singleValue(query, 'search').trim();
  if (search && !resource.searchable) throw new ListQueryRefused('search', 'query.unsearched');
  if (search.length > maxSearch) throw new ListQueryRefused('search', 'rule.maxLength', { count: maxSearch });
  return {
    search: search || undefined,
    limit: readInteger(query, 'limit', 10, 1, 1000),
    offset: readInteger(query, 'offset', 0, 0, 10_000_000),
    sort,
    filter,
    since: readTime(query, 'sinceAt'),
    until: readTime(query, 'untilAt'),
  };
}

/** SQL conditions of a request, without those of the table. */
export function conditionsOf(resource: AnyResource, table: Table, request: ListRequest, sql: Sql): string[] {
  const conditions = boundsOf(resource, table, request, sql);
  if (request.filter) conditions.push(filterSql(request.filter, table, sql));
  return conditions;
}

/** The conditions that an index supports: bounds of the items' time, and comparisons of times and ids. */
export function indexedConditionsOf(
  resource: AnyResource,
  table: Table,
  request: ListRequest,
  sql: Sql,
): string[] {
  const indexed = partsOf(request.filter).filter((part) => isIndexed(part, resource, table));
  return [...boundsOf(resource, table, request, sql), ...indexed.map((part) => filterSql(part, table, sql))];
}

/** The parts of the filter that require reading items one by one; all parts must match. */
export function unindexedParts(resource: AnyResource, table: Table, { filter }: ListRequest): Filter[] {
  return partsOf(filter).filter((part) => !isIndexed(part, resource, table));
}

function partsOf(filter: Filter | undefined): Filter[] {
  if (!filter) return [];
  return filter.op === 'and' ? filter.items.flatMap(partsOf) : [filter];
}

function isIndexed(filter: Filter, resource: AnyResource, table: Table): boolean {
  const hasIndex = ({ type, hasIndex = type === 'uuid' }: Column) => hasIndex;
  const isValue = (part: Filter): boolean =>
    part.op === 'or'
      ? part.items.every(isValue)
      : part.op === 'eq' && part.value !== null && hasIndex(table.columns[part.field]!);
  const isTime =
    'field' in filter && filter.field === resource.time && ['eq', 'gt', 'ge', 'lt', 'le'].includes(filter.op);
  return isTime || isValue(filter);
}

/** Only the conditions on the items' time. */
function boundsOf(resource: AnyResource, table: Table, request: ListRequest, sql: Sql): string[] {
  const conditions: string[] = [];
  const field = periodField(resource);
  const time = field ? table.columns[field]! : undefined;
  if (time && request.since) conditions.push(`${time.sql} >= ${sql.value(request.since, 'timestamptz')}`);
  if (time && request.until) conditions.push(`${time.sql} < ${sql.value(request.until, 'timestamptz')}`);
  return conditions;
}

/** `order by` list. The id is always the last key, so that pages do not overlap. */
export function orderOf(resource: AnyResource, table: Table, sort: readonly SortKey[]): string {
  const keys = sort.map(({ field, descending }) => {
    const column = table.columns[field]!;
    const key = column.order ?? `${column.sql}${column.type === 'text' ? ' collate "und-x-icu"' : ''}`;
    // The index of a column that is never null is only used without an explicit order of nulls.
    const isRequired = column.isRequired || field === resource.time;
    const nulls = isRequired ? '' : descending ? ' nulls last' : ' nulls first';
    return `${key}${descending ? ' desc' : ' asc'}${nulls}`;
  });
  if (!sort.some(({ field }) => field === resource.id)) {
    const single = sort.length === 1 && sort[0]!.descending;
    keys.push(`${table.id.sql}${single ? ' desc' : ' asc'}`);
  }
  return keys.join(', ');
}

function readSort(text: string): SortKey[] {
  try {
    return parseSort(text);
  } catch (error) {
    throw asProblem('sort', error);
  }
}

function readFilter(text: string): Filter | undefined {
  if (!text) return undefined;
  let filter: Filter;
  try {
    filter = parseFilter(text);
  } catch (error) {
    throw asProblem('filter', error);
  }
  // A NUL can also be an escape sequence in the filter's text.
  if (findUnstorableText(filter).length > 0) throw new ListQueryRefused('filter', 'rule.storable');
  return filter;
}

function asProblem(name: string, error: unknown): unknown {
  return error instanceof QueryError ? new FilterTextError(name, error) : error;
}

function fieldsOf(filter: Filter): string[] {
  if ('items' in filter) return filter.items.flatMap(fieldsOf);
  return 'item' in filter ? fieldsOf(filter.item) : [filter.field];
}

/** Whether a filter matches inside texts, which requires reading items one by one. */
export function needsTextScan(filter: Filter): boolean {
  if ('items' in filter) return filter.items.some(needsTextScan);
  return 'item' in filter ? needsTextScan(filter.item) : ['co', 'sw', 'ew'].includes(filter.op);
}

export function filterSql(filter: Filter, table: Table, sql: Sql): string {
  switch (filter.op) {
    case 'and':
    case 'or':
      return `(${filter.items.map((item) => filterSql(item, table, sql)).join(` ${filter.op} `)})`;
    case 'not':
      return `(not coalesce(${filterSql(filter.item, table, sql)}, false))`;
    case 'pr': {
      const { sql: column, type } = table.columns[filter.field]!;
      // RFC 7644 section 3.4.2.2: an empty text is not present.
      return type === 'text' ? `(${column} <> '')` : `(${column} is not null)`;
    }
    default:
      return comparison(table.columns[filter.field]!, filter.op, filter.value, sql);
  }
}

const orderSigns = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function comparison(column: Column, op: string, value: FilterValue, sql: Sql): string {
  // Only a negated comparison must not be null; coalesce elsewhere would prevent index use.
  if (op === 'ne') return `(not coalesce(${comparison(column, 'eq', value, sql)}, false))`;
  if (op === 'eq' && value === null) return `(${column.sql} is null)`;
  if (op === 'co' || op === 'sw' || op === 'ew') {
    const text = textOf(column);
    if (text === undefined || typeof value !== 'string') return 'false';
    const escaped = value.replace(/[\\%_]/g, '\\$&');
    const pattern = op === 'co' ? `%${escaped}%` : op === 'sw' ? `${escaped}%` : `%${escaped}`;
    return `(${text} ilike ${sql.value(pattern, 'text')})`;
  }
  const operand = operandOf(column, value, sql);
  if (operand === undefined) return 'false';
  if (op === 'eq') return `(${column.sql} = ${operand})`;
  const left = column.type === 'text' ? `${column.sql} collate "C"` : column.sql;
  return `(${left} ${orderSigns[op as keyof typeof orderSigns]} ${operand})`;
}

/** The value as items contain it; undefined for values that are not texts there. */
function textOf({ sql, type }: Column): string | undefined {
  switch (type) {
    case 'number':
    case 'boolean':
      return undefined;
    case 'time':
      return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    default:
      return `${sql}::text`;
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Placeholder for a value of the column's type; undefined when it can never be equal. */
function operandOf(column: Column, value: FilterValue, sql: Sql): string | undefined {
  switch (column.type) {
    case 'number':
      return typeof value === 'number' ? sql.value(value, 'numeric') : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? sql.value(value, 'boolean') : undefined;
    case 'uuid':
      return typeof value === 'string' && uuidForm.test(value) ? sql.value(value, 'uuid') : undefined;
    case 'date':
      return typeof value === 'string' && isStorableDate(value) ? sql.value(value, 'date') : undefined;
    case 'time': {
      const time = typeof value === 'string' ? timeOf(value) : undefined;
      return time && sql.value(time, 'timestamptz');
    }
    case 'text':
      return typeof value === 'string' ? sql.value(value, 'text') : undefined;
  }
}

function singleValue(query: Query, name: string): string {
  const value = query[name];
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new ListQueryRefused(name, 'query.repeated');
  if (value.includes('\0')) throw new ListQueryRefused(name, 'rule.storable');
  return value;
}

function readInteger(query: Query, name: string, fallback: number, min: number, max: number): number {
  const text = singleValue(query, name);
  if (text === '') return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new ListQueryRefused(name, 'query.integer', { min, max });
  return value;
}

function readTime(query: Query, name: string): string | undefined {
  const text = singleValue(query, name);
  if (text === '') return undefined;
  const time = timeOf(text);
  if (time === undefined) throw new ListQueryRefused(name, 'query.time');
  return time;
}

/**
 * Normalizes a time for the database, which supports fewer offsets and no year 0; undefined when the text is
 * not a time.
 */
function timeOf(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return undefined;
  // A nonexistent day of a month would roll over to the next month.
  const day = text.slice(0, 10);
  return toUtc(day)?.startsWith(day) ? toUtc(text) : undefined;
}
