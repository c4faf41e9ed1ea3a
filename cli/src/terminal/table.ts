// Lays out aligned columns within the terminal width.
import type { Measure } from './measure.ts';
import type { Style } from './style.ts';
import type { OutputStream } from './terminal.ts';

export interface Cell {
  /** One line, already escaped. */
  text: string;
  style?: Style;
}

export interface Column {
  title: string;
  /** Never cut: truncated ids and numbers are wrong. */
  whole?: boolean;
  right?: boolean;
  /** A date and time; when texts become illegible, all but the first of these columns are dropped. */
  time?: boolean;
}

const gap = '  ';
const minColumnWidth = 8;
/** Minimum columns at which a text is recognizable. */
const minReadableWidth = 20;

/**
 * Formats header and rows. Long columns shrink first; columns that still do not fit are dropped from the
 * right.
 */
export function formatTable(
  allColumns: readonly Column[],
  allRows: readonly (readonly Cell[])[],
  maxWidth: number,
  measure: Measure,
  paint: OutputStream['paint'],
): string[] {
  const widest = allColumns.map((column, index) =>
    Math.max(measure.width(column.title), ...allRows.map((row) => measure.width(row[index]!.text))),
  );
  const shownIndexes = dropExtraTimes(allColumns, widest, maxWidth);
  const columns = shownIndexes.map((index) => allColumns[index]!);
  const rows = allRows.map((row) => shownIndexes.map((index) => row[index]!));
  const natural = shownIndexes.map((index) => widest[index]!);
  const widths = fitWidths(columns, natural, maxWidth);
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

/**
 * Indexes of the visible columns: while a text is too narrow to recognize, surplus time columns are dropped
 * from the right.
 */
function dropExtraTimes(columns: readonly Column[], natural: readonly number[], maxWidth: number): number[] {
  let shownIndexes = columns.map((_, index) => index);
  for (;;) {
    const widths = fitWidths(
      shownIndexes.map((index) => columns[index]!),
      shownIndexes.map((index) => natural[index]!),
      maxWidth,
    );
    const isCrowded = shownIndexes.some(
      (index, position) =>
        !columns[index]!.whole && (widths[position] ?? 0) < Math.min(natural[index]!, minReadableWidth),
    );
    const times = shownIndexes.filter((index) => columns[index]!.time);
    if (!isCrowded || times.length < 2) return shownIndexes;
    shownIndexes = shownIndexes.filter((index) => index !== times.at(-1));
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
