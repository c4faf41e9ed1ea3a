// The rows of a list: only those in view are looked at, however many there are.
import { formatAge } from '@yagura/core/format/duration';
import type { ResourceMeta, Row } from '../resource/entry.ts';
import { entryNamed } from '../resource/entry-client.ts';
import { labelOf, type Presenter, present } from '../resource/present.ts';
import { valueAt } from '../term/json.ts';
import { type Cell, type Column, fitWidths } from '../term/table.ts';
import { gutter, joined, type RenderContext } from './brush.ts';
import { bodyRows, type ListItem, type ListView, type State } from './state.ts';

/** Rows, beside those in view, by which the columns are measured. */
const sample = 100;
/** Columns of the screen that a text has before another column gives way to it. */
const legible = 24;
const wholeKinds = new Set(['integer', 'number', 'bytes', 'boolean', 'choice', 'date-time']);
const rightKinds = new Set(['integer', 'number', 'bytes']);

/** The fields that a list shows; the name comes first when no column has it, an id only where there is nothing else. */
export function listFields(meta: ResourceMeta): string[] {
  const named = meta.columns.includes(meta.title) || (meta.title === meta.id && meta.columns.length > 0);
  const columns = named ? meta.columns : [meta.title, ...meta.columns];
  return [...new Set(columns)];
}

/** The titles of columns, with an arrow at the one that is sorted by. */
export function columnsFor(
  meta: ResourceMeta,
  fields: readonly string[],
  presenter: Presenter,
  sort = '',
): Column[] {
  const [first = ''] = sort.split(',');
  return fields.map((field) => {
    const kind = meta.fields[field]?.kind ?? 'text';
    const arrow = first === field ? ' ↑' : first === `-${field}` ? ' ↓' : '';
    return {
      title: labelOf(field, presenter.t, meta.id) + arrow,
      whole: wholeKinds.has(kind),
      right: rightKinds.has(kind),
    };
  });
}

/** The cells of a row; times are told by their age, which is shorter and what is wanted at a glance. */
export function cellsOf(
  meta: ResourceMeta,
  fields: readonly string[],
  row: Row,
  presenter: Presenter,
  now: number,
): Cell[] {
  return fields.map((field) => {
    const value = valueAt(row, field);
    const fieldMeta = meta.fields[field];
    if (fieldMeta?.kind === 'date-time' && typeof value === 'string')
      return { text: formatAge(value, now, presenter.t) };
    // Counts that belong together need no words at a glance: `1/3`.
    if (fieldMeta?.kind === 'object' && isCounts(value)) return { text: Object.values(value).join('/') };
    return present(value, fieldMeta, presenter);
  });
}

function isCounts(value: unknown): value is Record<string, number> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => typeof part === 'number')
  );
}

interface Layout {
  columns: Column[];
  widths: number[];
  cells: Cell[][];
}

const measured = new WeakMap<readonly ListItem[], readonly number[]>();

function layoutOf(state: State, view: ListView, render: RenderContext): Layout {
  const meta = entryNamed(view.resource);
  const fields = listFields(meta);
  const presenter = { ...render.presenter, names: view.names, exact: false };
  const sort = view.target.kind === 'list' ? (view.target.sort ?? meta.defaultSort) : '';
  const columns = columnsFor(meta, fields, presenter, sort);
  const visible = view.shown.slice(view.top, view.top + bodyRows(state));
  const cells = visible.map(({ row }) => cellsOf(meta, fields, row, presenter, state.now));
  const widest = (rows: readonly Cell[][]) =>
    columns.map((_, index) => Math.max(0, ...rows.map((row) => render.measure.width(row[index]!.text))));
  // Measured by what was read, not by what passes the filter: the columns stand still while it is typed.
  const items = view.items ?? [];
  let base = measured.get(items);
  if (!base) {
    base = widest(items.slice(0, sample).map(({ row }) => cellsOf(meta, fields, row, presenter, state.now)));
    measured.set(items, base);
  }
  const here = widest(cells);
  const natural = columns.map(({ title }, index) =>
    Math.max(render.measure.width(title), base[index]!, here[index]!),
  );
  const room = Math.max(1, state.size.columns - gutter(state.size.columns));
  return { columns, cells, widths: readableWidths(columns, natural, room) };
}

/** Texts that can be read count for more than another column: columns give way from the right before they are cut short. */
function readableWidths(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  for (let shown = columns.length; shown > 1; shown -= 1) {
    const widths = fitWidths(columns.slice(0, shown), natural.slice(0, shown), room);
    const readable = widths.every((width, index) => width >= Math.min(natural[index]!, legible));
    if (widths.length === shown && readable) return widths;
  }
  return fitWidths(columns, natural, room);
}

/** The titles, and the rows in view. */
export function drawList(
  state: State,
  view: ListView,
  render: RenderContext,
): { head: string; body: string[] } {
  const { t } = render.presenter;
  const { columns: width } = state.size;
  const indent = ' '.repeat(gutter(width));
  if (!view.items) {
    return {
      head: '',
      body: [render.paint('dim', render.measure.fit(view.lost ?? `${indent}${t('text.loading')}`, width))],
    };
  }
  const { columns, widths, cells } = layoutOf(state, view, render);
  const titles = columns.map(({ title }) => ({ text: title }));
  const head = indent + joined(titles, columns, widths, render);
  if (view.shown.length === 0) {
    const word = view.filter !== '' || view.asked !== '' ? 'tui.empty.filter' : 'tui.empty';
    return {
      head,
      body: [render.paint('dim', render.measure.fit(indent + t(word, { noun: view.title }), width))],
    };
  }
  const body = cells.map((row, index) => {
    const { id } = view.shown[view.top + index]!;
    const chosen = view.top + index === view.cursor;
    const marked = view.marks.has(id);
    const mark = `${chosen ? '>' : ' '}${marked ? '*' : ' '}`.slice(0, gutter(width));
    const text = joined(row, columns, widths, render, !chosen);
    if (chosen) return render.paint('inverse', render.measure.fit(mark + text, width));
    return (marked ? render.paint('info', mark) : mark) + text;
  });
  return { head, body };
}
