// A line that something is typed on.
import { cleanLine } from '../../terminal/clean.ts';
import type { TextInput } from '../form/text-input.ts';
import { type RenderContext, spaceBetween } from './render-context.ts';

export interface PromptLine {
  line: string;
  /** Where the cursor stands, when something is typed. */
  column?: number;
}

/** What is typed, its end in view; the question in front of it gives way on a narrow screen. */
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
