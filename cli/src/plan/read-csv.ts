// Reads CSV files: the file name is the kind, the header names the fields, nested values are JSON.
import { readCell } from '@yagura/core/alerthub/bulk/csv-cell';
import type { Translate } from '@yagura/core/i18n/translator';
import type { Fields } from '@yagura/core/plan/plan-item';
import { planKind } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import { formatViolation } from '@yagura/core/validation/violation';
import { CsvError, parse } from 'csv-parse/sync';
import type { EmptyKind, FileFault, ParsedItem } from './read-yaml.ts';
import { csvReason } from './syntax-faults.ts';

interface CsvRow {
  info: { lines: number };
  record: string[];
}

/**
 * Parses every row as an item. An empty cell is null where the field is nullable, otherwise it is omitted. A file with a
 * header only is added to `empty`.
 */
export function readCsv(
  text: string,
  file: string,
  fileKind: string,
  faults: FileFault[],
  t: Translate,
  empty: EmptyKind[] = [],
): ParsedItem[] {
  let rows: CsvRow[];
  try {
    rows = parse(text, { info: true, skip_empty_lines: true }) as unknown as CsvRow[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.push({ file, line: Number(error.lines ?? 1), reason: csvReason(error, t) });
    return [];
  }
  const header = rows.shift()?.record.map((cell) => cell.trim()) ?? [];
  if (header.includes('$key')) {
    faults.push({ file, line: 1, field: '$key', reason: t('plan.bulk-file') });
    return [];
  }
  if (header.length > 0 && rows.length === 0) empty.push({ kind: fileKind, line: 1 });
  const resource = planKind(fileKind);
  const meta = resource ? inputFields(resource) : {};
  return rows.map(({ record, info }) => {
    const fields: Fields = {};
    header.forEach((name, index) => {
      const cell = record[index] ?? '';
      const one = Object.hasOwn(meta, name) ? meta[name] : undefined;
      if (!one || one.kind === 'reference') {
        if (cell !== '') fields[name] = cell;
        else if (one?.nullable) fields[name] = null;
        return;
      }
      const read = readCell(one, cell);
      if ('refusal' in read)
        faults.push({ file, line: info.lines, field: name, reason: formatViolation(read.refusal, t) });
      else if (read.value !== undefined) fields[name] = read.value;
    });
    return { kind: fileKind, fields, lineOf: () => info.lines };
  });
}
