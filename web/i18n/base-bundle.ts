// What a browser loads with any page, found by bundling as the build does.
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const app = join(import.meta.dirname, '..', 'app');
/** The routes of every page: the document, the layout and home. */
export const baseRoutes = ['root.tsx', 'shell/layout/default-layout.tsx', 'home/home.tsx'];
/** What the browser gets of a route's module. */
const clientExports = ['default', 'Layout', 'ErrorBoundary', 'links', 'meta', 'handle', 'shouldRevalidate'];

/** Leaves out what the browser does not get with the page: server modules, and packages other than core when `core` is set. */
const bundledModulesOnly = (core: boolean): Plugin => ({
  name: 'first-page',
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

/** The routes as one script, with or without what they take from core, and the files that are in it. */
export async function bundleRoutes(routes: readonly string[], core: boolean) {
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
