// Rendering context and layout helpers shared by all parts of a frame.
import type { Presenter } from '../../resource/output/present-value.ts';
import { waitText } from '../../signin/announce-wait.ts';
import { cleanLine } from '../../terminal/clean.ts';
import type { Measure } from '../../terminal/measure.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell, Column } from '../../terminal/table.ts';
import { wrapText } from '../../terminal/wrap-text.ts';
import { bodyRows, type State } from '../state/state.ts';

export interface RenderContext {
  presenter: Presenter;
  measure: Measure;
  paint(style: Style, text: string): string;
}

/** Cells side by side, each padded to its column width. */
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

/** Text in place of items: the complete reason why there are none, or that they are loading. */
export function renderNotice(text: string, state: State, { measure, paint }: RenderContext): string[] {
  const { columns } = state.size;
  return wrapText(cleanLine(text), columns, measure)
    .slice(0, bodyRows(state))
    .map((line) => paint('dim', measure.fit(line, columns)));
}

/** A selected line over the whole width: in its colours if it fits, which `plain` (the text without them) tells. */
export function paintSelected(
  plain: string,
  shown: string,
  columns: number,
  { measure, paint }: RenderContext,
): string {
  const gap = columns - measure.width(plain);
  return paint('inverse', gap < 0 ? measure.cut(plain, columns) : shown + ' '.repeat(gap));
}

/** That the first content is loading, or why that takes longer. */
export function loadingText(state: State, t: Presenter['t']): string {
  return pendingWaitText(state, t) ?? t('text.loading');
}

/** Why a call waits, until the server is asked again. */
export function pendingWaitText({ wait, now }: State, t: Presenter['t']): string | undefined {
  return wait && wait.until > now ? waitText(t, wait.kind, wait.until - now) : undefined;
}

/** Width of the gutter for marks; very narrow screens have none. */
export function gutterWidth(columns: number): number {
  return columns >= 12 ? 2 : 0;
}

/** Left- and right-aligned text on one line; the right one is cut first. */
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

/** First visible row, with the cursor centered where possible. */
export function windowStart(cursor: number, rows: number, total: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(rows / 2), total - rows));
}

export function padLines(rows: number, lines: readonly string[]): string[] {
  return [...lines, ...Array<string>(Math.max(0, rows - lines.length)).fill('')].slice(0, rows);
}
