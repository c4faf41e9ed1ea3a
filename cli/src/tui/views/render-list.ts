// Renders the rows of a list; only visible rows are processed.
import { formatAge } from '@yagura/core/format/duration';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { valueAt } from '../../command-line/select-fields.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import type { Row } from '../../resource/meta/row.ts';
import { labelOf, type Presenter, presentValue } from '../../resource/output/present-value.ts';
import { type Cell, type Column, fitWidths } from '../../terminal/table.ts';
import { titleField } from '../state/item-title.ts';
import { bodyRows, type ListItem, type ListView, type State } from '../state/state.ts';
import {
  gutterWidth,
  joinCells,
  loadingText,
  paintSelected,
  type RenderContext,
  renderNotice,
} from './render-context.ts';

/** Rows, besides the visible ones, used to measure the columns. */
const sampleRows = 100;
/** Minimum columns of a text before another column is dropped for it. */
const minReadableWidth = 24;

/**
 * The fields a list shows; the name comes first when no column contains it, the id only when there is no
 * other column.
 */
export function listFields(meta: ResourceMeta): string[] {
  const named = meta.columns.includes(meta.title) || (meta.title === meta.id && meta.columns.length > 0);
  const columns = named ? meta.columns : [meta.title, ...meta.columns];
  return [...new Set(columns)];
}

/** Column titles, with an arrow at the sort column. */
export function listColumns(
  meta: ResourceMeta,
  fields: readonly string[],
  presenter: Presenter,
  sort = '',
): Column[] {
  const [first = ''] = sort.split(',');
  return fields.map((field) => {
    const { short = false, right = false } = traitsOf(meta.fields[field]?.kind ?? 'text');
    const arrow = first === field ? ' ↑' : first === `-${field}` ? ' ↓' : '';
    return {
      title: labelOf(field, presenter.t, meta.id) + arrow,
      whole: short,
      right,
    };
  });
}

/** The cells of a row; times are shown as ages, which are shorter. */
export function rowCells(
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
      return { text: formatAge(value, now, presenter.t), agesFrom: value };
    // Related counts are shown without labels: `1/3`.
    if (fieldMeta?.kind === 'object' && isCounts(value)) return { text: Object.values(value).join('/') };
    return presentValue(value, fieldMeta, presenter);
  });
}

function isCounts(value: unknown): value is Record<string, number> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => typeof part === 'number')
  );
}

interface ListLayout {
  columns: Column[];
  widths: number[];
  cells: Cell[][];
}

const naturalWidthCache = new WeakMap<readonly ListItem[], readonly number[]>();

function layoutList(state: State, view: ListView, render: RenderContext): ListLayout {
  const meta = resourceNamed(view.resource);
  const fields = listFields(meta);
  const presenter = { ...render.presenter, names: view.names, exact: false };
  const sort = view.target.kind === 'list' ? (view.target.sort ?? meta.defaultSort) : '';
  const columns = listColumns(meta, fields, presenter, sort);
  const visible = view.visibleItems.slice(view.scrollTop, view.scrollTop + bodyRows(state));
  const cells = visible.map(({ row }) => rowCells(meta, fields, row, presenter, state.now));
  const widest = (rows: readonly Cell[][]) =>
    columns.map((_, index) => Math.max(0, ...rows.map((row) => render.measure.width(row[index]!.text))));
  // Measured on the loaded rows, not the filtered ones, so that columns do not shift while a filter is typed.
  const items = view.items ?? [];
  let base = naturalWidthCache.get(items);
  if (!base) {
    base = widest(
      items.slice(0, sampleRows).map(({ row }) => rowCells(meta, fields, row, presenter, state.now)),
    );
    naturalWidthCache.set(items, base);
  }
  const here = widest(cells);
  const natural = columns.map(({ title }, index) =>
    Math.max(render.measure.width(title), base[index]!, here[index]!),
  );
  const maxWidth = Math.max(1, state.size.columns - gutterWidth(state.size.columns));
  const { shown, widths } = chooseColumns(columns, natural, fields.indexOf(titleField(meta) ?? ''), maxWidth);
  return {
    columns: shown.map((index) => columns[index]!),
    cells: cells.map((row) => shown.map((index) => row[index]!)),
    widths,
  };
}

/**
 * Keeps texts readable: columns are dropped from the right before texts are cut short. The one that tells what the item
 * is (`title`, -1 for none) is the last to go, wherever it stands.
 */
function chooseColumns(
  columns: readonly Column[],
  natural: readonly number[],
  title: number,
  maxWidth: number,
): { shown: number[]; widths: number[] } {
  const all = columns.map((_, index) => index);
  const others = all.filter((index) => index !== title);
  for (let kept = others.length; kept > 0; kept -= 1) {
    const shown = all.filter((index) => index === title || others.indexOf(index) < kept);
    const wanted = shown.map((index) => natural[index]!);
    const widths = fitWidths(
      shown.map((index) => columns[index]!),
      wanted,
      maxWidth,
    );
    const readable = widths.every(
      (width, position) => width >= Math.min(wanted[position]!, minReadableWidth),
    );
    // Of the last two, such as status and name, a short one is better than none.
    if (widths.length === shown.length && (readable || kept === 1)) return { shown, widths };
  }
  const shown = [Math.max(title, 0)];
  return { shown, widths: shown.map((index) => Math.min(natural[index]!, maxWidth)) };
}

/** Why no row is shown; a filter being typed looks only at the loaded rows until Enter. */
function emptyText({ overlay }: State, view: ListView, t: Presenter['t']): string {
  const read = view.items?.length ?? 0;
  if (overlay?.kind === 'filter' && view.target.kind === 'list' && read < view.total)
    return t('tui.empty.filter.part', { read, total: view.total });
  return t(view.filter !== '' || view.serverQuery !== '' ? 'tui.empty.filter' : 'tui.empty');
}

/** Renders the column titles and the visible rows. */
export function renderList(
  state: State,
  view: ListView,
  render: RenderContext,
): { head: string; body: string[] } {
  const { t } = render.presenter;
  const { columns: width } = state.size;
  const indent = ' '.repeat(gutterWidth(width));
  if (!view.items) {
    const text = view.loadError ?? `${indent}${loadingText(state, t)}`;
    return { head: '', body: renderNotice(text, state, render) };
  }
  const { columns, widths, cells } = layoutList(state, view, render);
  const titles = columns.map(({ title }) => ({ text: title }));
  const head = indent + joinCells(titles, columns, widths, render);
  if (view.visibleItems.length === 0) {
    return { head, body: renderNotice(indent + emptyText(state, view, t), state, render) };
  }
  const body = cells.map((row, index) => {
    const { id } = view.visibleItems[view.scrollTop + index]!;
    const isSelected = view.scrollTop + index === view.cursor;
    const marked = view.marks.has(id);
    const mark = `${isSelected ? '>' : ' '}${marked ? '*' : ' '}`.slice(0, gutterWidth(width));
    const text = joinCells(row, columns, widths, render);
    if (isSelected)
      return paintSelected(mark + joinCells(row, columns, widths, render, false), mark + text, width, render);
    return (marked ? render.paint('info', mark) : mark) + text;
  });
  return { head, body };
}
