// What the keys do in a form: walk its fields, change them, send it, or leave it.
import { requested } from './deeds.ts';
import { type FormLine, formLines, optionsOf } from './form.ts';
import type { Overlay, State } from './state.ts';
import { inputOf, typeKey } from './text-input.ts';

export type FormOverlay = Extract<Overlay, { kind: 'form' }>;

/** Longer texts are for the editor. */
const maxTypedLength = 500;

/** The lines as they are now; the one behind the last is the button that sends. */
export function linesOfForm({ meta, texts }: FormOverlay): FormLine[] {
  return formLines(meta, texts);
}

/** A text that can be typed here; the others are shown, and changed in the editor. */
export function isTyped(line: FormLine | undefined): boolean {
  return line !== undefined && !optionsOf(line.meta) && line.text.length <= maxTypedLength;
}

export function pressForm(state: State, overlay: FormOverlay, key: string): State {
  if (overlay.sending) return state;
  const lines = linesOfForm(overlay);
  const line = lines[overlay.at];
  switch (key) {
    case 'escape':
      // What was typed is not lost by one key.
      if (overlay.changed && !overlay.leaving) return { ...state, overlay: { ...overlay, leaving: true } };
      return { ...state, overlay: undefined };
    case 'ctrl-s':
      return sent(state, overlay);
    case 'ctrl-o': {
      const { resource, action, subject, texts } = overlay;
      return requested({ ...state, overlay: undefined }, { act: 'edit', resource, action, subject, texts });
    }
    case 'enter':
      return line ? onLine(state, overlay, overlay.at + 1) : sent(state, overlay);
    case 'down':
    case 'tab':
    case 'wheel-down':
      return onLine(state, overlay, overlay.at + 1);
    case 'up':
    case 'shift-tab':
    case 'wheel-up':
      return onLine(state, overlay, overlay.at - 1);
    case 'page-down':
      return onLine(state, overlay, lines.length);
    case 'page-up':
      return onLine(state, overlay, 0);
  }
  if (!line) return state;
  const options = optionsOf(line.meta);
  if (options) return turned(state, overlay, line, options, key);
  if (!isTyped(line)) return state;
  const input = typeKey(overlay.input, key);
  if (input === overlay.input) return state;
  return withText({ ...state, overlay: { ...overlay, input } }, line, input.text);
}

function turned(
  state: State,
  overlay: FormOverlay,
  line: FormLine,
  options: readonly string[],
  key: string,
): State {
  const by = key === 'right' || key === 'space' ? 1 : key === 'left' ? -1 : 0;
  const at = options.indexOf(line.text);
  // A letter picks the next choice that begins with it.
  const next =
    by !== 0
      ? options[(at + by + options.length) % options.length]
      : key.length === 1
        ? [...options.slice(at + 1), ...options.slice(0, at + 1)].find((one) => one.startsWith(key))
        : undefined;
  return next === undefined ? state : withText({ ...state, overlay }, line, next);
}

/** The text of a field, its mistake gone; the cursor's own text follows a choice. */
function withText(state: State, line: FormLine, text: string): State {
  const overlay = state.overlay as FormOverlay;
  if (text === line.text) return state;
  const texts = { ...overlay.texts, [line.path]: text };
  const mistakes = overlay.mistakes.filter(({ path }) => path !== line.path);
  return { ...state, overlay: { ...overlay, texts, mistakes, changed: true, leaving: false } };
}

export function onLine(state: State, overlay: FormOverlay, to: number): State {
  const lines = linesOfForm(overlay);
  const at = Math.max(0, Math.min(to, lines.length));
  return { ...state, overlay: { ...overlay, at, input: inputOf(lines[at]?.text ?? ''), leaving: false } };
}

function sent(state: State, overlay: FormOverlay): State {
  const { resource, action, subject, meta, texts, base, etag } = overlay;
  const deed = { act: 'submit', resource, action, subject, meta, texts, base, etag } as const;
  return requested({ ...state, overlay: { ...overlay, sending: true, leaving: false } }, deed);
}
