// Bundles the agent into one file; nothing has to be installed beside it.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { thirdPartyLicences } from '../tools/third-party-licences.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** ssh2 uses compiled helpers where they exist; without them, it uses those of Node.js. */
const withoutAddons = {
  name: 'without-addons',
  setup(bundler) {
    const missing = { path: 'missing', namespace: 'missing' };
    bundler.onResolve({ filter: /^cpu-features$|\.node$/ }, () => missing);
    bundler.onLoad({ filter: /.*/, namespace: 'missing' }, () => ({
      contents: "throw new Error('not part of this program');",
      loader: 'js',
    }));
  },
};

await rm(here('dist'), { recursive: true, force: true });
const common = {
  metafile: true,
  absWorkingDir: here('.'),
  bundle: true,
  minify: !process.env.PLAIN,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner: {
    // ssh2 is CommonJS and expects these names.
    js: [
      "import{createRequire as yaguraRequire}from'node:module';",
      "import{fileURLToPath as yaguraPath}from'node:url';",
      'const require=yaguraRequire(import.meta.url);',
      "const __filename=yaguraPath(import.meta.url),__dirname=yaguraPath(new URL('.',import.meta.url));",
    ].join(''),
  },
  plugins: [withoutAddons],
  logLevel: 'warning',
};
const program = await build({
  ...common,
  entryPoints: [here('src/main.ts')],
  outdir: here('dist'),
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
});
// Beside the chunk that starts it.
const thread = await build({
  ...common,
  entryPoints: [here('src/session/recording/recording-worker.ts')],
  outfile: here('dist/chunks/recording-worker.mjs'),
});
const inputs = [program, thread].flatMap(({ metafile }) => Object.keys(metafile.inputs));
await writeFile(here('dist/third-party.txt'), await thirdPartyLicences(here('.'), [...new Set(inputs)]));
