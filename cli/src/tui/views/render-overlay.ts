// Renders the overlays of a view: key help, results, and panels at the bottom.
import { dataKey } from '@yagura/core/i18n/message-key';
import { cleanLine } from '../../terminal/clean.ts';
import { visibleMenuItems } from '../keys/handle-overlay-key.ts';
import { keyScopeOf } from '../keys/handle-view-key.ts';
import { type KeyBinding, keyBindingsIn } from '../keys/key-bindings.ts';
import type { AppContext } from '../state/app-context.ts';
import { commandCompletions, matchCompletions } from '../state/command-bar.ts';
import { availableActions } from '../state/request-action.ts';
import { bodyRows, type Overlay, type State, topView } from '../state/state.ts';
import type { RenderContext } from './render-context.ts';

type OverlayOf<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

/** Help for all keys, generated from the key table. */
export function renderHelp(state: State, overlay: OverlayOf<'help'>, render: RenderContext): string[] {
  const { t } = render.presenter;
  const entries = keyBindingsIn(keyScopeOf(topView(state)));
  const names = entries.map(({ keys }) => keys.map((key) => keyLabel(key, t)).join(' '));
  const width = Math.max(...names.map(render.measure.width));
  const lines = entries.map((entry, index) =>
    helpLine(entry, render.measure.fit(names[index]!, width), state, render),
  );
  const title = render.paint('bold', render.measure.fit(` ${t('tui.help')}`, state.size.columns));
  return [title, ...lines].slice(overlay.scrollTop, overlay.scrollTop + bodyRows(state));
}

function helpLine(
  { labelKey, danger }: KeyBinding,
  keys: string,
  state: State,
  render: RenderContext,
): string {
  const { t } = render.presenter;
  const text = `${danger ? '!' : ' '} ${keys}  ${t(labelKey)}${danger ? ` ${t('tui.danger')}` : ''}`;
  const line = render.measure.fit(text, state.size.columns);
  return danger ? render.paint('warning', line) : line;
}

/** Display name of a key. */
export function keyLabel(key: string, t: RenderContext['presenter']['t']): string {
  const word = t(dataKey(`tui.keyname.${key}`));
  if (word !== `tui.keyname.${key}`) return word;
  return key.startsWith('ctrl-') ? `Ctrl-${key.slice(5).toUpperCase()}` : key;
}

export function renderResults(
  state: State,
  overlay: OverlayOf<'results'>,
  { measure, paint }: RenderContext,
): string[] {
  const lines = overlay.lines.map(({ text, style }) =>
    paint(style, measure.fit(` ${style === 'danger' ? '!' : ' '} ${cleanLine(text)}`, state.size.columns)),
  );
  const title = paint('bold', measure.fit(` ${overlay.title}`, state.size.columns));
  return [title, ...lines].slice(overlay.scrollTop, overlay.scrollTop + bodyRows(state));
}

/** The panel of the command line or a menu; the selected line is always visible. */
export function renderPanel(
  state: State,
  context: AppContext,
  overlay: Overlay,
  render: RenderContext,
): string[] {
  if (overlay.kind === 'command') {
    const found = matchCompletions(
      overlay.input.text,
      commandCompletions(context, availableActions(context, topView(state))),
    );
    const width = Math.max(0, ...found.map(({ word }) => word.length));
    const lines = found.map(({ word, note }) => ({
      text: `${word.padEnd(width)}  ${note}`,
      style: undefined,
    }));
    return panelLines(state, '', lines, overlay.picked, render);
  }
  if (overlay.kind !== 'menu') return [];
  const shown = visibleMenuItems(overlay);
  const lines = shown.map(({ text, note, danger, refused }) => ({
    text: `${danger ? '! ' : '  '}${text}${note ? `  ${note}` : ''}${refused ? `  ${refused}` : ''}`,
    style: refused ? ('dim' as const) : danger ? ('warning' as const) : undefined,
  }));
  return panelLines(state, overlay.title, lines, overlay.picked, render);
}

type PanelLine = { text: string; style: 'dim' | 'warning' | undefined };

function panelLines(
  state: State,
  title: string,
  lines: readonly PanelLine[],
  picked: number,
  render: RenderContext,
): string[] {
  const { measure, paint } = render;
  const { columns } = state.size;
  const height = Math.max(1, Math.min(lines.length, 12, bodyRows(state) - 1));
  const at = Math.min(picked, Math.max(0, lines.length - 1));
  const start = Math.max(0, Math.min(at - Math.floor(height / 2), lines.length - height));
  const shown = lines.slice(start, start + height).map(({ text, style }, index) => {
    const isSelected = start + index === at;
    const line = measure.fit(` ${isSelected ? '>' : ' '} ${text}`, columns);
    return isSelected ? paint('inverse', line) : style ? paint(style, line) : line;
  });
  const rule = title === '' ? '' : ` ${cleanLine(title)} `;
  const edge = measure.cut(`──${rule}${'─'.repeat(Math.max(0, columns - 2 - measure.width(rule)))}`, columns);
  return bodyRows(state) > 1 ? [paint('dim', edge), ...shown] : shown;
}
