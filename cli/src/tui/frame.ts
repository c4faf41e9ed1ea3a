// One frame as finished lines: never more than there are rows, never wider than the screen, whatever its size.
import { formatAge } from '@yagura/core/format/duration';
import type { Presenter } from '../resource/present.ts';
import { cleanLine } from '../term/clean.ts';
import type { Measure } from '../term/measure.ts';
import type { Style } from '../term/style.ts';
import { type Cell, type Column, fitWidths } from '../term/table.ts';
import { columnsOfView, rowCells } from './columns.ts';
import { keyTable } from './keys.ts';
import {
  bodyRows,
  cursorOf,
  type Detail,
  headRows,
  type List,
  type State,
  shownItems,
  views,
} from './state.ts';

export interface Brush {
  presenter: Presenter;
  measure: Measure;
  paint(style: Style, text: string): string;
}

/** The lines of a frame, from the top; as many as the screen has rows, less the one that stays free. */
export function frame(state: State, brush: Brush): string[] {
  const rows = Math.max(1, state.size.rows - 1);
  const body = bodyRows(state);
  const detail = state.trail.at(-1);
  const lines = [
    ...head(state, brush),
    ...filled(
      state.help
        ? helpLines(state, brush)
        : detail
          ? detailLines(state, detail, brush)
          : listLines(state, brush),
      body,
    ),
    foot(state, brush),
  ];
  // On a screen of very few rows the content counts more than what surrounds it.
  return rows >= lines.length ? lines : lines.slice(headRows(state.size), headRows(state.size) + rows);
}

function filled(lines: string[], rows: number): string[] {
  return [...lines, ...Array<string>(Math.max(0, rows - lines.length)).fill('')].slice(0, rows);
}

function head(state: State, brush: Brush): string[] {
  const { presenter, measure, paint } = brush;
  const { columns } = state.size;
  const { t } = presenter;
  const tabs = views.map((view) => tabText(view === state.view, t(`tui.view.${view}`))).join('');
  const counts = countsText(state, t, true);
  const room = columns - measure.width(counts);
  const first =
    room > measure.width(tabs)
      ? paint('bold', measure.fit(tabs, room)) + counts
      : measure.fit(`${tabText(true, t(`tui.view.${state.view}`))} ${countsText(state, t, false)}`, columns);
  if (headRows(state.size) === 1) return [first];
  return [first, paint('dim', measure.fit(headText(state, brush), columns))];
}

function tabText(open: boolean, name: string): string {
  return open ? `[${name}]` : ` ${name} `;
}

/** `2 Incident  1 Warning  14 Normal`, or only what is not normal. */
function countsText(state: State, t: Presenter['t'], whole: boolean): string {
  const { counts } = state.lists.scopes;
  return ['incident', 'warning', 'normal']
    .filter((status) => (whole ? counts[status] !== undefined : status !== 'normal' && counts[status]))
    .map((status) => `${counts[status]} ${t(`value.${status}`)}`)
    .join('  ');
}

function headText(state: State, brush: Brush): string {
  const detail = state.trail.at(-1);
  if (state.help) return brush.presenter.t('tui.help');
  if (detail) return cleanLine(detail.title);
  const { columns, widths } = layout(state, brush);
  const titles = columns.slice(0, widths.length).map(({ title }) => ({ text: title }));
  return ' '.repeat(markWidth(state)) + joined(titles, columns, widths, brush.measure);
}

function layout(
  state: State,
  { presenter, measure }: Brush,
): { columns: Column[]; widths: number[]; cells: Cell[][]; start: number } {
  const list = state.lists[state.view];
  const items = shownItems(list);
  const start = windowStart(cursorOf(list), bodyRows(state), items.length);
  const visible = items.slice(start, start + bodyRows(state));
  const columns = columnsOfView(state.view, presenter.t);
  const cells = visible.map((item) => rowCells(state.view, item.row, presenter, state.now));
  const natural = columns.map((column, index) =>
    Math.max(measure.width(column.title), ...cells.map((row) => measure.width(row[index]!.text))),
  );
  return {
    columns,
    cells,
    start,
    widths: fitWidths(columns, natural, Math.max(1, state.size.columns - markWidth(state))),
  };
}

/** Columns for the mark of the cursor; on a very narrow screen the content needs them. */
function markWidth({ size }: State): number {
  return size.columns >= 8 ? 2 : 0;
}

/** First row shown so that the cursor is in view, in the middle where it can be. */
export function windowStart(cursor: number, rows: number, total: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(rows / 2), total - rows));
}

