// Lays out aligned columns within the terminal width.
import type { Measure } from './measure.ts';
import type { Style } from './style.ts';
import type { OutputStream } from './terminal.ts';

export interface Cell {
  /** One line, already escaped. */
  text: string;
  /** A shorter form for a crowded table: a time without the year, the ends of an id. */
  short?: string;
  style?: Style;
  /** The time whose age the text is, so that the age can be written again later. */
  agesFrom?: string;
}

export interface Column {
  title: string;
  /** Never cut: truncated ids and numbers are wrong. */
  whole?: boolean;
  right?: boolean;
  /** A date and time; when texts become illegible, all but the first of these columns are dropped. */
  time?: boolean;
  /** An id; shortened when names still do not fit beside the first time. */
  id?: boolean;
  /** The name of the item; stays complete as long as another column can give way. */
  name?: boolean;
}

const gap = '  ';
const minColumnWidth = 8;
/** Minimum columns at which a text is recognizable. */
const minReadableWidth = 20;
/** Names up to this many columns stay complete. */
const maxCompleteName = 40;

/**
 * Formats header and rows. When the table is too wide, times and ids take their short forms and surplus times
 * are dropped, then long columns shrink; columns that still do not fit are dropped from the right.
 */
export function formatTable(
  allColumns: readonly Column[],
  allRows: readonly (readonly Cell[])[],
  maxWidth: number,
  measure: Measure,
  paint: OutputStream['paint'],
): string[] {
  const widest = (textOf: (cell: Cell) => string) =>
    allColumns.map((column, index) =>
      Math.max(measure.width(column.title), ...allRows.map((row) => measure.width(textOf(row[index]!)))),
    );
  const { shown, short, widths } = chooseLayout(
    allColumns,
    { full: widest(({ text }) => text), short: widest(shortText) },
    maxWidth,
  );
  const columns = shown.map((index) => allColumns[index]!);
  const rows = allRows.map((row) =>
    shown.map((index) => {
      const cell = row[index]!;
      return short.has(index) ? { ...cell, text: shortText(cell) } : cell;
    }),
  );
  const line = (cells: readonly Cell[]) =>
    widths
      .map((width, index) => {
        const { text, style } = cells[index]!;
        const last = index === widths.length - 1 && !columns[index]!.right;
        const shown = last
          ? measure.cut(text, width)
          : measure.fit(text, width, columns[index]!.right ? 'right' : 'left');
        return style ? paint(style, shown) : shown;
      })
      .join(gap);
  const header = line(columns.map((column) => ({ text: column.title.toUpperCase(), style: 'dim' })));
  return [header, ...rows.map(line)];
}

const shortText = (cell: Cell) => cell.short ?? cell.text;

interface Layout {
  /** Indexes of the visible columns. */
  shown: readonly number[];
  /** Indexes of the columns that take their short form. */
  short: ReadonlySet<number>;
  widths: number[];
}

/** The first layout in which every text is readable, or else the narrowest one. */
function chooseLayout(
  columns: readonly Column[],
  natural: { full: readonly number[]; short: readonly number[] },
  maxWidth: number,
): Layout {
  let last: Layout | undefined;
  for (const { shown, short } of layouts(columns)) {
    const wanted = shown.map((index) => natural[short.has(index) ? 'short' : 'full'][index]!);
    const shownColumns = shown.map((index) => columns[index]!);
    last = { shown, short, widths: fitWidths(shownColumns, wanted, maxWidth) };
    const { widths } = last;
    const isReadable = shownColumns.every(
      ({ whole, name }, position) =>
        (widths[position] ?? 0) >=
        (whole
          ? Math.min(wanted[position]!, maxWidth)
          : Math.min(wanted[position]!, name ? maxCompleteName : minReadableWidth)),
    );
    if (isReadable) return last;
  }
  return last!;
}

/** Layouts in the order in which columns give way. */
function* layouts(columns: readonly Column[]): Generator<Omit<Layout, 'widths'>> {
  const all = columns.map((_, index) => index);
  const times = all.filter((index) => columns[index]!.time);
  const ids = all.filter((index) => columns[index]!.id);
  yield { shown: all, short: new Set() };
  for (let kept = times.length; kept > 0; kept -= 1) {
    const dropped = times.slice(kept);
    yield { shown: all.filter((index) => !dropped.includes(index)), short: new Set(times) };
  }
  const rest = all.filter((index) => !times.slice(1).includes(index));
  if (ids.length > 0) yield { shown: rest, short: new Set([...times, ...ids]) };
  // A complete name is worth more than a column at the right of it, except the status or the first time.
  const name = columns.findIndex((column) => column.name);
  const lesser = name < 0 ? [] : rest.filter((index) => index > name && !columns[index]!.time);
  for (let kept = lesser.length - 1; kept >= 0; kept -= 1) {
    const dropped = lesser.slice(kept);
    yield {
      shown: rest.filter((index) => !dropped.includes(index)),
      short: new Set([...times, ...ids]),
    };
  }
}

/** Widths of the visible columns, from the left. */
export function fitWidths(
  columns: readonly Column[],
  natural: readonly number[],
  maxWidth: number,
): number[] {
  for (let shown = columns.length; shown > 1; shown -= 1) {
    const widths = natural.slice(0, shown);
    let excess = total(widths) - maxWidth;
    while (excess > 0) {
      const widest = widestOf(columns, widths);
      if (widest === undefined) break;
      widths[widest]! -= 1;
      excess -= 1;
    }
    if (excess <= 0) return widths;
  }
  return [Math.max(1, Math.min(natural[0] ?? 0, maxWidth))];
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1);
}

function widestOf(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let found: number | undefined;
  for (const [index, width] of widths.entries()) {
    if (columns[index]!.whole || width <= minColumnWidth) continue;
    if (found === undefined || width > widths[found]!) found = index;
  }
  return found;
}
