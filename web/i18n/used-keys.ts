// Which words a module names, read from its text: what the build gives each page its words by.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A quoted key, the quoted beginning of keys (`'ui.unit-${size}'` in a template), or all keys of a kind (`'why.*'` in a comment). */
const keyPattern = /(?<=['"`])([a-z][\w-]*\.[\w.-]*)(?=(['"`])|(\$\{|\*))/g;
/** A quoted name, such as that of a field. */
const quotedNamePattern = /(?<=['"`])\w+(?=['"`])/g;
const serverImportPattern = /from\s*['"](\.[^'"]+\.server\.ts)['"]/g;

/** Keys with the endings of their forms, so that a key stands for the sentences of any number. */
const pluralSuffixes = ['', '_one', '_other'];

/** The keys of `known` that the text names. */
export function keysIn(text: string, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [, key = '', end] of text.matchAll(keyPattern)) {
    // Labels are found by the names of their fields.
    if (key === 'label.') continue;
    const keys = end
      ? pluralSuffixes.map((form) => key + form).filter((one) => known.has(one))
      : [...known].filter((one) => one.startsWith(key));
    for (const one of keys) found.add(one);
  }
  return found;
}

/** The labels of fields that the text names. */
export function labelsIn(text: string, known: ReadonlySet<string>): Set<string> {
  const labels = [...text.matchAll(quotedNamePattern)].map(([name]) => `label.${name}`);
  return new Set(labels.filter((label) => known.has(label)));
}

/** The text of a module and of its parts on the server: their words reach the page as data. */
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
