// Determines what a browser loads with every page, by bundling as the build does.
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const app = join(import.meta.dirname, '..', 'app');
/** Routes loaded with every page: document, layout and home. */
export const baseRoutes = ['root.tsx', 'shell/layout/default-layout.tsx', 'home/home.tsx'];
/** Exports of a route module that reach the browser. */
const clientExports = ['default', 'Layout', 'ErrorBoundary', 'links', 'meta', 'handle', 'shouldRevalidate'];

/** Excludes server modules, parts that the browser loads when they are first shown, and packages, except core if `core` is set. */
const bundledModulesOnly = (core: boolean): Plugin => ({
  name: 'first-page',
  setup({ onResolve }) {
    onResolve({ filter: /\.server(\.ts)?$|\.css(\?.*)?$|\?url$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const ofCore =
        path.startsWith('@yagura/core/') || importer.includes('/core/') || importer.includes('node_modules');
      return ofCore && core && kind !== 'dynamic-import' ? undefined : { path, external: true };
    });
  },
});

/** Bundles the routes into one script, and returns it with the list of its files. */
export async function bundleRoutes(routes: readonly string[], { core }: { core: boolean }) {
  const parts = routes.map((file, index) => {
    const exportList = clientExports.map((exportName) => `route${index}.${exportName}`).join(', ');
    return `import * as route${index} from './${file}'; export const taken${index} = [${exportList}];`;
  });
  const { outputFiles, metafile } = await build({
    stdin: { contents: parts.join('\n'), resolveDir: app },
    absWorkingDir: app,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    jsx: 'automatic',
    write: false,
    metafile: true,
    outfile: 'out.js',
    logLevel: 'silent',
    plugins: [bundledModulesOnly(core)],
  });
  const files = Object.entries(metafile.outputs['out.js']!.inputs)
    .filter(([path, { bytesInOutput }]) => path !== '<stdin>' && bytesInOutput > 0)
    .map(([path]) => join(app, path));
  return { script: outputFiles[0]!.contents, files };
}
