// Bundles the commands: a tiny entry that answers --version alone, and chunks that load when a command wants them.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyLicences } from '../tools/third-party-licences.mjs';
import { mergeChunks } from './merge-chunks.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Evaluates the catalogue of resources and the dictionaries now: no command loads the schemas that the one is derived from, and
 * JSON is read faster than code.
 */
const frozen = {
  name: 'frozen',
  setup(bundler) {
    const evaluated = async (path) => {
      const { outputFiles, metafile } = await build({
        entryPoints: [path],
        bundle: true,
        write: false,
        metafile: true,
        absWorkingDir: here('.'),
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
      });
      const code = Buffer.from(outputFiles[0].contents).toString('base64');
      const values = await import(`data:text/javascript;base64,${code}`);
      return {
        contents: Object.entries(values)
          .map(
            ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
          )
          .join('\n'),
        loader: 'js',
        watchFiles: Object.keys(metafile.inputs).map((input) => here(input)),
      };
    };
    bundler.onLoad({ filter: /meta[\\/]resources\.ts$/ }, ({ path }) => evaluated(path));
    bundler.onLoad({ filter: /i18n[\\/](en|ja)[\\/]all\.ts$/ }, ({ path }) => evaluated(path));
  },
};

/** Commander could run programs of other files, which no command of ours is; what it would do that with takes a while to load. */
const noPrograms = {
  name: 'no-programs',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /commander/.test(importer) ? { path: 'programs', namespace: 'programs' } : null,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Ink asks for React's developer tools, which are no part of a shipped command. */
const noDeveloperTools = {
  name: 'no-developer-tools',
  setup(bundler) {
    bundler.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'none', namespace: 'none' }));
    bundler.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents: 'export default { initialize() {}, connectToDevTools() {} };',
    }));
  },
};

/** jq looks for its WebAssembly beside itself, so both stay files of their own. */
const jqBeside = {
  name: 'jq-beside',
  setup(bundler) {
    bundler.onResolve({ filter: /^jq-web$/ }, () => ({ path: '../jq/jq.cjs', external: true }));
  },
};

await rm(here('dist'), { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [here('src/main.ts')],
  metafile: true,
  absWorkingDir: here('.'),
  outdir: here('dist'),
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: !process.env.PLAIN,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  banner: {
    js: "import{createRequire as yaguraRequire}from'node:module';const require=yaguraRequire(import.meta.url);",
  },
  plugins: [frozen, noPrograms, noDeveloperTools, jqBeside],
  logLevel: 'warning',
});
const outputs = Object.entries(metafile.outputs);
const chunkOf = (entry) => here(outputs.find(([, { entryPoint }]) => entryPoint === entry)[0]);
await mergeChunks(chunkOf('src/run.ts'), chunkOf('src/main.ts'));
const jq = dirname(createRequire(import.meta.url).resolve('jq-web'));
await mkdir(here('dist/jq'));
for (const [from, to] of [
  ['jq.js', 'jq.cjs'],
  ['jq.wasm', 'jq.wasm'],
  ['LICENSE', 'LICENSE'],
]) {
  await copyFile(join(jq, from), here(`dist/jq/${to}`));
}
await writeFile(
  here('dist/third-party.txt'),
  await thirdPartyLicences(here('.'), Object.keys(metafile.inputs)),
);
