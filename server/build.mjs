// Bundles the server: our own code in one file, packages as they are, the threads and the engine's template beside it.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  plugins: [
    {
      // Workspace packages are sources and go into the bundle; everything installed stays where it is.
      name: 'own-packages',
      setup(setup) {
        setup.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
          if (kind === 'entry-point') return undefined;
          const own = /^@yagura\/(\w+)\/(.+)$/.exec(path);
          return own ? { path: resolve('..', own[1], 'src', `${own[2]}.ts`) } : { path, external: true };
        });
      },
    },
  ],
  logLevel: 'warning',
};
await build({
  ...common,
  entryPoints: { main: 'src/main.ts', jobs: 'src/hosting/thread-jobs.ts' },
  outdir: 'dist',
});
await build({
  ...common,
  entryPoints: ['src/receiver/receiver-worker.ts'],
  outfile: 'dist/receiver-worker.mjs',
});
await build({
  ...common,
  entryPoints: ['src/pigeon/sip-line/sip-worker.ts'],
  outfile: 'dist/sip-worker.mjs',
});
await build({
  ...common,
  entryPoints: ['src/pigeon/mock-phone/phone-worker.ts'],
  outfile: 'dist/phone-worker.mjs',
});
copyFileSync('src/db/pglite/engine-worker.mjs', 'dist/engine-worker.mjs');
const { cachedTemplateFile, templateName } = await importSource('src/db/pglite/template.ts');
const { ensureTemplate } = await importSource('src/db/pglite/build-template.ts');
const { migrations } = await importSource('src/db/migrations/all.ts');
copyFileSync(await ensureTemplate(cachedTemplateFile(migrations), migrations), `dist/${templateName}`);

async function importSource(file) {
  const { tsImport } = await import('tsx/esm/api');
  return tsImport(`./${file}`, import.meta.url);
}