function listLines(state: State, brush: Brush): string[] {
  const list = state.lists[state.view];
  const { t } = brush.presenter;
  const { measure, paint } = brush;
  if (!list.items) return [measure.fit(state.lost ? '' : t('text.loading'), state.size.columns)];
  if (shownItems(list).length === 0) {
    return [
      paint(
        'dim',
        measure.fit(
          t(list.filter === '' ? `tui.empty.${state.view}` : 'tui.empty.filter'),
          state.size.columns,
        ),
      ),
    ];
  }
  const { columns, cells, widths, start } = layout(state, brush);
  const cursor = cursorOf(list);
  return cells.map((row, index) => {
    const chosen = start + index === cursor;
    const text = joined(row, columns, widths, measure, chosen ? undefined : paint);
    const line = (chosen ? '> ' : '  ').slice(0, markWidth(state)) + text;
    return chosen ? paint('bold', line) : line;
  });
}

function joined(
  cells: readonly Cell[],
  columns: readonly Column[],
  widths: readonly number[],
  measure: Measure,
  paint?: Brush['paint'],
): string {
  return widths
    .map((width, index) => {
      const { text, style } = cells[index]!;
      const shown = measure.fit(text, width, columns[index]!.right ? 'right' : 'left');
      return style && paint ? paint(style, shown) : shown;
    })
    .join('  ');
}

function detailLines(state: State, detail: Detail, brush: Brush): string[] {
  const { measure, paint, presenter } = brush;
  const { columns } = state.size;
  if (!detail.lines) return [measure.fit(state.lost ? '' : presenter.t('text.loading'), columns)];
  const room = Math.max(1, columns - markWidth(state));
  const rows = detail.lines.flatMap((line, index) => {
    const indent = ' '.repeat(Math.min(line.depth * 2, Math.floor(room / 3)));
    return wrapped(cleanLine(line.text), room - indent.length, measure).map((text, part) => {
      const chosen = index === detail.cursor;
      const mark = chosen && part === 0 ? '> ' : line.link && part === 0 ? '· ' : '  ';
      const shown = indent + text;
      return {
        index,
        text:
          mark.slice(0, markWidth(state)) +
          (chosen ? paint('bold', shown) : line.style ? paint(line.style, shown) : shown),
      };
    });
  });
  const at = rows.findIndex(({ index }) => index === detail.cursor);
  const start = windowStart(Math.max(0, at), bodyRows(state), rows.length);
  return rows.slice(start, start + bodyRows(state)).map(({ text }) => text);
}

/** Breaks a line at spaces, and inside words that are too long. */
export function wrapped(text: string, room: number, measure: Measure): string[] {
  if (measure.width(text) <= room) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure.width(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (measure.width(line) > room) {
      // A character that is wider than all the room leaves a sign of itself.
      const part = measure.cut(line, room + 1).slice(0, -1);
      lines.push(part || '…');
      line = line.slice(part.length || [...line][0]!.length);
    }
  }
  return line === '' ? lines : [...lines, line];
}

function helpLines(state: State, { presenter, measure, paint }: Brush): string[] {
  const names = keyTable.map(({ keys }) => keys.join(' '));
  const width = Math.max(...names.map((name) => name.length));
  return keyTable.map(({ word, danger }, index) => {
    const text = `${names[index]!.padEnd(width)}  ${presenter.t(word)}${danger ? ` ${presenter.t('tui.danger')}` : ''}`;
    const line = measure.fit(text, state.size.columns);
    return danger ? paint('danger', line) : line;
  });
}

/** The last line: a question, the filter, what went wrong, or what can be done. */
function foot(state: State, { presenter, measure, paint }: Brush): string {
  const { t } = presenter;
  const { columns } = state.size;
  const list = state.lists[state.view];
  if (state.asking)
    return paint('danger', measure.fit(cleanLine(t('tui.ask.reset', { name: state.asking.name })), columns));
  if (state.typing) return paint('bold', measure.fit(`/${cleanLine(list.filter)}_`, columns));
  if (state.lost !== undefined) {
    const age =
      state.seenAt === undefined ? '' : t('tui.lost.age', { age: formatAge(state.seenAt, state.now, t) });
    return paint('danger', measure.fit(cleanLine(t('tui.lost', { reason: state.lost, age })), columns));
  }
  if (state.notice) return paint(state.notice.style, measure.fit(cleanLine(state.notice.text), columns));
  const filter = list.filter === '' || state.trail.length > 0 ? '' : `/${cleanLine(list.filter)}  `;
  return paint('dim', measure.fit(`${filter}${countText(state, list, t)}${t('tui.hint')}`, columns));
}

function countText(state: State, list: List, t: Presenter['t']): string {
  const items = shownItems(list);
  if (state.trail.length > 0 || items.length === 0) return '';
  return `${t('tui.place', { place: cursorOf(list) + 1, shown: items.length, total: list.total })}  `;
}
