// Says which words come with every page and which rooms of words a module needs beyond them.
import { readFileSync } from 'node:fs';
import { baseRoutes, bundleRoutes } from './base-bundle.ts';
import type { Namespaces } from './load-namespaces.ts';
import { keysIn, labelsIn, sourceWithServerModules } from './used-keys.ts';

export interface NamespaceUsage {
  /** Keys that come with every page. */
  baseKeys: ReadonlySet<string>;
  /** The modules that come with every page. */
  baseFiles: ReadonlySet<string>;
  /** Names of the rooms that hold what a module names and not every page has. */
  namespacesOf(file: string): string[];
}

/** `rooms` are those of any language: all have the same keys. */
export async function namespaceUsage(namespaces: Namespaces): Promise<NamespaceUsage> {
  const namespaceByKey = new Map(
    Object.entries(namespaces).flatMap(([namespace, translations]) =>
      Object.keys(translations).map((key) => [key, namespace] as const),
    ),
  );
  const known = new Set(namespaceByKey.keys());
  // Choices come with any data. Labels of fields are those that the first page's own code names.
  const { files } = await bundleRoutes(baseRoutes, true);
  const baseKeys = new Set([...known].filter((key) => key.startsWith('value.')));
  for (const file of files) {
    for (const key of keysIn(sourceWithServerModules(file), known)) baseKeys.add(key);
    for (const key of labelsIn(readFileSync(file, 'utf8'), known)) baseKeys.add(key);
  }
  return {
    baseKeys,
    baseFiles: new Set(files),
    namespacesOf(file) {
      const text = sourceWithServerModules(file);
      const wanted = [...keysIn(text, known)].filter((key) => !baseKeys.has(key));
      // What draws in words may draw fields that only the data name.
      const labels = /\buseTranslation\b|`label\.\$/.test(text) ? ['label'] : [];
      return [...new Set([...labels, ...wanted.map((key) => namespaceByKey.get(key)!)])].sort();
    },
  };
}
