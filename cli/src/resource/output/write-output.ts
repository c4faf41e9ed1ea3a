// Writes lists and items: a table or detail sheet on a terminal, tab-separated text or JSON for programs.
import type { Transport } from '@yagura/core/http/transport';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { Fields } from '@yagura/core/resource/resource-meta';
import { parseFieldNames, valueAt } from '../../command-line/select-fields.ts';
import { cleanField, cleanJson, cleanLine, cleanText } from '../../terminal/clean.ts';
import { serverNow } from '../../terminal/clock-skew.ts';
import { type Measure, measureFor } from '../../terminal/measure.ts';
import { type Cell, formatTable } from '../../terminal/table.ts';
import { printMessage, type Terminal } from '../../terminal/terminal.ts';
import { wrapText } from '../../terminal/wrap-text.ts';
import { referenceNames } from '../meta/reference-names.ts';
import type { Row } from '../meta/row.ts';
import { isTableFormat, type OutputFormat } from './output-format.ts';
import {
  createPresenter,
  labelOf,
  nameReferences,
  plainValue,
  presentCell,
  presentValue,
} from './present-value.ts';
import { createRowWriter, writeDocument } from './write-data.ts';

export interface OutputShape {
  fields: Fields;
  /** Columns of a list, or rows of a detail sheet. */
  columns: readonly string[];
  /** The field that identifies the item itself. */
  id?: string;
  /** The field with the item's name. */
  title?: string;
  /** Labels that differ from the default label of the field. */
  labels?: Readonly<Record<string, string>>;
}

const gap = '  ';
/** With fewer columns than this left beside the label, the value is printed below it. */
const minValueWidth = 20;

/** Writes many rows; line-based formats are streamed. */
export async function writeRows(
  terminal: Terminal,
  rows: AsyncIterable<Row> | Iterable<Row>,
  shape: OutputShape,
  format: OutputFormat | undefined,
  transport: Transport,
): Promise<number> {
  const table = isTableFormat(format) && (format !== undefined || terminal.out.isTTY);
  const known = Object.keys(shape.fields);
  const write = table
    ? null
    : format
      ? await createRowWriter(terminal, format, shape.columns, known)
      : (row: Row) => terminal.out.write(`${tabSeparatedLine(row, shape.columns)}\n`);
  if (write) {
    let count = 0;
    for await (const row of rows) {
      count += 1;
      write(row);
    }
    return count;
  }
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  if (!table) await writeDocument(terminal, all, format!);
  else if (all.length > 0) terminal.out.write(await tableText(terminal, all, shape, format, transport));
  return all.length;
}

/** Writes one item: a detail sheet on a terminal, `name<tab>value` lines in a pipe. */
export async function writeItem(
  terminal: Terminal,
  row: Row,
  shape: OutputShape,
  format: OutputFormat | undefined,
  transport: Transport,
): Promise<void> {
  if (isTableFormat(format) && (format || terminal.out.isTTY)) {
    terminal.out.write(await detailText(terminal, row, shape, format, transport));
  } else if (format) {
    const write = await createRowWriter(terminal, format, shape.columns, Object.keys(shape.fields));
    if (write) write(row);
    else await writeDocument(terminal, row, format);
  } else {
    for (const name of Object.keys(row))
      terminal.out.write(`${name}\t${cleanField(plainValue(row[name]))}\n`);
  }
}

/** Parses and checks the column names of `--columns`. */
export function pickColumns(wanted: string | undefined, known: readonly string[]): string[] | undefined {
  return wanted === undefined ? undefined : parseFieldNames(wanted, known);
}

/** One line for a program: the values of the columns between tabs. */
export function tabSeparatedLine(row: Row, columns: readonly string[]): string {
  return columns.map((column) => cleanField(plainValue(valueAt(row, column)))).join('\t');
}

async function tableText(
  terminal: Terminal,
  rows: readonly Row[],
  shape: OutputShape,
  format: OutputFormat | undefined,
  transport: Transport,
) {
  const { fields } = shape;
  const columns = format?.fields ?? wideColumns(shape, format);
  const names = await referenceNames(rows, fields, columns, transport, terminal.signal);
  const presenter = createPresenter(terminal, names, false);
  const cells = rows.map((row) =>
    columns.map((column) =>
      presentCell(valueAt(row, column), fields[column], presenter, serverNow(terminal)),
    ),
  );
  const heads = columns.map((column) => {
    const kind = fields[column]?.kind ?? 'text';
    const { short = false, right = false } = traitsOf(kind);
    return {
      title: cleanLine(shape.labels?.[column] ?? labelOf(column, terminal.t, shape.id)),
      whole: kind === 'id' || short,
      right,
      time: kind === 'date-time',
      id: kind === 'id',
      name: column === shape.title,
    };
  });
  const measure = await measureFor([
    ...heads.map((head) => head.title),
    ...cells.flat().map((cell) => cell.text),
  ]);
  const lines = formatTable(heads, cells, availableWidth(terminal, format), measure, terminal.out.paint);
  return `${lines.join('\n')}\n`;
}

