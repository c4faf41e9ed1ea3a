import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { cacheRouteMatching, routerModulePattern } from '../tools/bundling/route-matching.mjs';
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
      const source = readFileSync(new URL('app/shell/offline/service-worker.js', import.meta.url), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: source.replace('__BUILD__', build),
      });
    },
  };
}

const dataUrlPattern = /const (\w+) = "data:application\/wasm;base64,([^"]+)"/;

/**
 * Puts the WebAssembly of the RDP client in a file of its own, which the browser compiles while it arrives, instead of in
 * the script as text; the script exports its address.
 */
function desktopClientPlugin(): Plugin {
  let isBuild = false;
  return {
    name: 'desktop-client',
    configResolved({ command, build }) {
      isBuild = command === 'build' && !build.ssr;
    },
    transform(code, id) {
      if (!/\/iron-remote-desktop-rdp\.js$/.test(id)) return null;
      const [statement, name, base64] = dataUrlPattern.exec(code) ?? [];
      if (!statement || !name || !base64) throw new Error('the RDP client has no WebAssembly as a data URL');
      const exported = `${code}\nexport { ${name} as wasmUrl };\n`;
      // The development server knows no emitted files.
      if (!isBuild) return { code: exported, map: null };
      const source = Buffer.from(base64, 'base64');
      const file = this.emitFile({ type: 'asset', name: 'iron-rdp.wasm', source });
      return {
        code: exported.replace(statement, `const ${name} = import.meta.ROLLUP_FILE_URL_${file}`),
        map: null,
      };
    },
  };
}

/** Caches of the router, on the server and in the browser. */
function routeMatchingPlugin(): Plugin {
  return {
    name: 'route-matching',
    transform(code, id) {
      return routerModulePattern.test(id) ? { code: cacheRouteMatching(code), map: null } : null;
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    serviceWorkerPlugin(),
    desktopClientPlugin(),
    routeMatchingPlugin(),
    translationsPlugin(),
    remix({
      future: {
        v3_fetcherPersist: true,
        // Discovery matches every beginning of a path on the server, which blocks it for seconds when a path is long.
        v3_lazyRouteDiscovery: false,
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
  optimizeDeps: { exclude: ['@devolutions/iron-remote-desktop-rdp'] },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    target: 'es2022',
    ...(isSsrBuild ? {} : { rollupOptions: { output: { manualChunks: baseChunks() } } }),
  },
}));
