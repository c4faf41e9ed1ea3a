// Renders the footer: key hints, prompt, input, errors, progress and notices.
import { formatAge } from '@yagura/core/format/duration';
import { cleanLine } from '../../terminal/clean.ts';
import { wrapText } from '../../terminal/wrap-text.ts';
import { keyScopeOf } from '../keys/handle-view-key.ts';
import { keyBindingsIn } from '../keys/key-bindings.ts';
import type { CursorPosition } from '../screen/screen.ts';
import {
  cancelableOperation,
  type ListView,
  type QuestionOverlay,
  type State,
  statusBarRows,
  topView,
} from '../state/state.ts';
import { pendingWaitText, type RenderContext, spaceBetween } from './render-context.ts';
import { formHint } from './render-form.ts';
import { keyLabel } from './render-overlay.ts';
import { type PromptLine, renderPrompt } from './render-prompt.ts';

export interface StatusBar {
  /** More lines than usual when a message is long. */
  lines: string[];
  /** Position of the text cursor, relative to the first footer line. */
  cursor?: CursorPosition;
}

export function renderStatusBar(state: State, render: RenderContext): StatusBar {
  const hints = statusBarRows(state.size) > 1 ? [keyHintLine(state, render)] : [];
  if (state.overlay?.kind === 'ask' || state.overlay?.kind === 'ask-text') {
    const { lines, column } = questionLines(state.overlay, state, render);
    return {
      lines: [...hints, ...lines],
      ...(column === undefined ? {} : { cursor: { column, row: hints.length + lines.length - 1 } }),
    };
  }
  const message = messageLines(state, render);
  if (message) return { lines: [...hints, ...message] };
  const { line, column } = statusLine(state, render);
  return {
    lines: [...hints, line],
    ...(column === undefined ? {} : { cursor: { column, row: hints.length } }),
  };
}

/** Columns reserved for an answer beside its question. */
const minAnswerWidth = 24;

/** Wraps a question and returns the position of its input. */
function questionLines(
  overlay: QuestionOverlay,
  { size }: State,
  render: RenderContext,
): { lines: string[]; column?: number } {
  const { t } = render.presenter;
  const clean = cleanLine(questionText(overlay, t));
  const isNote = overlay.kind === 'ask-text' && overlay.text === undefined;
  const style = isNote ? 'bold' : 'danger';
  const max = Math.max(1, size.rows - 1);
  const painted = (lines: readonly string[]) =>
    lines.map((line) => render.paint(style, render.measure.fit(line, size.columns)));
  // A question that is too long is cut at the start, because its end names the keys.
  const wrappedLines = wrapText(clean, Math.max(1, size.columns), render.measure);
  if (overlay.kind === 'ask') return { lines: painted(wrappedLines.slice(-max)) };
  const beside = render.measure.width(clean) + minAnswerWidth <= size.columns;
  const { line, column } = renderPrompt(
    beside ? `${clean} ` : '> ',
    overlay.input,
    '',
    size.columns,
    render,
    style,
  );
  const above = beside || max < 2 ? [] : painted(wrappedLines.slice(-(max - 1)));
  return { lines: [...above, line], ...(column === undefined ? {} : { column }) };
}

function questionText(overlay: QuestionOverlay, t: RenderContext['presenter']['t']): string {
  const { question } = overlay;
  if (overlay.kind === 'ask') return `${question} ${t('tui.ask.yes-no')}`;
  const { text } = overlay;
  return text === undefined ? t('tui.ask.note', { question }) : t('tui.ask.type', { question, text });
}

/** A notice or an error that does not fit on one line takes some of the body's lines. */
function messageLines(
  state: State,
  { presenter: { t }, measure, paint }: RenderContext,
): string[] | undefined {
  const { notice, overlay, operations, size } = state;
  if (overlay || operations.length > 0 || visibleWaitText(state, t)) return undefined;
  const error = loadErrorText(state, t);
  const message = notice ?? (error === undefined ? undefined : { text: error, style: 'danger' as const });
  if (!message) return undefined;
  const lines = wrapText(cleanLine(message.text), Math.max(1, size.columns - 2), measure).slice(
    0,
    Math.max(1, Math.floor(size.rows / 3)),
  );
  return lines.map((line) => paint(message.style, measure.fit(` ${line}`, size.columns)));
}

/** Why the view could not be loaded, and how old what it shows is. */
function loadErrorText(state: State, t: RenderContext['presenter']['t']): string | undefined {
  const { loadError, loadedAt } = topView(state);
  if (loadError === undefined) return undefined;
  const age =
    loadedAt === undefined ? '' : t('tui.load-failed.age', { age: formatAge(loadedAt, state.now, t) });
  return cleanLine(t('tui.load-failed', { reason: loadError, age }));
}

/** As many key hints as fit, most used first. */
function keyHintLine(state: State, { presenter, measure, paint }: RenderContext): string {
  const { t } = presenter;
  const { columns } = state.size;
  let line = '';
  for (const text of keyHints(state, t)) {
    if (measure.width(line) + measure.width(text) + 3 > columns) break;
    line += ` ${text} `;
  }
  return paint('dim', measure.fit(line, columns));
}

