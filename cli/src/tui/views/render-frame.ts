// Builds one frame as lines: as many as there are rows, never wider than the screen, whatever its size.
import { cleanLine } from '../../terminal/clean.ts';
import type { CursorPosition } from '../screen/screen.ts';
import type { AppContext } from '../state/app-context.ts';
import { bodyRows, headerRows, type State, statusBarRows, topView } from '../state/state.ts';
import { padLines, type RenderContext, spaceBetween } from './render-context.ts';
import { renderDetail } from './render-detail.ts';
import { renderForm } from './render-form.ts';
import { renderList } from './render-list.ts';
import { renderHelp, renderPanel, renderResults } from './render-overlay.ts';
import { renderStatusBar } from './render-status-bar.ts';

export interface Frame {
  lines: string[];
  /** Position of the text cursor. */
  cursor?: CursorPosition;
}

export function renderFrame(state: State, context: AppContext, render: RenderContext): Frame {
  const rows = Math.max(1, state.size.rows);
  const { head, body, cursor } = renderBody(state, context, render);
  const statusBar = renderStatusBar(state, render);
  const height = Math.max(0, bodyRows(state) + statusBarRows(state.size) - statusBar.lines.length);
  const headerLines = [renderBreadcrumbs(state, context, render)];
  if (headerRows(state.size) > 1)
    headerLines.push(render.paint('dim', render.measure.fit(head, state.size.columns)));
  const lines = [...headerLines, ...padLines(height, body), ...statusBar.lines];
  // On a screen with very few rows, the content and input take precedence over the breadcrumb.
  const cut = Math.max(0, lines.length - rows);
  if (cursor && cursor.row < height)
    return {
      lines: lines.slice(cut),
      cursor: { column: cursor.column, row: headerLines.length + cursor.row - cut },
    };
  const row = lines.length - statusBar.lines.length - cut + (statusBar.cursor?.row ?? 0);
  return {
    lines: lines.slice(cut),
    ...(statusBar.cursor ? { cursor: { column: statusBar.cursor.column, row } } : {}),
  };
}

function renderBody(
  state: State,
  context: AppContext,
  render: RenderContext,
): { head: string; body: string[]; cursor?: CursorPosition } {
  const { overlay } = state;
  if (overlay?.kind === 'help') return { head: '', body: renderHelp(state, overlay, render) };
  if (overlay?.kind === 'results') return { head: '', body: renderResults(state, overlay, render) };
  if (overlay?.kind === 'form') {
    const { lines, cursor } = renderForm(state, overlay, render);
    return { head: `  ${cleanLine(overlay.title)}`, body: lines, ...(cursor ? { cursor } : {}) };
  }
  const view = topView(state);
  const rendered =
    view.kind === 'list'
      ? renderList(state, view, render)
      : { head: subtitle(state, render), body: renderDetail(state, view, render) };
  const panel = overlay ? renderPanel(state, context, overlay, render) : [];
  if (panel.length === 0) return rendered;
  const height = bodyRows(state);
  return {
    head: rendered.head,
    body: [...padLines(height, rendered.body).slice(0, height - panel.length), ...panel],
  };
}

/** The resource, id and format of a detail view. */
function subtitle(state: State, { presenter: { t } }: RenderContext): string {
  const view = topView(state);
  if (view.kind !== 'sheet' || view.target.kind !== 'item') return '';
  const form = view.format === 'fields' ? '' : `  ${t(`tui.form.${view.format}`)}`;
  return `  ${view.target.id ?? ''}${form}`;
}

/** `Home › Scopes › database`, with the space when both fit; read-only mode is indicated on every screen. */
function renderBreadcrumbs(state: State, context: AppContext, render: RenderContext): string {
  const { columns } = state.size;
  const { measure } = render;
  const names = state.stack.map(({ title }) => measure.cut(cleanLine(title), 40));
  const mode = context.readonly ? `${context.t('tui.readonly')} ` : '';
  const half = Math.floor(columns / 2);
  const owner = measure.cut(`${mode}${cleanLine(context.spaceName)} · ${cleanLine(context.userName)} `, half);
  const roomBeside = (right: string) => columns - (right === '' ? 0 : measure.width(right) + 2);
  const maxWidth = roomBeside(columns >= 60 ? owner : mode);
  let first = 0;
  const text = () => ` ${first > 0 ? '… › ' : ''}${names.slice(first).join(' › ')}`;
  while (first < names.length - 1 && measure.width(text()) > maxWidth) first += 1;
  const right = columns >= 60 && measure.width(text()) <= maxWidth ? owner : measure.cut(mode, half);
  return spaceBetween(measure.cut(text(), Math.max(1, roomBeside(right))), right, columns, render, {
    left: 'bold',
    right: 'dim',
  });
}
