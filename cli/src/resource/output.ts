// Lists and items on their way out: a table or an info sheet for people, tabs or JSON for programs.
import type { Transport } from '@yagura/core/http/transport';
import { cleanField, cleanJson, cleanLine, cleanText } from '../term/clean.ts';
import { pickFields, valueAt } from '../term/json.ts';
import { type Measure, measureFor } from '../term/measure.ts';
import { type Cell, tableLines } from '../term/table.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { wrapped } from '../term/wrap.ts';
import { type DataForm, isTable } from './data-form.ts';
import { rowWriter, writeDocument } from './data-text.ts';
import type { Fields, Row } from './entry.ts';
import { referenceNames } from './names.ts';
import { labelOf, plainValue, present, presenterOf } from './present.ts';

export interface Shape {
  fields: Fields;
  /** Columns of a list, or lines of an info sheet. */
  columns: readonly string[];
  /** The field that identifies the item itself. */
  id?: string;
  /** Labels that differ from what a field of that name is called elsewhere. */
  labels?: Readonly<Record<string, string>>;
}

const gap = '  ';
/** Where less than this is left beside a label, the value stands below it. */
const leastBeside = 20;

/** Writes many rows, one after the other as they come when they go out as lines. */
export async function writeRows(
  terminal: Terminal,
  rows: AsyncIterable<Row> | Iterable<Row>,
  shape: Shape,
  form: DataForm | undefined,
  transport: Transport,
): Promise<number> {
  const table = isTable(form) && (form !== undefined || terminal.out.live);
  const known = Object.keys(shape.fields);
  const write = table
    ? null
    : form
      ? await rowWriter(terminal, form, shape.columns, known)
      : (row: Row) => terminal.out.write(`${fieldLine(row, shape.columns)}\n`);
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
  if (!table) await writeDocument(terminal, all, form!);
  else if (all.length > 0) terminal.out.write(await tableText(terminal, all, shape, form, transport));
  return all.length;
}

/** Writes one item: an info sheet for people, `name<tab>value` lines for a pipe. */
export async function writeItem(
  terminal: Terminal,
  row: Row,
  shape: Shape,
  form: DataForm | undefined,
  transport: Transport,
): Promise<void> {
  if (isTable(form) && (form || terminal.out.live)) {
    terminal.out.write(await sheetText(terminal, row, shape, form, transport));
  } else if (form) {
    const write = await rowWriter(terminal, form, shape.columns, Object.keys(shape.fields));
    if (write) write(row);
    else await writeDocument(terminal, row, form);
  } else {
    for (const name of Object.keys(row))
      terminal.out.write(`${name}\t${cleanField(plainValue(row[name]))}\n`);
  }
}

/** Checks the names of `--columns`. */
export function pickColumns(wanted: string | undefined, known: readonly string[]): string[] | undefined {
  return wanted === undefined ? undefined : pickFields(wanted, known);
}

function fieldLine(row: Row, columns: readonly string[]): string {
  return columns.map((column) => cleanField(plainValue(valueAt(row, column)))).join('\t');
}

async function tableText(
  terminal: Terminal,
  rows: readonly Row[],
  shape: Shape,
  form: DataForm | undefined,
  transport: Transport,
) {
  const { fields } = shape;
  const columns = form?.fields ?? widened(shape, form);
  const names = await referenceNames(rows, fields, columns, transport, terminal.signal);
  const presenter = presenterOf(terminal, names, false);
  const cells = rows.map((row) =>
    columns.map((column) => present(valueAt(row, column), fields[column], presenter)),
  );
  const heads = columns.map((column) => {
    const kind = fields[column]?.kind ?? 'text';
    return {
      title: cleanLine(shape.labels?.[column] ?? labelOf(column, terminal.t, shape.id)),
      whole: ['id', 'integer', 'number', 'bytes', 'boolean', 'choice', 'date-time'].includes(kind),
      right: ['integer', 'number', 'bytes'].includes(kind),
      time: kind === 'date-time',
    };
  });
  const measure = await measureFor([
    ...heads.map((head) => head.title),
    ...cells.flat().map((cell) => cell.text),
  ]);
  const lines = tableLines(heads, cells, roomFor(terminal, form), measure, terminal.out.paint);
  return `${lines.join('\n')}\n`;
}

