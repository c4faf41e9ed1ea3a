// Loads TypeScript sources for the build, which cannot import them directly.
import { build } from 'esbuild';

/** Returns the exports of `contents`, whose imports are relative to this folder. */
export async function loadSources<T>(contents: string): Promise<T> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  });
  const script = Buffer.from(outputFiles[0]!.contents).toString('base64');
  return import(`data:text/javascript;base64,${script}`);
}
