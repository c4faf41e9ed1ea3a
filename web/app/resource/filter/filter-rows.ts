// Converts between a list's filter text and form rows (field, operator, value, joined by one operator). Not
// every filter can be converted.
import { type ComparisonOperator, type Filter, parseFilter, printFilter } from '@yagura/core/query/filter';
import { QueryError } from '@yagura/core/query/query-error';
import type { FieldKind, FieldMeta } from '@yagura/core/resource/field';
import { type ColumnType, kindTraits } from '@yagura/core/resource/field-kinds';
import { isStorableDate } from '@yagura/core/validation/date';

export type RowOperator = ComparisonOperator | 'pr' | 'absent';

export interface FilterRow {
  field: string;
  op: RowOperator;
  /** As typed; a date-time is an ISO timestamp, a boolean is `true` or `false`. */
  value: string;
}

export interface FilterRows {
  join: 'and' | 'or';
  rows: FilterRow[];
}

type FilterFields = Readonly<Record<string, FieldMeta>>;

const textOperators: RowOperator[] = ['eq', 'ne', 'co', 'sw', 'ew'];
const orderOperators: RowOperator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const equalityOperators: RowOperator[] = ['eq', 'ne'];
const operatorsByColumn: Record<ColumnType, RowOperator[]> = {
  text: textOperators,
  number: orderOperators,
  boolean: equalityOperators,
  uuid: equalityOperators,
  date: ['eq', 'ne', 'ge', 'lt', 'gt', 'le'],
  time: ['ge', 'lt', 'gt', 'le'],
};

/** Returns a field's operators in display order; only nullable fields have the presence operators. */
export function operatorsFor({ kind, nullable }: FieldMeta): RowOperator[] {
  const operators = kind === 'choice' ? equalityOperators : operatorsByColumn[kindTraits[kind].column];
  return [...operators, ...(nullable ? (['pr', 'absent'] as const) : [])];
}

/** Returns whether the operator takes a value. */
export function needsValue(op: RowOperator): boolean {
  return op !== 'pr' && op !== 'absent';
}

/** Returns a new row for a field, with the initial value of its input. */
export function createFilterRow(field: string, meta: FieldMeta): FilterRow {
  const value = meta.kind === 'choice' ? (meta.options?.[0] ?? '') : meta.kind === 'boolean' ? 'true' : '';
  return { field, op: operatorsFor(meta)[0]!, value };
}

/** Returns the filter text. Rows without a value, or with an invalid number, are left out. */
export function formatFilter({ join, rows }: FilterRows, fields: FilterFields): string {
  const items = rows.flatMap((row) => toCondition(row, fields[row.field]) ?? []);
  if (items.length === 0) return '';
  return printFilter(items.length === 1 ? items[0]! : { op: join, items });
}

/** Parses a filter text into rows; undefined if rows cannot represent it, e.g. plain search words. */
export function parseFilterRows(text: string, fields: FilterFields): FilterRows | undefined {
  if (text.trim() === '') return { join: 'and', rows: [] };
  const filter = tryParseFilter(text.trim());
  if (!filter) return undefined;
  const join = filter.op === 'or' ? 'or' : 'and';
  const items = filter.op === 'and' || filter.op === 'or' ? filter.items : [filter];
  const rows = items.map((item) => toFilterRow(item, fields));
  return rows.every((row) => row !== undefined) ? { join, rows } : undefined;
}

function tryParseFilter(text: string): Filter | undefined {
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

function toCondition({ field, op, value }: FilterRow, meta: FieldMeta | undefined): Filter | undefined {
  if (!meta) return undefined;
  if (op === 'pr') return { op, field };
  if (op === 'absent') return { op: 'not', item: { op: 'pr', field } };
  if (value.trim() === '') return undefined;
  if (meta.kind === 'boolean') return { op, field, value: value === 'true' };
  if (jsTypeOf(meta.kind) !== 'number') return { op, field, value };
  const number = Number(value);
  return Number.isFinite(number) ? { op, field, value: number } : undefined;
}

function toFilterRow(item: Filter, fields: FilterFields): FilterRow | undefined {
  if (item.op === 'not') {
    if (item.item.op !== 'pr') return undefined;
    return validRow({ field: item.item.field, op: 'absent', value: '' }, fields);
  }
  if ('items' in item) return undefined;
  if (item.op === 'pr') return validRow({ field: item.field, op: 'pr', value: '' }, fields);
  const kind = fields[item.field]?.kind;
  if (!kind || item.value === null || typeof item.value !== jsTypeOf(kind)) return undefined;
  return validRow({ field: item.field, op: item.op, value: String(item.value) }, fields);
}

/** Returns the row if its inputs can show it. */
function validRow(row: FilterRow, fields: FilterFields): FilterRow | undefined {
  const own = fields[row.field];
  if (!own || !operatorsFor(own).includes(row.op)) return undefined;
  if (own.kind === 'choice' && needsValue(row.op) && !own.options?.includes(row.value)) return undefined;
  if (own.kind === 'date' && needsValue(row.op) && !isStorableDate(row.value)) return undefined;
  if (own.kind === 'date-time' && needsValue(row.op) && Number.isNaN(Date.parse(row.value))) return undefined;
  return row;
}

function jsTypeOf(kind: FieldKind): 'number' | 'boolean' | 'string' {
  const { written } = kindTraits[kind];
  return written === 'number' || written === 'boolean' ? written : 'string';
}
