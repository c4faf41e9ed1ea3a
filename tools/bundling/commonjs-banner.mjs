/** What CommonJS packages expect around them, for an ES module that esbuild bundles them into. */
export const commonjsBanner = {
  js: [
    "import { createRequire as createBundleRequire } from 'node:module';",
    "import { fileURLToPath as bundlePathOf } from 'node:url';",
    'const require = createBundleRequire(import.meta.url);',
    'const __filename = bundlePathOf(import.meta.url);',
    "const __dirname = bundlePathOf(new URL('.', import.meta.url));",
  ].join('\n'),
};
