// Parses one row of a file without looking at stored data.
import { type BulkKind, deleteColumn, keyColumn } from '@yagura/core/alerthub/bulk/bulk-kind';
import { readCell, readKey } from '@yagura/core/alerthub/bulk/csv-cell';
import { findSecretPaths, mapReferences } from '@yagura/core/alerthub/bulk/map-references';
import type { Violation } from '@yagura/core/validation/violation';
import { findUnstorableText } from '../../http/input/storable-text.ts';
import type { FileRow } from './read-rows.ts';

export interface RowError {
  line: number;
  column: string | null;
  refusal: Violation;
}

export interface RowDraft {
  line: number;
  key: number | null;
  parentKey: number | null;
  isDeleted: boolean;
  /**
   * Values of the columns in the file. References are keys, or ids where the referenced resource is not
   * exported to files.
   */
  values: Record<string, unknown>;
}

/** Returns all errors of a header row; empty if it is valid. */
export function checkHeader(kind: BulkKind, line: number, header: readonly string[]): RowError[] {
  const separator = header.length === 1 ? /[\t;]/.exec(header[0]!)?.[0] : undefined;
  if (separator !== undefined) {
    const word = separator === ';' ? 'bulk.semicolons' : 'bulk.tabs';
    return [{ line, column: null, refusal: { word } }];
  }
  const known = new Set([...kind.columns, ...kind.ignoredColumns]);
  const needed = [
    ...(kind.hasKeyColumn ? [keyColumn] : [kind.resource.id]),
    ...(kind.parentField ? [kind.parentField] : []),
  ];
  return [
    ...header
      .filter((column) => !known.has(column))
      .map((column) => ({
        line,
        column: column.slice(0, 100),
        refusal: { word: 'bulk.unknown-column' as const, columns: kind.columns.join(', ') },
      })),
    ...header
      .filter((column, at) => header.indexOf(column) < at)
      .map((column) => ({ line, column, refusal: { word: 'bulk.repeated-column' as const } })),
    ...needed
      .filter((column) => !header.includes(column))
      .map((column) => ({ line, column, refusal: { word: 'bulk.missing-column' as const } })),
  ];
}

export function parseDraft(
  kind: BulkKind,
  header: readonly string[],
  { line, cells }: FileRow,
): { draft: RowDraft } | { errors: RowError[] } {
  const errors: RowError[] = [];
  const refuse = (column: string | null, refusal: Violation) => errors.push({ line, column, refusal });
  if (cells.length !== header.length) {
    refuse(null, { word: 'bulk.cells', count: cells.length, wanted: header.length });
    return { errors };
  }
  const draft: RowDraft = { line, key: null, parentKey: null, isDeleted: false, values: {} };
  for (const [at, column] of header.entries()) {
    const text = cells[at]!;
    if (column === keyColumn || column === kind.parentField) {
      const key = text === '' ? null : readKey(text);
      if (key === undefined || (key === null && column !== keyColumn)) refuse(column, { word: 'bulk.key' });
      else if (column === keyColumn) draft.key = key;
      else draft.parentKey = key;
    } else if (column === deleteColumn) {
      if (!['', 'true', 'false'].includes(text.toLowerCase())) refuse(column, { word: 'rule.boolean' });
      draft.isDeleted = text.toLowerCase() === 'true';
    } else if (Object.hasOwn(kind.fields, column)) {
      const read = readCell(kind.fields[column]!, text, kind.exactFields);
      if ('refusal' in read) refuse(column, read.refusal);
      else if (read.value !== undefined) draft.values[column] = read.value;
    }
  }
  for (const path of findUnstorableText(draft.values)) refuse(columnOf(path), { word: 'rule.storable' });
  for (const path of findSecretPaths(kind.fields, draft.values))
    refuse(columnOf(path), { word: 'bulk.secret', path });
  if (draft.isDeleted && kind.hasKeyColumn && draft.key === null)
    refuse(keyColumn, { word: 'rule.required' });
  return errors.length > 0 ? { errors } : { draft };
}

/** Returns the column that a dotted path belongs to. */
export function columnOf(path: string): string | null {
  return path === '' ? null : path.split('.')[0]!;
}

/** Collects all keys that a draft refers to, by resource. */
export function collectKeys(
  kind: BulkKind,
  { values, parentKey }: RowDraft,
  add: (resource: string, key: number) => void,
): void {
  if (parentKey !== null) add(kind.resource.parent!, parentKey);
  mapReferences(kind.fields, values, (resource, value) => {
    if (typeof value === 'number') add(resource, value);
    return value;
  });
}
