// Handles keys in a form: move between fields, change them, submit, cancel.

import { type FormField, fieldOptions, formFields } from '../form/form-fields.ts';
import { applyTextKey, createTextInput } from '../form/text-input.ts';
import { requestEffect } from '../state/request-action.ts';
import type { Overlay, State } from '../state/state.ts';

export type FormOverlay = Extract<Overlay, { kind: 'form' }>;

/** Longer texts are edited in the editor. */
const maxTypedLength = 500;

/** The current form lines; the position after the last one is the submit button. */
export function currentFields({ meta, texts }: FormOverlay): FormField[] {
  return formFields(meta, texts);
}

/** Whether the text can be typed here; other values are displayed, and changed in the editor. */
export function isTypable(line: FormField | undefined): boolean {
  return line !== undefined && !fieldOptions(line.meta) && line.text.length <= maxTypedLength;
}

export function handleFormKey(state: State, overlay: FormOverlay, key: string): State {
  if (overlay.submitting) return state;
  const lines = currentFields(overlay);
  const line = lines[overlay.fieldIndex];
  switch (key) {
    case 'escape':
      // A single key does not discard input.
      if (overlay.changed && !overlay.confirmingClose)
        return { ...state, overlay: { ...overlay, confirmingClose: true } };
      return { ...state, overlay: undefined };
    case 'ctrl-s':
      return requestSubmit(state, overlay);
    case 'ctrl-o': {
      const { resource, action, subject, texts } = overlay;
      return requestEffect(
        { ...state, overlay: undefined },
        { act: 'edit', resource, action, subject, texts },
      );
    }
    case 'enter':
      return line ? focusField(state, overlay, overlay.fieldIndex + 1) : requestSubmit(state, overlay);
    case 'down':
    case 'tab':
    case 'wheel-down':
      return focusField(state, overlay, overlay.fieldIndex + 1);
    case 'up':
    case 'shift-tab':
    case 'wheel-up':
      return focusField(state, overlay, overlay.fieldIndex - 1);
    case 'page-down':
      return focusField(state, overlay, lines.length);
    case 'page-up':
      return focusField(state, overlay, 0);
  }
  if (!line) return state;
  const options = fieldOptions(line.meta);
  if (options) return cycleOption(state, overlay, line, options, key);
  if (!isTypable(line)) return state;
  const input = applyTextKey(overlay.input, key);
  if (input === overlay.input) return state;
  return setFieldText({ ...state, overlay: { ...overlay, input } }, line, input.text);
}

function cycleOption(
  state: State,
  overlay: FormOverlay,
  line: FormField,
  options: readonly string[],
  key: string,
): State {
  const by = key === 'right' || key === 'space' ? 1 : key === 'left' ? -1 : 0;
  const at = options.indexOf(line.text);
  // A letter selects the next option that starts with it.
  const next =
    by !== 0
      ? options[(at + by + options.length) % options.length]
      : key.length === 1
        ? [...options.slice(at + 1), ...options.slice(0, at + 1)].find((one) => one.startsWith(key))
        : undefined;
  return next === undefined ? state : setFieldText({ ...state, overlay }, line, next);
}

/** Sets the text of a field and clears its error. */
function setFieldText(state: State, line: FormField, text: string): State {
  const overlay = state.overlay as FormOverlay;
  if (text === line.text) return state;
  const texts = { ...overlay.texts, [line.path]: text };
  const errors = overlay.errors.filter(({ path }) => path !== line.path);
  return { ...state, overlay: { ...overlay, texts, errors, changed: true, confirmingClose: false } };
}

export function focusField(state: State, overlay: FormOverlay, to: number): State {
  const lines = currentFields(overlay);
  const fieldIndex = Math.max(0, Math.min(to, lines.length));
  return {
    ...state,
    overlay: {
      ...overlay,
      fieldIndex,
      input: createTextInput(lines[fieldIndex]?.text ?? ''),
      confirmingClose: false,
    },
  };
}

function requestSubmit(state: State, overlay: FormOverlay): State {
  const { resource, action, subject, meta, texts, base, etag } = overlay;
  const submission = { act: 'submit', resource, action, subject, meta, texts, base, etag } as const;
  return requestEffect(
    { ...state, overlay: { ...overlay, submitting: true, confirmingClose: false } },
    submission,
  );
}
