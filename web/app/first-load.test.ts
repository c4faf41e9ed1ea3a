// What core adds to the first page that a browser loads: under 60 kB, and neither schemas nor time zones nor the other language.
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

const entries = ['root.tsx', 'shell/default-layout.tsx', 'home/home.tsx', 'resource/list.tsx'];
const folder = new URL('.', import.meta.url).pathname;

/** Leaves out what the browser does not get with the page: server modules, and packages other than core when `core` is set. */
const only = (core: boolean): Plugin => ({
  name: 'first-load',
  setup({ onResolve }) {
    onResolve({ filter: /\.server(\.ts)?$|\.css(\?.*)?$|\?url$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const ofCore =
        path.startsWith('@yagura/core/') || importer.includes('/core/') || importer.includes('node_modules');
      return ofCore && core && kind !== 'dynamic-import' ? undefined : { path, external: true };
    });
  },
});

async function load(core: boolean) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: entries.map((file, at) => `export { default as e${at} } from './${file}';`).join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    jsx: 'automatic',
    write: false,
    metafile: true,
    outfile: 'out.js',
    logLevel: 'silent',
    plugins: [only(core)],
  });
  const inputs = Object.entries(metafile.outputs['out.js']!.inputs).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  return { bytes: gzipSync(outputFiles[0]!.contents).length, inputs: inputs.map(([path]) => path) };
}

test('core adds under 60 kB to the first load, with the words of one language', async () => {
  const [without, whole, words] = await Promise.all([load(false), load(true), wordsOf('ja')]);
  expect(whole.inputs.some((path) => path.includes('core/src/format/'))).toBe(true);
  expect(whole.inputs.filter((path) => /node_modules\/(zod|luxon|re2js|mustache)\//.test(path))).toEqual([]);
  expect(whole.bytes - without.bytes + words).toBeLessThan(60_000);
});

async function wordsOf(language: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@yagura/core/words/${language}/all';`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]!.contents).length;
}
