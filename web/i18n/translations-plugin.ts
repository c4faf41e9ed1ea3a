// Vite plugin that splits translations by namespace: the base bundle is loaded with the entry, each namespace
// with the first module that names one of its keys.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { loadNamespaces, type Namespaces } from './load-namespaces.ts';
import { type NamespaceUsage, namespaceUsage } from './namespace-usage.ts';

const webFolder = join(import.meta.dirname, '..');
/** Modules that may name message keys: the console's and core's. */
const sourceFolders = [join(webFolder, 'app'), join(webFolder, '..', 'core', 'src')].map(
  (folder) => `${folder}/`,
);
const runtimeModule = join(webFolder, 'app', 'i18n', 'loaded-translations.ts');
const virtualModuleId = 'virtual:translations';
const baseNamespace = 'first';

export function translationsPlugin(): Plugin {
  let languages: Record<string, Namespaces>;
  let namespaces: NamespaceUsage;
  const ensureLoaded = async () => {
    languages ??= await loadNamespaces();
    namespaces ??= await namespaceUsage(languages.en!);
  };

  /** Returns the translations of one namespace without the keys of the base bundle. */
  function translationsOf(language: string, namespace: string): Record<string, string> {
    const all = Object.entries(languages[language]!);
    const translations = all.flatMap(([name, available]) =>
      namespace === baseNamespace || namespace === name ? Object.entries(available) : [],
    );
    return Object.fromEntries(
      translations.filter(([key]) => namespaces.baseKeys.has(key) === (namespace === baseNamespace)),
    );
  }

  /** Generates the loaders of each namespace in each language. */
  function loadersSource(): string {
    const line = (namespace: string) => {
      const each = Object.keys(languages).map(
        (language) => `${language}:()=>import("${virtualModuleId}/${language}-${namespace}")`,
      );
      return `${JSON.stringify(namespace)}:{${each.join()}}`;
    };
    return `export const namespaces={${[baseNamespace, ...Object.keys(languages.en!)].map(line).join()}}`;
  }

  return {
    name: 'translations',
    buildStart: ensureLoaded,
    resolveId: (id) =>
      id === virtualModuleId || id.startsWith(`${virtualModuleId}/`) ? `\0${id}` : undefined,
    load(id) {
      if (!id.startsWith(`\0${virtualModuleId}`)) return undefined;
      const [, language, namespace] = /\/(\w+)-(\w+)$/.exec(id) ?? [];
      if (!language || !namespace) return loadersSource();
      const text = JSON.stringify(JSON.stringify(translationsOf(language, namespace)));
      return `export const translations=JSON.parse(${text})`;
    },
    async transform(code, id, options) {
      if (options?.ssr || !sourceFolders.some((folder) => id.startsWith(folder)) || !/\.tsx?$/.test(id))
        return undefined;
      if (id.includes('/core/src/i18n/') || namespaces.baseFiles.has(id)) return undefined;
      const wanted = namespaces.namespacesOf(id);
      if (wanted.length === 0) return undefined;
      const names = wanted.map((namespace) => JSON.stringify(namespace)).join();
      return {
        code: `${code}\nimport{requestTranslations}from${JSON.stringify(runtimeModule)};requestTranslations(${names});`,
        map: null,
      };
    },
  };
}
