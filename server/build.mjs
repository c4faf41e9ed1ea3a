// Bundles the server with the packages it uses, which halves the time of a start; threads, and the engine's template, beside it.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { commonjsBanner, packagesWithFiles } from '../tools/bundling/bundle-options.mjs';
import { cacheRouteMatching, routerModulePattern } from '../tools/bundling/route-matching.mjs';
import { thirdPartyLicences } from '../tools/third-party-licences.mjs';

/** Workspace packages are sources. */
const ownPackages = {
  name: 'own-packages',
  setup(setup) {
    setup.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const own = /^@yagura\/(\w+)\/(.+)$/.exec(path);
      if (own) return { path: resolve('..', own[1], 'src', `${own[2]}.ts`) };
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(path);
      return packagesWithFiles.includes(name) ? { path, external: true } : undefined;
    });
  },
};

const cachedRouteMatching = {
  name: 'cached-route-matching',
  setup(setup) {
    setup.onLoad({ filter: routerModulePattern }, async ({ path }) => ({
      contents: cacheRouteMatching(await readFile(path, 'utf8')),
    }));
  },
};

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
const inputs = new Set();
await bundle({ main: 'src/main.ts', jobs: 'src/hosting/thread-jobs.ts' }, { splitting: true });
for (const [name, file] of [
  ['receiver-worker', 'src/receiver/receiver-worker.ts'],
  ['sip-worker', 'src/pigeon/sip-line/sip-worker.ts'],
  ['phone-worker', 'src/pigeon/mock-phone/phone-worker.ts'],
]) {
  await bundle({ [name]: file }, { outExtension: { '.js': '.mjs' } });
}
await writeFile('dist/third-party.txt', await thirdPartyLicences('.', [...inputs]));
copyFileSync('src/db/pglite/engine-worker.mjs', 'dist/engine-worker.mjs');
const { cachedTemplateFile, templateName } = await importSource('src/db/pglite/template.ts');
const { ensureTemplate } = await importSource('src/db/pglite/build-template.ts');
const { migrations } = await importSource('src/db/migrations/all.ts');
copyFileSync(await ensureTemplate(cachedTemplateFile(migrations), migrations), `dist/${templateName}`);

async function bundle(entryPoints, options) {
  const { metafile } = await build({
    ...options,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    banner: commonjsBanner,
    plugins: [ownPackages, cachedRouteMatching],
    logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
}

async function importSource(file) {
  const { tsImport } = await import('tsx/esm/api');
  return tsImport(`./${file}`, import.meta.url);
}
