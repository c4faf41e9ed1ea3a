// A form on the whole body: labels, texts, what is wrong with them, and the line that is filled in with its cursor.
import { labelOf } from '../resource/present.ts';
import { cleanLine } from '../term/clean.ts';
import type { RenderContext } from './brush.ts';
import { windowStart } from './brush.ts';
import { noteOf } from './document.ts';
import { type FormLine, optionsOf } from './form.ts';
import { type FormOverlay, isTyped, linesOfForm } from './press-form.ts';
import { prompt } from './prompt.ts';
import type { CursorPosition } from './screen.ts';
import { bodyRows, type State } from './state.ts';

interface Drawn {
  /** Number of the field. */
  at: number;
  line: string;
  column?: number;
}

export function drawForm(
  state: State,
  overlay: FormOverlay,
  render: RenderContext,
): { lines: string[]; cursor?: CursorPosition } {
  const { t } = render.presenter;
  const { measure, paint } = render;
  const { columns } = state.size;
  const lines = linesOfForm(overlay);
  const labels = lines.map((line) => labelText(line, t));
  const width = Math.min(Math.max(0, ...labels.map(measure.width)), Math.floor(columns / 3));
  const drawn = lines.flatMap((line, at): Drawn[] => {
    const label = measure.fit(labels[at]!, width);
    const own = fieldLine(line, label, at === overlay.at, overlay, columns, render);
    const wrong = overlay.mistakes.filter(
      ({ path }) => path === line.path || path.startsWith(`${line.path}.`),
    );
    return [
      { at, ...own },
      ...wrong.map(({ reason }) => ({
        at,
        line: paint('danger', measure.fit(`  ! ${cleanLine(reason)}`, columns)),
      })),
    ];
  });
  const send = `[ ${t(overlay.sending ? 'tui.form.sending' : 'tui.form.send')} ]`;
  const last = overlay.at === lines.length;
  const button = measure.fit(`${last ? '>' : ' '} ${send}`, columns);
  drawn.push({ at: lines.length, line: last ? paint('inverse', button) : button });
  // What belongs to no field of the form stands above the button.
  const known = lines.map(({ path }) => path);
  const loose = overlay.mistakes.filter(
    ({ path }) => !known.some((one) => path === one || path.startsWith(`${one}.`)),
  );
  for (const { path, reason } of loose) {
    const text = `  ! ${path ? `${labelOf(path.split('.').at(-1)!, t)}: ` : ''}${cleanLine(reason)}`;
    drawn.splice(-1, 0, { at: lines.length, line: paint('danger', measure.fit(text, columns)) });
  }
  const height = bodyRows(state);
  const here = drawn.findIndex(({ at }) => at === overlay.at);
  const start = windowStart(here, height, drawn.length);
  const shown = drawn.slice(start, start + height);
  const row = here - start;
  const column = shown[row]?.column;
  return {
    lines: shown.map(({ line }) => line),
    ...(column === undefined ? {} : { cursor: { column, row } }),
  };
}

/** The name of the field, and a star where it has to be filled in. */
function labelText({ name, meta, depth }: FormLine, t: RenderContext['presenter']['t']): string {
  return `${'  '.repeat(depth)}${cleanLine(labelOf(name, t))}${meta.required ? ' *' : ''}`;
}

function fieldLine(
  line: FormLine,
  label: string,
  here: boolean,
  overlay: FormOverlay,
  columns: number,
  render: RenderContext,
): { line: string; column?: number } {
  const { measure, paint, presenter } = render;
  const front = `${here ? '>' : ' '} ${label}  `;
  const secret = line.meta.kind === 'secret';
  if (here && isTyped(line)) {
    const input = secret
      ? { text: '•'.repeat(overlay.input.text.length), at: overlay.input.at }
      : overlay.input;
    return prompt(front, input, '', columns, render);
  }
  const text = secret ? '•'.repeat(line.text.length) : shownText(line, presenter.t);
  const whole = optionsOf(line.meta) && here ? `‹ ${text} ›` : text;
  const fitted = measure.fit(`${front}${cleanLine(whole)}`, columns);
  return { line: here ? paint('inverse', fitted) : fitted };
}

function shownText({ text, meta }: FormLine, t: RenderContext['presenter']['t']): string {
  if (!optionsOf(meta)) return text;
  if (text === '') return t('tui.form.none');
  const word = t(`value.${text}`);
  return word === `value.${text}` ? text : word;
}

/** What the field under the cursor takes, for the line at the bottom. */
export function formNote(overlay: FormOverlay, t: RenderContext['presenter']['t']): string {
  if (overlay.leaving) return t('tui.form.leave');
  const line = linesOfForm(overlay)[overlay.at];
  if (!line) return t('tui.form.permission', { permission: overlay.action.permission });
  const long = !optionsOf(line.meta) && !isTyped(line) ? ` ${t('tui.form.long')}` : '';
  return `${noteOf(line.meta, t)}${long}`;
}
