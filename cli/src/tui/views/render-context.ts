// What a frame is drawn with, and the small strokes that all parts of it share.
import type { Presenter } from '../../resource/output/present-value.ts';
import type { Measure } from '../../terminal/measure.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell, Column } from '../../terminal/table.ts';

export interface RenderContext {
  presenter: Presenter;
  measure: Measure;
  paint(style: Style, text: string): string;
}

/** Cells side by side, each as wide as its column. */
export function joinCells(
  cells: readonly Cell[],
  columns: readonly Column[],
  widths: readonly number[],
  { measure, paint }: RenderContext,
  coloured = true,
): string {
  return widths
    .map((width, index) => {
      const { text, style } = cells[index] ?? { text: '' };
      const shown = measure.fit(text, width, columns[index]?.right ? 'right' : 'left');
      return style && coloured ? paint(style, shown) : shown;
    })
    .join('  ');
}

/** Columns for the marks in front of a line; on a very narrow screen the content needs them. */
export function gutterWidth(columns: number): number {
  return columns >= 12 ? 2 : 0;
}

/** A text at each end of a line; the right one gives way. */
export function spaceBetween(
  left: string,
  right: string,
  columns: number,
  render: RenderContext,
  styles: EndStyles = {},
): string {
  const { measure } = render;
  const painted = (text: string, style?: Style) => (style ? render.paint(style, text) : text);
  const maxWidth = columns - measure.width(right) - 2;
  if (right === '' || measure.width(left) > maxWidth) return painted(measure.fit(left, columns), styles.left);
  return painted(measure.fit(left, maxWidth), styles.left) + painted(`  ${right}`, styles.right);
}

interface EndStyles {
  left?: Style;
  right?: Style;
}

/** First row shown so that the cursor is in view, in the middle where it can be. */
export function windowStart(cursor: number, rows: number, total: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(rows / 2), total - rows));
}

export function padLines(rows: number, lines: readonly string[]): string[] {
  return [...lines, ...Array<string>(Math.max(0, rows - lines.length)).fill('')].slice(0, rows);
}