function keyHints(state: State, t: RenderContext['presenter']['t']): string[] {
  const { overlay } = state;
  if (overlay?.kind === 'menu' || overlay?.kind === 'command') return [t('tui.hint.menu')];
  if (overlay?.kind === 'filter') return [t('tui.hint.filtering')];
  if (overlay?.kind === 'form') return [t('tui.hint.form-keys')];
  if (overlay?.kind === 'help' || overlay?.kind === 'results') return [t('tui.hint.scroll')];
  if (overlay?.kind === 'ask') return [t('tui.hint.ask')];
  if (overlay?.kind === 'ask-text')
    return [t(overlay.text === undefined ? 'tui.hint.ask-note' : 'tui.hint.ask-name')];
  return keyBindingsIn(keyScopeOf(topView(state)))
    .filter(({ hintKey }) => hintKey)
    .map(({ keys, hintKey }) => `${keyLabel(keys[0]!, t)} ${t(hintKey!)}`);
}

function statusLine(state: State, render: RenderContext): PromptLine {
  const { t } = render.presenter;
  const { overlay, size } = state;
  const view = topView(state);
  if (overlay?.kind === 'filter') {
    const count = view.kind === 'list' ? `${view.visibleItems.length}/${view.items?.length ?? 0}` : '';
    return renderPrompt('/', overlay.input, count, size.columns, render);
  }
  if (overlay?.kind === 'command') return renderPrompt(':', overlay.input, '', size.columns, render);
  if (overlay?.kind === 'menu') return renderPrompt('> ', overlay.input, '', size.columns, render);
  const wait = visibleWaitText(state, t);
  if (wait && (overlay?.kind !== 'form' || overlay.submitting))
    return { line: render.paint('warning', render.measure.fit(` ${wait}`, size.columns)) };
  if (overlay?.kind === 'form') {
    const style = overlay.confirmingClose ? 'warning' : 'dim';
    return { line: render.paint(style, render.measure.fit(` ${formHint(overlay, t)}`, size.columns)) };
  }
  const cancelable = cancelableOperation(state);
  const operation = cancelable ?? state.operations.at(-1);
  if (operation) {
    const text = cancelable ? `${operation.text}  ${t('tui.hint.cancel')}` : operation.text;
    return { line: render.paint('progress', render.measure.fit(` ${text}`, size.columns)) };
  }
  const error = loadErrorText(state, t);
  if (error !== undefined)
    return { line: render.paint('danger', render.measure.fit(` ${error}`, size.columns)) };
  const left = view.kind === 'list' ? listStatus(view, render) : '';
  return {
    line: spaceBetween(` ${left}`, connectionText(state, t), size.columns, render, {
      left: 'dim',
      right: connectionStyle(state),
    }),
  };
}

/** Why a call waits; until a view is loaded, that is said in the place of its content. */
function visibleWaitText(state: State, t: RenderContext['presenter']['t']): string | undefined {
  const view = topView(state);
  const isLoaded = (view.kind === 'list' ? view.items : view.detail) !== undefined;
  return isLoaded ? pendingWaitText(state, t) : undefined;
}

function listStatus(view: ListView, { presenter: { t } }: RenderContext): string {
  const parts: string[] = [];
  if (view.target.kind === 'stream')
    parts.push(t(view.paused ? 'tui.paused' : 'tui.following', { count: view.buffered.length }));
  if (view.marks.size > 0) parts.push(t('tui.marked', { count: view.marks.size }));
  if (view.serverQuery !== '') parts.push(t('tui.asked', { text: view.serverQuery }));
  if (view.filter !== '') parts.push(`/${view.filter}`);
  if (view.items) parts.push(positionText(view, t));
  if (view.destinationResource) parts.push(t('tui.choose'));
  return cleanLine(parts.join('  '));
}

/** `3/120`, and the total when not all rows are loaded. */
function positionText(view: ListView, t: RenderContext['presenter']['t']): string {
  const { visibleItems, items, total, cursor } = view;
  const position = visibleItems.length === 0 ? 0 : cursor + 1;
  if (view.filter === '' || (items?.length ?? 0) >= total)
    return view.filter === ''
      ? `${position}/${total}`
      : t('tui.place', { place: position, shown: visibleItems.length, total });
  return t('tui.place.part', {
    place: position,
    shown: visibleItems.length,
    read: items?.length ?? 0,
    total,
  });
}

function connectionText(state: State, t: RenderContext['presenter']['t']): string {
  const { loadedAt } = topView(state);
  const age = loadedAt === undefined ? '' : `  ${formatAge(loadedAt, state.now, t)}`;
  return `${t(`tui.connection.${state.connection}`)}${age} `;
}

function connectionStyle({ connection }: State) {
  return connection === 'away' ? 'danger' : connection === 'live' ? 'success' : 'dim';
}
