// Renders a line of text input.
import { cleanLine } from '../../terminal/clean.ts';
import type { TextInput } from '../form/text-input.ts';
import { type RenderContext, spaceBetween } from './render-context.ts';

export interface PromptLine {
  line: string;
  /** Column of the text cursor, when text is being typed. */
  column?: number;
}

/** Keeps the end of the input visible; on a narrow screen the prompt in front is cut. */
export function renderPrompt(
  label: string,
  input: TextInput,
  right: string,
  columns: number,
  render: RenderContext,
  style: 'bold' | 'danger' = 'bold',
): PromptLine {
  const { measure } = render;
  const shownLabel = measure.cut(label, Math.max(2, columns - 10));
  const maxWidth = Math.max(1, columns - measure.width(shownLabel) - 1);
  const text = cleanLine(input.text);
  const before = text.slice(0, input.at);
  let from = 0;
  while (from < before.length && measure.width(before.slice(from)) > maxWidth) from += 1;
  const shown = measure.cut(text.slice(from), maxWidth + 1);
  const column = Math.min(columns - 1, measure.width(shownLabel) + measure.width(before.slice(from)));
  return {
    line: spaceBetween(`${shownLabel}${shown}`, right, columns, render, { left: style, right: 'dim' }),
    column,
  };
}
