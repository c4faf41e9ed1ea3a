// Renders a form over the body: labels, values, errors and the edited line with its cursor.
import { dataKey } from '@yagura/core/i18n/message-key';
import { labelOf } from '../../resource/output/present-value.ts';
import { cleanLine } from '../../terminal/clean.ts';
import { fieldHint } from '../form/form-document.ts';
import { type FormField, fieldOptions } from '../form/form-fields.ts';
import { currentFields, type FormOverlay, isTypable } from '../keys/handle-form-key.ts';
import type { CursorPosition } from '../screen/screen.ts';
import { bodyRows, type State } from '../state/state.ts';
import type { RenderContext } from './render-context.ts';
import { windowStart } from './render-context.ts';
import { renderPrompt } from './render-prompt.ts';

interface FormRow {
  /** Index of the field. */
  at: number;
  line: string;
  column?: number;
}

export function renderForm(
  state: State,
  overlay: FormOverlay,
  render: RenderContext,
): { lines: string[]; cursor?: CursorPosition } {
  const { t } = render.presenter;
  const { measure, paint } = render;
  const { columns } = state.size;
  const lines = currentFields(overlay);
  const labels = lines.map((line) => labelText(line, t));
  const width = Math.min(Math.max(0, ...labels.map(measure.width)), Math.floor(columns / 3));
  const rows = lines.flatMap((line, at): FormRow[] => {
    const label = measure.fit(labels[at]!, width);
    const own = fieldLine(line, label, at === overlay.fieldIndex, overlay, columns, render);
    const fieldErrors = overlay.errors.filter(
      ({ path }) => path === line.path || path.startsWith(`${line.path}.`),
    );
    return [
      { at, ...own },
      ...fieldErrors.map(({ reason }) => ({
        at,
        line: paint('danger', measure.fit(`  ! ${cleanLine(reason)}`, columns)),
      })),
    ];
  });
  const send = `[ ${t(overlay.submitting ? 'tui.form.sending' : 'tui.form.send')} ]`;
  const last = overlay.fieldIndex === lines.length;
  const button = measure.fit(`${last ? '>' : ' '} ${send}`, columns);
  rows.push({ at: lines.length, line: last ? paint('inverse', button) : button });
  // Errors without a field in the form appear above the button.
  const known = lines.map(({ path }) => path);
  const unmatchedErrors = overlay.errors.filter(
    ({ path }) => !known.some((one) => path === one || path.startsWith(`${one}.`)),
  );
  for (const { path, reason } of unmatchedErrors) {
    const text = `  ! ${path ? `${labelOf(path.split('.').at(-1)!, t)}: ` : ''}${cleanLine(reason)}`;
    rows.splice(-1, 0, { at: lines.length, line: paint('danger', measure.fit(text, columns)) });
  }
  const height = bodyRows(state);
  const here = rows.findIndex(({ at }) => at === overlay.fieldIndex);
  const start = windowStart(here, height, rows.length);
  const shown = rows.slice(start, start + height);
  const row = here - start;
  const column = shown[row]?.column;
  return {
    lines: shown.map(({ line }) => line),
    ...(column === undefined ? {} : { cursor: { column, row } }),
  };
}

/** Name of the field, with an asterisk when it is required. */
function labelText({ name, meta, depth }: FormField, t: RenderContext['presenter']['t']): string {
  return `${'  '.repeat(depth)}${cleanLine(labelOf(name, t))}${meta.required ? ' *' : ''}`;
}

function fieldLine(
  line: FormField,
  label: string,
  here: boolean,
  overlay: FormOverlay,
  columns: number,
  render: RenderContext,
): { line: string; column?: number } {
  const { measure, paint, presenter } = render;
  const front = `${here ? '>' : ' '} ${label}  `;
  const secret = line.meta.kind === 'secret';
  if (here && isTypable(line)) {
    const input = secret
      ? { text: '•'.repeat(overlay.input.text.length), at: overlay.input.at }
      : overlay.input;
    return renderPrompt(front, input, '', columns, render);
  }
  const text = secret ? '•'.repeat(line.text.length) : displayText(line, presenter.t);
  const whole = fieldOptions(line.meta) && here ? `‹ ${text} ›` : text;
  const fitted = measure.fit(`${front}${cleanLine(whole)}`, columns);
  return { line: here ? paint('inverse', fitted) : fitted };
}

function displayText({ text, meta }: FormField, t: RenderContext['presenter']['t']): string {
  if (!fieldOptions(meta)) return text;
  if (text === '') return t('tui.form.none');
  const word = t(dataKey(`value.${text}`));
  return word === `value.${text}` ? text : word;
}

/** Description of the field under the cursor, for the status line. */
export function formHint(overlay: FormOverlay, t: RenderContext['presenter']['t']): string {
  if (overlay.confirmingClose) return t('tui.form.leave');
  const line = currentFields(overlay)[overlay.fieldIndex];
  if (!line) return t('tui.form.permission', { permission: overlay.action.permission });
  const long = !fieldOptions(line.meta) && !isTypable(line) ? ` ${t('tui.form.long')}` : '';
  return `${fieldHint(line.meta, t, true)}${long}`;
}
