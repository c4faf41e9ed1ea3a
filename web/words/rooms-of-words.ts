// Says which words come with every page and which rooms of words a module needs beyond them.
import { readFileSync } from 'node:fs';
import type { Namespaces } from './dictionaries.ts';
import { bundleOf, firstRoutes } from './first-page.ts';
import { keysIn, labelsIn, textWithServerParts } from './named-words.ts';

export interface NamespaceUsage {
  /** Keys that come with every page. */
  first: ReadonlySet<string>;
  /** The modules that come with every page. */
  firstFiles: ReadonlySet<string>;
  /** Names of the rooms that hold what a module names and not every page has. */
  roomsOf(file: string): string[];
}

/** `rooms` are those of any language: all have the same keys. */
export async function namespaceUsage(rooms: Namespaces): Promise<NamespaceUsage> {
  const roomByKey = new Map(
    Object.entries(rooms).flatMap(([room, words]) => Object.keys(words).map((key) => [key, room] as const)),
  );
  const known = new Set(roomByKey.keys());
  // Choices come with any data. Labels of fields are those that the first page's own code names.
  const { files } = await bundleOf(firstRoutes, true);
  const first = new Set([...known].filter((key) => key.startsWith('value.')));
  for (const file of files) {
    for (const key of keysIn(textWithServerParts(file), known)) first.add(key);
    for (const key of labelsIn(readFileSync(file, 'utf8'), known)) first.add(key);
  }
  return {
    first,
    firstFiles: new Set(files),
    roomsOf(file) {
      const text = textWithServerParts(file);
      const wanted = [...keysIn(text, known)].filter((key) => !first.has(key));
      // What draws in words may draw fields that only the data name.
      const labels = /\buseWords\b|`label\.\$/.test(text) ? ['label'] : [];
      return [...new Set([...labels, ...wanted.map((key) => roomByKey.get(key)!)])].sort();
    },
  };
}
