// Formats an import for a terminal: counts of its plan, and each error with its position.
import { type BulkImportDetail, bulkImportDetail } from '@yagura/core/alerthub/bulk/bulk-job';
import type { Transport } from '@yagura/core/http/transport';
import { shapeFields } from '@yagura/core/resource/field';
import type { DataOptions } from '../command-line/data-options.ts';
import { type OutputFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem } from '../resource/output/write-output.ts';
import { cleanLine } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Reads the output format of an import from the options. Throws on unknown fields. */
export function importFormat(options: DataOptions): OutputFormat | undefined {
  return parseOutputFormat(options, Object.keys(bulkImportDetail.shape));
}

/** Writes the plan as text or in the requested data format. */
export async function writeImport(
  terminal: Terminal,
  detail: BulkImportDetail,
  format: OutputFormat | undefined,
  transport: Transport,
): Promise<void> {
  const fields = shapeFields(bulkImportDetail);
  if (format)
    await writeItem(terminal, { ...detail }, { fields, columns: Object.keys(fields) }, format, transport);
  else terminal.out.write(`${formatImportPlan(terminal, detail)}\n`);
}

export function formatImportPlan({ t, out }: Terminal, detail: BulkImportDetail): string {
  const { creates, updates, deletes, unchanged, errorCount, errors } = detail;
  const lines = [
    `${t('label.importId')}: ${detail.importId}`,
    t('cli.import.counts', { creates, updates, deletes, unchanged, errors: errorCount }),
    ...errors.map(({ line, column, reason }) => {
      const position = t('cli.import.line', { line }) + (column ? ` ${cleanLine(column)}` : '');
      return `${out.paint('danger', position)}: ${cleanLine(reason)}`;
    }),
  ];
  if (errorCount > errors.length)
    lines.push(t('cli.import.more-errors', { count: errorCount - errors.length }));
  return lines.join('\n');
}
