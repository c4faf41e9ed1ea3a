// Aligned columns that fit the width of the terminal.
import type { Measure } from './measure.ts';
import type { Style } from './style.ts';
import type { Sink } from './terminal.ts';

export interface Cell {
  /** One line, already harmless. */
  text: string;
  style?: Style;
}

export interface Column {
  title: string;
  /** Never cut: ids and numbers are wrong when they are short. */
  whole?: boolean;
  right?: boolean;
}

const gap = '  ';
const narrowest = 8;

/** Writes header and rows. Long columns give way first; whole columns that still do not fit are left out from the right. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  room: number,
  measure: Measure,
  paint: Sink['paint'],
): string[] {
  const natural = columns.map((column, index) =>
    Math.max(measure.width(column.title), ...rows.map((row) => measure.width(row[index]!.text))),
  );
  const widths = fitWidths(columns, natural, room);
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

/** Widths of the columns that are shown, from the left. */
export function fitWidths(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  for (let shown = columns.length; shown > 1; shown -= 1) {
    const widths = natural.slice(0, shown);
    let excess = total(widths) - room;
    while (excess > 0) {
      const widest = widestOf(columns, widths);
      if (widest === undefined) break;
      widths[widest]! -= 1;
      excess -= 1;
    }
    if (excess <= 0) return widths;
  }
  return [Math.max(1, Math.min(natural[0] ?? 0, room))];
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1);
}

function widestOf(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let found: number | undefined;
  for (const [index, width] of widths.entries()) {
    if (columns[index]!.whole || width <= narrowest) continue;
    if (found === undefined || width > widths[found]!) found = index;
  }
  return found;
}
