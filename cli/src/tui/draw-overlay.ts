// What lies over a view: the table of keys, results one by one, and panels that rise from the bottom.
import { cleanLine } from '../term/clean.ts';
import type { RenderContext } from './brush.ts';
import { candidatesFor, commandWords } from './command-bar.ts';
import { actionsIn } from './deeds.ts';
import { type KeyEntry, keysIn } from './keys.ts';
import { menuShown } from './press-overlay.ts';
import { roomOf } from './press-view.ts';
import { bodyRows, type Overlay, type State, topView } from './state.ts';
import type { AppContext } from './world.ts';

type Of<K extends Overlay['kind']> = Extract<Overlay, { kind: K }>;

/** The whole body of the help, from the one table of keys. */
export function drawHelp(state: State, overlay: Of<'help'>, render: RenderContext): string[] {
  const { t } = render.presenter;
  const entries = keysIn(roomOf(topView(state)));
  const names = entries.map(({ keys }) => keys.map((key) => keyName(key, t)).join(' '));
  const width = Math.max(...names.map(render.measure.width));
  const lines = entries.map((entry, index) =>
    helpLine(entry, render.measure.fit(names[index]!, width), state, render),
  );
  const title = render.paint('bold', render.measure.fit(` ${t('tui.help')}`, state.size.columns));
  return [title, ...lines].slice(overlay.top, overlay.top + bodyRows(state));
}

function helpLine({ word, danger }: KeyEntry, keys: string, state: State, render: RenderContext): string {
  const { t } = render.presenter;
  const text = `${danger ? '!' : ' '} ${keys}  ${t(word)}${danger ? ` ${t('tui.danger')}` : ''}`;
  const line = render.measure.fit(text, state.size.columns);
  return danger ? render.paint('warning', line) : line;
}

/** A key as people write it. */
export function keyName(key: string, t: RenderContext['presenter']['t']): string {
  const word = t(`tui.keyname.${key}`);
  if (word !== `tui.keyname.${key}`) return word;
  return key.startsWith('ctrl-') ? `Ctrl-${key.slice(5).toUpperCase()}` : key;
}

export function drawResults(
  state: State,
  overlay: Of<'results'>,
  { measure, paint }: RenderContext,
): string[] {
  const lines = overlay.lines.map(({ text, style }) =>
    paint(style, measure.fit(` ${style === 'danger' ? '!' : ' '} ${cleanLine(text)}`, state.size.columns)),
  );
  const title = paint('bold', measure.fit(` ${overlay.title}`, state.size.columns));
  return [title, ...lines].slice(overlay.top, overlay.top + bodyRows(state));
}

/** The panel of the command line or of a menu; the line that is picked is in it. */
export function drawPanel(
  state: State,
  context: AppContext,
  overlay: Overlay,
  render: RenderContext,
): string[] {
  if (overlay.kind === 'command') {
    const found = candidatesFor(
      overlay.input.text,
      commandWords(context, actionsIn(context, topView(state))),
    );
    const width = Math.max(0, ...found.map(({ word }) => word.length));
    const lines = found.map(({ word, note }) => ({
      text: `${word.padEnd(width)}  ${note}`,
      style: undefined,
    }));
    return panel(state, '', lines, overlay.picked, render);
  }
  if (overlay.kind !== 'menu') return [];
  const shown = menuShown(overlay);
  const lines = shown.map(({ text, note, danger, refused }) => ({
    text: `${danger ? '! ' : '  '}${text}${note ? `  ${note}` : ''}${refused ? `  ${refused}` : ''}`,
    style: refused ? ('dim' as const) : danger ? ('warning' as const) : undefined,
  }));
  return panel(state, overlay.title, lines, overlay.picked, render);
}

type PanelLine = { text: string; style: 'dim' | 'warning' | undefined };

function panel(
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
    const chosen = start + index === at;
    const line = measure.fit(` ${chosen ? '>' : ' '} ${text}`, columns);
    return chosen ? paint('inverse', line) : style ? paint(style, line) : line;
  });
  const rule = title === '' ? '' : ` ${cleanLine(title)} `;
  const edge = measure.cut(`──${rule}${'─'.repeat(Math.max(0, columns - 2 - measure.width(rule)))}`, columns);
  return bodyRows(state) > 1 ? [paint('dim', edge), ...shown] : shown;
}