/** A wide table begins with the id, whatever else it shows. */
function widened({ columns, id }: Shape, form: DataForm | undefined): readonly string[] {
  return form?.style === 'wide' && id ? [id, ...columns.filter((column) => column !== id)] : columns;
}

/** A pipe has no width of its own, and a wide table takes what it needs. */
function roomFor({ columns, out, env }: Terminal, form: DataForm | undefined): number {
  if (form?.style === 'wide') return Number.POSITIVE_INFINITY;
  return out.live || env.COLUMNS ? columns : Number.POSITIVE_INFINITY;
}

async function sheetText(
  terminal: Terminal,
  row: Row,
  shape: Shape,
  form: DataForm | undefined,
  transport: Transport,
): Promise<string> {
  const { fields } = shape;
  const columns = shape.columns.filter((column) => valueAt(row, column) !== undefined);
  const names = await referenceNames([row], fields, columns, transport, terminal.signal);
  const presenter = presenterOf(terminal, names);
  const labels = columns.map((column) => cleanLine(labelOf(column, terminal.t, shape.id)));
  const cells = columns.map((column) => {
    const value = valueAt(row, column);
    const long = longForm(value, fields[column]?.kind);
    const cell: Cell & { long?: boolean } =
      long === undefined ? present(value, fields[column], presenter) : { text: long, long: true };
    return cell;
  });
  const measure = await measureFor([...labels, ...cells.map(({ text }) => text)]);
  const width = Math.max(0, ...labels.map(measure.width));
  const room = roomFor(terminal, form);
  const lines = cells.map((cell, index) =>
    sheetLine(labels[index]!, cell, { width, room, measure, paint: terminal.out.paint }),
  );
  return `${lines.join('\n')}\n`;
}

interface Page {
  /** Columns of the labels. */
  width: number;
  /** Columns of everything. */
  room: number;
  measure: Measure;
  paint: Terminal['out']['paint'];
}

/** A value beside its label; what is long, or does not fit there, below it. */
function sheetLine(
  label: string,
  cell: Cell & { long?: boolean },
  { width, room, measure, paint }: Page,
): string {
  const { text, style } = cell;
  const head = paint('dim', measure.fit(label, Math.min(width, room)));
  const beside = room - width - gap.length;
  const painted = (line: string) => (style ? paint(style, line) : line);
  if (!cell.long && measure.width(text) <= beside) return `${head}${gap}${painted(text)}`;
  // An id stays in one piece where that is possible, so that it can be selected.
  const below = cell.long || beside < leastBeside || !text.includes(' ');
  const indent = ' '.repeat(below ? gap.length : width + gap.length);
  const parts = text
    .split('\n')
    .flatMap((line) => wrapped(line, Math.max(1, room - indent.length), measure))
    .map(painted);
  return head + (below ? `\n${indent}` : gap) + parts.join(`\n${indent}`);
}

/** Text of several lines, and values with parts, stand below their label. */
function longForm(value: unknown, kind: string | undefined): string | undefined {
  if (typeof value === 'string' && value.includes('\n')) return cleanText(value);
  if (value === null || typeof value !== 'object') return undefined;
  if (kind === 'object' && Object.values(value).every((part) => part === null || typeof part !== 'object'))
    return undefined;
  if (Array.isArray(value) && value.every((part) => part === null || typeof part !== 'object'))
    return undefined;
  return cleanJson(value, 2);
}

/** Says that a list is empty, or not all of it was shown. */
export function printCount(terminal: Terminal, shown: number, total: number, noun: string): void {
  if (!terminal.err.live || !terminal.out.live) return;
  if (shown === 0) say(terminal, terminal.t('cli.list.none', { noun }));
  else if (shown < total)
    say(terminal, terminal.err.paint('dim', terminal.t('cli.list.part', { shown, total, noun })));
}
