// Exports the rows of a table view as CSV (for spreadsheets) or JSON (for programs).
import { neutralizeFormula } from '@yagura/core/format/csv-formula';
import type { References } from '../references.ts';

/** A column of the file. `resource` is the resource that the ids in it refer to. */
export interface DownloadColumn {
  name: string;
  label: string;
  resource?: string;
}

type Row = Record<string, unknown>;

/**
 * CSV (RFC 4180) with a byte order mark, which spreadsheets need for Japanese. Known ids are replaced by
 * names.
 */
export function tableCsv(
  columns: readonly DownloadColumn[],
  rows: readonly Row[],
  references: References = {},
): string {
  const lines = rows.map((row) =>
    columns.map(({ name, resource }) => {
      const value = row[name];
      const known = resource && typeof value === 'string' ? references[resource]?.[value]?.name : undefined;
      return csvCell(known ?? value);
    }),
  );
  return `\ufeff${[columns.map(({ label }) => csvCell(label)), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')}`;
}

/** The visible fields of the rows, unchanged. */
export function tableJson(columns: readonly DownloadColumn[], rows: readonly Row[]): string {
  const picked = rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name]])));
  return `${JSON.stringify(picked, null, 2)}\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Untrusted text must not become a formula when the file is opened (CSV injection).
  const plain = neutralizeFormula(text);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
