// Formats data for programs: JSON, NDJSON, YAML, CSV, jq output, or a template rendered per item.

import { neutralizeFormula } from '@yagura/core/format/csv-formula';
import { storedKey } from '@yagura/core/i18n/message-key';
import { formatJson, parseFieldNames, selectFields, valueAt } from '../../command-line/select-fields.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { cleanJson, cleanText } from '../../terminal/clean.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Row } from '../meta/row.ts';
import type { OutputFormat } from './output-format.ts';
import { plainValue } from './present-value.ts';

/** Writes rows as they arrive. Null when the format needs all rows at once. */
export async function createRowWriter(
  terminal: Terminal,
  format: OutputFormat,
  columns: readonly string[],
  known: readonly string[],
): Promise<((row: Row) => void) | null> {
  const { write } = terminal.out;
  const sanitize = terminal.out.isTTY ? cleanText : (text: string) => text;
  const pick = createPicker(format);
  if (format.kind === 'ndjson') return (row) => write(`${cleanJson(pick(row))}\n`);
  if (format.kind === 'csv') {
    const names = format.fields ?? columns;
    write(csvLine(names));
    return (row) => write(sanitize(csvLine(names.map((name) => csvCell(valueAt(row, name), format.raw)))));
  }
  if (format.kind === 'template') {
    const fill = await compileRowTemplate(terminal, format.expression, format.fields ?? known);
    return (row) => write(withNewline(sanitize(fill(pick(row)))));
  }
  return null;
}

/** Writes one document: an item or a list of items. */
export async function writeDocument(
  terminal: Terminal,
  value: Row | readonly Row[],
  format: OutputFormat,
): Promise<void> {
  const pick = createPicker(format);
  const data = Array.isArray(value) ? value.map(pick) : pick(value as Row);
  const { out } = terminal;
  if (format.kind === 'yaml') {
    const { yamlText } = await import('./yaml-text.ts');
    out.write(yamlText(data));
  } else if (format.kind === 'jq') await writeFiltered(out, data, format.expression);
  else out.write(formatJson(data, out.isTTY));
}

/** Applies a jq filter to the data and writes its output. */
export async function writeFiltered(out: Terminal['out'], data: unknown, filter: string): Promise<void> {
  const { runJq } = await import('./jq.ts');
  const text = await runJq(data, filter, out.isTTY);
  out.write(withNewline(out.isTTY ? cleanText(text) : text));
}

function createPicker({ fields }: OutputFormat): (row: Row) => Row {
  return fields ? (row) => selectFields(row, fields) : (row) => row;
}

function csvCell(value: unknown, raw: boolean): string {
  const text = plainValue(value);
  return raw || typeof value === 'number' ? text : neutralizeFormula(text);
}

/** One CSV line (RFC 4180). */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** The same template language as in actions. */
async function compileRowTemplate(
  terminal: Terminal,
  template: string,
  known: readonly string[],
): Promise<(row: Row) => string> {
  const { compileTemplate, renderCompiled } = await import(
    '@yagura/core/alerthub/engine/template/render-template'
  );
  const { FlowError } = await import('@yagura/core/alerthub/engine/errors/flow-error');
  const withUsageErrors = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      const { word, params } = error.reason;
      throw new UsageError('cli.usage.template', { reason: terminal.t(storedKey(word), params) });
    }
  };
  const compiled = withUsageErrors(() => compileTemplate(template));
  for (const node of compiled.nodes) {
    if (node.kind !== 'text' && node.path?.keys) parseFieldNames(node.path.keys[0]!, known);
  }
  return (row) => withUsageErrors(() => renderCompiled(compiled, row, { escape: 'none' }).text);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
