import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { translationsPlugin } from './i18n/translations-plugin.ts';

/**
 * Modules that every page loads; bundled into one chunk each for app code and packages, because small files
 * compress badly.
 */
const baseModulePattern = /\/app\/(entry\.client|root|shell\/layout\/default-layout|home\/home)\.tsx$/;

/** Puts the modules of every page in one chunk and their packages in another. */
function baseChunks(): Rollup.GetManualChunk {
  let shared: Set<string> | undefined;
  return (id, { getModuleIds, getModuleInfo }) => {
    shared ??= reachableModules(
      [...getModuleIds()].filter((module) => baseModulePattern.test(module)),
      getModuleInfo,
    );
    if (!shared.has(id)) return undefined;
    return id.includes('/node_modules/') ? 'framework' : 'shell';
  };
}

/** Returns the modules and their transitive static imports. */
function reachableModules(modules: string[], infoOf: Rollup.GetModuleInfo): Set<string> {
  const found = new Set(modules);
  for (const id of found) for (const imported of infoOf(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Emits the service worker with a build hash, from which browsers detect a newer version. */
function serviceWorkerPlugin(): Plugin {
  return {
    name: 'service-worker',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle(_options, bundle) {
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 16);
      const source = readFileSync(new URL('app/service-worker.js', import.meta.url), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: source.replace('__BUILD__', build),
      });
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    serviceWorkerPlugin(),
    translationsPlugin(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
        unstable_optimizeDeps: true,
      },
    }),
  ],
  // The built server runs without node_modules, and always with the production build of React.
  ssr: command === 'build' ? { noExternal: true } : {},
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    target: 'es2022',
    ...(isSsrBuild ? {} : { rollupOptions: { output: { manualChunks: baseChunks() } } }),
  },
}));
