// Options that the server's build and bundles of its sources share.

/** Packages that load files of their own: WebAssembly, native code, the code of a thread. They are not bundled. */
export const packagesWithFiles = ['@electric-sql/pglite', '@node-rs/argon2', 'piscina'];

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
