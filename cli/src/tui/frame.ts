// One frame as finished lines: as many as there are rows, never wider than the screen, whatever its size.
import { cleanLine } from '../term/clean.ts';
import { ends, filledTo, type RenderContext } from './brush.ts';
import { drawFooter } from './draw-foot.ts';
import { drawForm } from './draw-form.ts';
import { drawList } from './draw-list.ts';
import { drawHelp, drawPanel, drawResults } from './draw-overlay.ts';
import { drawDetail } from './draw-sheet.ts';
import type { CursorPosition } from './screen.ts';
import { bodyRows, footRows, headRows, type State, topView } from './state.ts';
import type { AppContext } from './world.ts';

export interface Frame {
  lines: string[];
  /** Where text is typed. */
  cursor?: CursorPosition;
}

export function frame(state: State, context: AppContext, render: RenderContext): Frame {
  const rows = Math.max(1, state.size.rows);
  const { head, body, cursor } = middle(state, context, render);
  const foot = drawFooter(state, render);
  const height = Math.max(0, bodyRows(state) + footRows(state.size) - foot.lines.length);
  const heads = [trail(state, context, render)];
  if (headRows(state.size) > 1) heads.push(render.paint('dim', render.measure.fit(head, state.size.columns)));
  const lines = [...heads, ...filledTo(height, body), ...foot.lines];
  // On a screen of very few rows the content and what is typed count more than the trail.
  const cut = Math.max(0, lines.length - rows);
  if (cursor && cursor.row < height)
    return {
      lines: lines.slice(cut),
      cursor: { column: cursor.column, row: heads.length + cursor.row - cut },
    };
  const row = lines.length - foot.lines.length - cut + (foot.cursor?.row ?? 0);
  return { lines: lines.slice(cut), ...(foot.cursor ? { cursor: { column: foot.cursor.column, row } } : {}) };
}

function middle(
  state: State,
  context: AppContext,
  render: RenderContext,
): { head: string; body: string[]; cursor?: CursorPosition } {
  const { overlay } = state;
  if (overlay?.kind === 'help') return { head: '', body: drawHelp(state, overlay, render) };
  if (overlay?.kind === 'results') return { head: '', body: drawResults(state, overlay, render) };
  if (overlay?.kind === 'form') {
    const { lines, cursor } = drawForm(state, overlay, render);
    return { head: `  ${cleanLine(overlay.title)}`, body: lines, ...(cursor ? { cursor } : {}) };
  }
  const view = topView(state);
  const drawn =
    view.kind === 'list'
      ? drawList(state, view, render)
      : { head: subtitle(state, render), body: drawDetail(state, view, render) };
  const panel = overlay ? drawPanel(state, context, overlay, render) : [];
  if (panel.length === 0) return drawn;
  const height = bodyRows(state);
  return {
    head: drawn.head,
    body: [...filledTo(height, drawn.body).slice(0, height - panel.length), ...panel],
  };
}

/** What kind of thing a sheet is about, its id, and the form it is shown in. */
function subtitle(state: State, { presenter: { t } }: RenderContext): string {
  const view = topView(state);
  if (view.kind !== 'sheet' || view.target.kind !== 'item') return '';
  const form = view.form === 'fields' ? '' : `  ${t(`tui.form.${view.form}`)}`;
  return `  ${view.target.id ?? ''}${form}`;
}

/** `Home › Scopes › database`, and whose space it is where both fit; that nothing can be changed is said on every screen. */
function trail(state: State, context: AppContext, render: RenderContext): string {
  const { columns } = state.size;
  const { measure } = render;
  const names = state.stack.map(({ title }) => measure.cut(cleanLine(title), 40));
  const mode = context.readonly ? `${context.t('tui.readonly')} ` : '';
  const half = Math.floor(columns / 2);
  const whose = measure.cut(`${mode}${cleanLine(context.space)} · ${cleanLine(context.user)} `, half);
  const roomBeside = (right: string) => columns - (right === '' ? 0 : measure.width(right) + 2);
  const room = roomBeside(columns >= 60 ? whose : mode);
  let first = 0;
  const text = () => ` ${first > 0 ? '… › ' : ''}${names.slice(first).join(' › ')}`;
  while (first < names.length - 1 && measure.width(text()) > room) first += 1;
  const right = columns >= 60 && measure.width(text()) <= room ? whose : measure.cut(mode, half);
  return ends(measure.cut(text(), Math.max(1, roomBeside(right))), right, columns, render, {
    left: 'bold',
    right: 'dim',
  });
}
