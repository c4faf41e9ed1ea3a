// A line that something is typed on.
import { cleanLine } from '../term/clean.ts';
import { ends, type RenderContext } from './brush.ts';
import type { Input } from './text-input.ts';

export interface Status {
  line: string;
  /** Where the cursor stands, when something is typed. */
  column?: number;
}

/** What is typed, its end in view; the question in front of it gives way on a narrow screen. */
export function prompt(
  front: string,
  input: Input,
  right: string,
  columns: number,
  render: RenderContext,
  style: 'bold' | 'danger' = 'bold',
): Status {
  const { measure } = render;
  const kept = measure.cut(front, Math.max(2, columns - 10));
  const room = Math.max(1, columns - measure.width(kept) - 1);
  const text = cleanLine(input.text);
  const before = text.slice(0, input.at);
  let from = 0;
  while (from < before.length && measure.width(before.slice(from)) > room) from += 1;
  const shown = measure.cut(text.slice(from), room + 1);
  const column = Math.min(columns - 1, measure.width(kept) + measure.width(before.slice(from)));
  return { line: ends(`${kept}${shown}`, right, columns, render, { left: style, right: 'dim' }), column };
}
