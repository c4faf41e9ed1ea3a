// Finds the message keys that a module names in its source text; the build assigns translations to pages by
// them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A quoted key, a quoted key prefix (`'ui.unit-${size}'` in a template), or a wildcard (`'why.*'` in a
 * comment).
 */
const keyPattern = /(?<=['"`])([a-z][\w-]*\.[\w.-]*)(?=(['"`])|(\$\{|\*))/g;
const serverImportPattern = /from\s*['"](\.[^'"]+\.server\.ts)['"]/g;

/** Plural suffixes, so that a key matches all of its plural forms. */
const pluralSuffixes = ['', '_one', '_other'];

/** Returns the keys in `known` that the text names. */
export function keysIn(text: string, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [, key = '', end] of text.matchAll(keyPattern)) {
    // Labels are found by the names of fields, and by those of choices.
    if (key === 'label.' || key === 'value.') continue;
    const keys = end
      ? pluralSuffixes.map((form) => key + form).filter((one) => known.has(one))
      : [...known].filter((one) => one.startsWith(key));
    for (const one of keys) found.add(one);
  }
  return found;
}

/** Returns the text of a module and its server modules, whose translations reach the page as data. */
export function sourceWithServerModules(file: string): string {
  const files = new Set([file]);
  let text = '';
  for (const one of files) {
    const part = readFileSync(one, 'utf8');
    text += part;
    for (const [, path] of part.matchAll(serverImportPattern)) files.add(join(dirname(one), path!));
  }
  return text;
}
