// List-valued text fields: several items separated by a delimiter.
import { checkListSize } from './list-size.ts';
import { checkPattern } from './pattern.ts';
import { checkTextLength } from './text-length.ts';
import type { Violation } from './violation.ts';

export const defaultDelimiter = ',';

/**
 * Limits of a list-valued field: number of items, length of each item in characters, RE2 pattern of each
 * item.
 */
export interface ListTextLimits {
  minSize?: number;
  maxSize?: number;
  minItemLength?: number;
  maxItemLength?: number;
  pattern?: string;
}

/** Splits typed text into trimmed items; blank items are kept while the field is being edited. */
export function splitListText(text: string, delimiter = defaultDelimiter): string[] {
  if (text === '') return [];
  return text.split(delimiter).map((item) => item.trim());
}

/** Joins a list to text. An item that contains the delimiter is later split into several. */
export function joinListText(items: readonly string[], delimiter = defaultDelimiter): string {
  return items.join(delimiter);
}

/** Removes blank items, on leaving the field. */
export function dropBlankItems(items: readonly string[]): string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Appends pasted text, split at the delimiter and at line breaks; removes blank items and duplicates. */
export function mergePasted(
  items: readonly string[],
  pasted: string,
  delimiter = defaultDelimiter,
): string[] {
  const added = pasted.split(/\r\n|\r|\n/).flatMap((line) => splitListText(line, delimiter));
  return [...new Set(dropBlankItems([...items, ...added]))];
}

/** Errors of the whole list and of each item (same order; undefined if valid). Throws PatternError. */
export function validateListText(
  items: readonly string[],
  limits: ListTextLimits,
): { list: Violation | undefined; items: (Violation | undefined)[] } {
  return {
    list: checkListSize(items, { min: limits.minSize, max: limits.maxSize }),
    items: items.map((item) => checkItem(item, limits)),
  };
}

function checkItem(item: string, limits: ListTextLimits): Violation | undefined {
  return (
    checkTextLength(item, { min: limits.minItemLength, max: limits.maxItemLength }) ??
    (limits.pattern === undefined ? undefined : checkPattern(item, limits.pattern))
  );
}
