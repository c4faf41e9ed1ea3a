// The last lines: the keys that matter here, and what is asked, typed, wrong, under way or simply so.
import { formatAge } from '@yagura/core/format/duration';
import { cleanLine } from '../term/clean.ts';
import { wrapped } from '../term/wrap.ts';
import { ends, type RenderContext } from './brush.ts';
import { formNote } from './draw-form.ts';
import { keyName } from './draw-overlay.ts';
import { keysIn } from './keys.ts';
import { roomOf } from './press-view.ts';
import { prompt, type Status } from './prompt.ts';
import type { CursorPosition } from './screen.ts';
import { footRows, type ListView, type Overlay, type State, topView } from './state.ts';

export interface Footer {
  /** More than usual while there is more to say. */
  lines: string[];
  /** Where text is typed, counted from the foot's first line. */
  cursor?: CursorPosition;
}

export function drawFooter(state: State, render: RenderContext): Footer {
  const hints = footRows(state.size) > 1 ? [hintLine(state, render)] : [];
  if (state.overlay?.kind === 'ask') {
    const { lines, column } = question(state.overlay, state, render);
    return {
      lines: [...hints, ...lines],
      ...(column === undefined ? {} : { cursor: { column, row: hints.length + lines.length - 1 } }),
    };
  }
  const long = longNotice(state, render);
  if (long) return { lines: [...hints, ...long] };
  const { line, column } = statusLine(state, render);
  return {
    lines: [...hints, line],
    ...(column === undefined ? {} : { cursor: { column, row: hints.length } }),
  };
}

/** Columns that are left for an answer beside its question. */
const answer = 24;

/** A question in as many lines as it takes, and where its answer is typed. */
function question(
  { question: asked, text, input }: Extract<Overlay, { kind: 'ask' }>,
  { size }: State,
  render: RenderContext,
): { lines: string[]; column?: number } {
  const { t } = render.presenter;
  const whole =
    text === undefined ? `${asked} ${t('tui.ask.yes-no')}` : t('tui.ask.type', { question: asked, text });
  const clean = cleanLine(whole);
  const max = Math.max(1, size.rows - 1);
  const painted = (lines: readonly string[]) =>
    lines.map((line) => render.paint('danger', render.measure.fit(line, size.columns)));
  // Of a question that is too long its end counts: it says what to press.
  const broken = wrapped(clean, Math.max(1, size.columns), render.measure);
  if (text === undefined) return { lines: painted(broken.slice(-max)) };
  const beside = render.measure.width(clean) + answer <= size.columns;
  const { line, column } = prompt(beside ? `${clean} ` : '> ', input, '', size.columns, render, 'danger');
  const above = beside || max < 2 ? [] : painted(broken.slice(-(max - 1)));
  return { lines: [...above, line], ...(column === undefined ? {} : { column }) };
}

/** What does not fit into one line takes some of the body, while there is some. */
function longNotice(state: State, { measure, paint }: RenderContext): string[] | undefined {
  const { notice, overlay, busy, size } = state;
  if (!notice || overlay || busy) return undefined;
  const lines = wrapped(cleanLine(notice.text), Math.max(1, size.columns - 2), measure).slice(
    0,
    Math.max(1, Math.floor(size.rows / 3)),
  );
  return lines.map((line) => paint(notice.style, measure.fit(` ${line}`, size.columns)));
}

/** As many keys as fit, the most used first. */
function hintLine(state: State, { presenter, measure, paint }: RenderContext): string {
  const { t } = presenter;
  const { columns } = state.size;
  let line = '';
  for (const text of hintsFor(state, t)) {
    if (measure.width(line) + measure.width(text) + 3 > columns) break;
    line += ` ${text} `;
  }
  return paint('dim', measure.fit(line, columns));
}

function hintsFor(state: State, t: RenderContext['presenter']['t']): string[] {
  const { overlay } = state;
  if (overlay?.kind === 'menu' || overlay?.kind === 'command') return [t('tui.hint.menu')];
  if (overlay?.kind === 'filter') return [t('tui.hint.filtering')];
  if (overlay?.kind === 'form') return [t('tui.hint.form-keys')];
  if (overlay?.kind === 'help' || overlay?.kind === 'results') return [t('tui.hint.scroll')];
  if (overlay?.kind === 'ask') return [t(overlay.text === undefined ? 'tui.hint.ask' : 'tui.hint.ask-name')];
  return keysIn(roomOf(topView(state)))
    .filter(({ hint }) => hint)
    .map(({ keys, hint }) => `${keyName(keys[0]!, t)} ${t(hint!)}`);
}

function statusLine(state: State, render: RenderContext): Status {
  const { t } = render.presenter;
  const { overlay, size } = state;
  const view = topView(state);
  if (overlay?.kind === 'filter') {
    const count = view.kind === 'list' ? `${view.shown.length}/${view.items?.length ?? 0}` : '';
    return prompt('/', overlay.input, count, size.columns, render);
  }
  if (overlay?.kind === 'command') return prompt(':', overlay.input, '', size.columns, render);
  if (overlay?.kind === 'menu') return prompt('> ', overlay.input, '', size.columns, render);
  if (overlay?.kind === 'form') {
    const style = overlay.leaving ? 'warning' : 'dim';
    return { line: render.paint(style, render.measure.fit(` ${formNote(overlay, t)}`, size.columns)) };
  }
  if (state.busy)
    return { line: render.paint('progress', render.measure.fit(` ${state.busy}`, size.columns)) };
  if (view.lost !== undefined) {
    const age =
      view.seenAt === undefined ? '' : t('tui.lost.age', { age: formatAge(view.seenAt, state.now, t) });
    const text = cleanLine(t('tui.lost', { reason: view.lost, age }));
    return { line: render.paint('danger', render.measure.fit(` ${text}`, size.columns)) };
  }
  const left = view.kind === 'list' ? listStatus(view, render) : '';
  return {
    line: ends(` ${left}`, connectionText(state, t), size.columns, render, {
      left: 'dim',
      right: connectionStyle(state),
    }),
  };
}

function listStatus(view: ListView, { presenter: { t } }: RenderContext): string {
  const parts: string[] = [];
  if (view.target.kind === 'stream')
    parts.push(t(view.paused ? 'tui.paused' : 'tui.following', { count: view.held.length }));
  if (view.marks.size > 0) parts.push(t('tui.marked', { count: view.marks.size }));
  if (view.asked !== '') parts.push(t('tui.asked', { text: view.asked }));
  if (view.filter !== '') parts.push(`/${view.filter}`);
  if (view.items) parts.push(placeText(view, t));
  if (view.wanted) parts.push(t('tui.choose'));
  return cleanLine(parts.join('  '));
}

/** `3/120`, and how many there are where not all of them are here. */
function placeText(view: ListView, t: RenderContext['presenter']['t']): string {
  const { shown, items, total, cursor } = view;
  const place = shown.length === 0 ? 0 : cursor + 1;
  if (view.filter === '' || (items?.length ?? 0) >= total)
    return view.filter === '' ? `${place}/${total}` : t('tui.place', { place, shown: shown.length, total });
  return t('tui.place.part', { place, shown: shown.length, read: items?.length ?? 0, total });
}

function connectionText(state: State, t: RenderContext['presenter']['t']): string {
  const { seenAt } = topView(state);
  const age = seenAt === undefined ? '' : `  ${formatAge(seenAt, state.now, t)}`;
  return `${t(`tui.connection.${state.connection}`)}${age} `;
}

function connectionStyle({ connection }: State) {
  return connection === 'away' ? 'danger' : connection === 'live' ? 'success' : 'dim';
}
