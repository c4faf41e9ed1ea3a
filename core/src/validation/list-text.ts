// List-valued text: one field of text that holds several items behind a delimiter (spec section 5).
import { checkListSize } from './list-size.ts';
import { checkPattern } from './pattern.ts';
import { checkTextLength } from './text-length.ts';
import type { Violation } from './violation.ts';

export const defaultDelimiter = ',';

/** Limits of a list-valued field: number of items, characters of each item, RE2 pattern of each item. */
export interface ListTextLimits {
  minSize?: number;
  maxSize?: number;
  minItemLength?: number;
  maxItemLength?: number;
  pattern?: string;
}

/** Splits typed text into trimmed items; blank ones stay while the field is edited. */
export function splitListText(text: string, delimiter = defaultDelimiter): string[] {
  if (text === '') return [];
  return text.split(delimiter).map((item) => item.trim());
}

/** The text of a list. An item that holds the delimiter comes back as several. */
export function joinListText(items: readonly string[], delimiter = defaultDelimiter): string {
  return items.join(delimiter);
}

/** The items without blank ones, as on leaving the field. */
export function dropBlankItems(items: readonly string[]): string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Adds pasted text behind the items, splitting at the delimiter and at line ends; drops blank items and keeps the first of equal ones. */
export function mergePasted(
  items: readonly string[],
  pasted: string,
  delimiter = defaultDelimiter,
): string[] {
  const added = pasted.split(/\r\n|\r|\n/).flatMap((line) => splitListText(line, delimiter));
  return [...new Set(dropBlankItems([...items, ...added]))];
}

/** What is wrong: with the list as a whole, and with each item (same order; undefined where it is right). Throws PatternError. */
export function checkListText(
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
