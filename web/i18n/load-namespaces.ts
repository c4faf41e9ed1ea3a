// Loads the console's translations for the build, which cannot import TypeScript sources directly.
import { join } from 'node:path';
import type { Language } from '@yagura/core/i18n/language';
import { build } from 'esbuild';

/** Translations of a language by namespace; a namespace is one of core's translation files. */
export type Namespaces = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function loadNamespaces(): Promise<Record<Language, Namespaces>> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { en } from './en.ts'; export { ja } from './ja.ts';",
      resolveDir: join(import.meta.dirname, '..', 'app', 'i18n'),
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  const script = Buffer.from(outputFiles[0]!.contents).toString('base64');
  const { en, ja } = await import(`data:text/javascript;base64,${script}`);
  return { en, ja };
}