/** The wide format always starts with the id. */
function wideColumns({ columns, id }: OutputShape, format: OutputFormat | undefined): readonly string[] {
  return format?.kind === 'wide' && id ? [id, ...columns.filter((column) => column !== id)] : columns;
}

/** A pipe has no width, and a wide table is never cut. */
function availableWidth({ columns, out, env }: Terminal, format: OutputFormat | undefined): number {
  if (format?.kind === 'wide') return Number.POSITIVE_INFINITY;
  return out.isTTY || env.COLUMNS ? columns : Number.POSITIVE_INFINITY;
}

async function detailText(
  terminal: Terminal,
  row: Row,
  shape: OutputShape,
  format: OutputFormat | undefined,
  transport: Transport,
): Promise<string> {
  const { fields } = shape;
  const columns = shape.columns.filter((column) => valueAt(row, column) !== undefined);
  const names = await referenceNames([row], fields, columns, transport, terminal.signal);
  const presenter = createPresenter(terminal, names);
  const labels = columns.map((column) => cleanLine(labelOf(column, terminal.t, shape.id)));
  const cells = columns.map((column) => {
    const value = valueAt(row, column);
    const long = multilineText(nameReferences(value, fields[column], names), fields[column]?.kind);
    const cell: Cell & { long?: boolean } =
      long === undefined ? presentValue(value, fields[column], presenter) : { text: long, long: true };
    return cell;
  });
  const measure = await measureFor([...labels, ...cells.map(({ text }) => text)]);
  const width = Math.max(0, ...labels.map(measure.width));
  const maxWidth = availableWidth(terminal, format);
  const lines = cells.map((cell, index) =>
    detailLine(labels[index]!, cell, { width, maxWidth, measure, paint: terminal.out.paint }),
  );
  return `${lines.join('\n')}\n`;
}

interface DetailLayout {
  /** Columns of the labels. */
  width: number;
  /** Total columns. */
  maxWidth: number;
  measure: Measure;
  paint: Terminal['out']['paint'];
}

/** Prints a value beside its label, or below it when it is long or does not fit. */
function detailLine(
  label: string,
  cell: Cell & { long?: boolean },
  { width, maxWidth, measure, paint }: DetailLayout,
): string {
  const { text, style } = cell;
  const head = paint('dim', measure.fit(label, Math.min(width, maxWidth)));
  const valueWidth = maxWidth - width - gap.length;
  const painted = (line: string) => (style ? paint(style, line) : line);
  if (!cell.long && measure.width(text) <= valueWidth) return `${head}${gap}${painted(text)}`;
  // Keeps an id on one line when possible, so that it can be selected.
  const below = cell.long || valueWidth < minValueWidth || !text.includes(' ');
  const indent = ' '.repeat(below ? gap.length : width + gap.length);
  const parts = text
    .split('\n')
    .flatMap((line) => wrapText(line, Math.max(1, maxWidth - indent.length), measure))
    .map(painted);
  return head + (below ? `\n${indent}` : gap) + parts.join(`\n${indent}`);
}

/** Multi-line text and nested values are printed below their label. */
function multilineText(value: unknown, kind: string | undefined): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return cleanText(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (kind === 'object' && Object.values(value).every((part) => part === null || typeof part !== 'object'))
    return undefined;
  if (Array.isArray(value) && value.every((part) => part === null || typeof part !== 'object'))
    return undefined;
  return cleanJson(value, 2);
}

/** Reports that a list is empty or was truncated. */
export function printCount(terminal: Terminal, shown: number, total: number, noun: string): void {
  if (!terminal.err.isTTY || !terminal.out.isTTY) return;
  if (shown === 0) printMessage(terminal, terminal.t('cli.list.none', { noun }));
  else if (shown < total)
    printMessage(terminal, terminal.err.paint('dim', terminal.t('cli.list.part', { shown, total, noun })));
}
