// CSV files: the name of the file is the kind, the header names the fields, nested values are JSON.
import { readCell } from '@yagura/core/alerthub/bulk/cell';
import type { Fields } from '@yagura/core/plan/plan-item';
import { planKind } from '@yagura/core/plan/plan-kinds';
import { inputFields } from '@yagura/core/resource/define-resource';
import { refusalText } from '@yagura/core/rules/refusal';
import type { Translate } from '@yagura/core/words/translate';
import { CsvError, parse } from 'csv-parse/sync';
import type { FileFault, FilePart } from './read-yaml.ts';

interface Row {
  info: { lines: number };
  record: string[];
}

/** Every row as an item. An empty cell is null where the field may be null, else it says nothing. */
export function readCsv(
  text: string,
  file: string,
  stem: string,
  faults: FileFault[],
  t: Translate,
): FilePart[] {
  let rows: Row[];
  try {
    rows = parse(text, { info: true, skip_empty_lines: true }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.push({ file, line: Number(error.lines ?? 1), reason: error.message });
    return [];
  }
  const header = rows.shift()?.record.map((cell) => cell.trim()) ?? [];
  if (header.includes('$key')) {
    faults.push({ file, line: 1, field: '$key', reason: t('plan.bulk-file') });
    return [];
  }
  const resource = planKind(stem);
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
        faults.push({ file, line: info.lines, field: name, reason: refusalText(read.refusal, t) });
      else if (read.value !== undefined) fields[name] = read.value;
    });
    return { kind: stem, fields, lineOf: () => info.lines };
  });
}
