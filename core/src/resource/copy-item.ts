// Copies an item as the input of a new one; derived from the descriptor.
import type { Verb } from './define-resource.ts';
import type { FieldMeta } from './field.ts';

/** Whether users create, read and edit items of a resource, so that a copy of one is a useful start. */
export function isCopyable(verbs: readonly Verb[]): boolean {
  return (['create', 'show', 'edit'] as const).every((verb) => verbs.includes(verb));
}

/**
 * The input values of an item for a new one. Secrets are not part of an item and have to be entered again. The
 * title is marked as a copy within its maximum length, because most titles are unique.
 */
export function copyItem(
  fields: Readonly<Record<string, FieldMeta>>,
  item: Readonly<Record<string, unknown>>,
  title: string,
  nameCopy: (name: string) => string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = item[name];
    if (value === undefined || field.kind === 'secret') continue;
    values[name] =
      name === title && field.kind === 'text' && typeof value === 'string' && value !== ''
        ? nameWithin(value, field.max ?? Number.POSITIVE_INFINITY, nameCopy)
        : value;
  }
  return values;
}

/** Shortens the name, not the mark of the copy. */
function nameWithin(name: string, max: number, nameCopy: (name: string) => string): string {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  for (let kept = characters.length; kept > 0; kept -= 1) {
    const made = nameCopy(characters.slice(0, kept).join('').trimEnd());
    if ([...new Intl.Segmenter().segment(made)].length <= max) return made;
  }
  return name;
}
