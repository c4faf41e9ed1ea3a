// An import as a person reads it: the numbers of its plan, and each error with its place.
import { type BulkImportDetail, bulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import type { Transport } from '@yagura/core/http/transport';
import { shapeFields } from '@yagura/core/resource/field';
import { type DataForm, dataForm } from '../resource/data-form.ts';
import { writeItem } from '../resource/output.ts';
import { cleanLine } from '../term/clean.ts';
import type { DataOptions } from '../term/data-options.ts';
import type { Terminal } from '../term/terminal.ts';

/** How an import goes out, when that is asked for. Throws on unknown fields. */
export function importForm(options: DataOptions): DataForm | undefined {
  return dataForm(options, Object.keys(bulkImportDetail.shape));
}

/** Writes the plan as text, or as the data that was asked for. */
export async function writeImport(
  terminal: Terminal,
  detail: BulkImportDetail,
  form: DataForm | undefined,
  transport: Transport,
): Promise<void> {
  const fields = shapeFields(bulkImportDetail);
  if (form)
    await writeItem(terminal, { ...detail }, { fields, columns: Object.keys(fields) }, form, transport);
  else terminal.out.write(`${planText(terminal, detail)}\n`);
}

export function planText({ t, out }: Terminal, detail: BulkImportDetail): string {
  const { creates, updates, deletes, unchanged, errorCount, errors } = detail;
  const lines = [
    `${t('label.importId')}: ${detail.importId}`,
    t('cli.import.counts', { creates, updates, deletes, unchanged, errors: errorCount }),
    ...errors.map(({ line, column, reason }) => {
      const place = t('cli.import.line', { line }) + (column ? ` ${cleanLine(column)}` : '');
      return `${out.paint('danger', place)}: ${cleanLine(reason)}`;
    }),
  ];
  if (errorCount > errors.length)
    lines.push(t('cli.import.more-errors', { count: errorCount - errors.length }));
  return lines.join('\n');
}
