// Computes the translation keys of the base bundle and the namespaces each module loads on top.
import { homeColumns } from '../app/home/home-columns.ts';
import { baseRoutes, bundleRoutes } from './base-bundle.ts';
import type * as HomeChoices from './home-choices.ts';
import type { Namespaces } from './load-namespaces.ts';
import { loadSources } from './load-sources.ts';
import { keysIn, sourceWithServerModules } from './used-keys.ts';

export interface NamespaceUsage {
  /** Keys in the base bundle. */
  baseKeys: ReadonlySet<string>;
  /** Modules in the base bundle. */
  baseFiles: ReadonlySet<string>;
  /** Returns the namespaces of the keys that a module names beyond the base bundle. */
  namespacesOf(file: string): string[];
}

/** A module that uses the translator, or shows values, may render fields and choices that only the data names. */
const rendersData = /\b(?:useTranslation|ShortValue|StatusBadge|MiniTable)\b|`(?:label|value)\.\$/;

/** Takes the translations of any language, since all have the same keys. */
export async function namespaceUsage(namespaces: Namespaces): Promise<NamespaceUsage> {
  const namespaceByKey = new Map(
    Object.entries(namespaces).flatMap(([namespace, translations]) =>
      Object.keys(translations).map((key) => [key, namespace] as const),
    ),
  );
  const known = new Set(namespaceByKey.keys());
  const { files } = await bundleRoutes(baseRoutes, { core: true });
  const { homeChoices } = await loadSources<typeof HomeChoices>("export * from './home-choices.ts';");
  // Labels of the fields and choices that the lists of the base bundle show.
  const baseKeys = new Set([
    ...homeChoices.map((choice) => `value.${choice}`).filter((key) => known.has(key)),
    ...Object.values(homeColumns).flatMap((names) => names.map((name) => `label.${name}`)),
  ]);
  for (const file of files) {
    for (const key of keysIn(sourceWithServerModules(file), known)) baseKeys.add(key);
  }
  return {
    baseKeys,
    baseFiles: new Set(files),
    namespacesOf(file) {
      const text = sourceWithServerModules(file);
      const wanted = [...keysIn(text, known)].filter((key) => !baseKeys.has(key));
      const labels = rendersData.test(text) ? ['label'] : [];
      return [...new Set([...labels, ...wanted.map((key) => namespaceByKey.get(key)!)])].sort();
    },
  };
}
