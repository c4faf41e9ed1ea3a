// Runs a TypeScript program of this repository as one bundle, which starts sooner than its sources one by one.
// Usage: node tools/bundling/run-from-source.mjs [--import MODULE] PROGRAM [ARGUMENT ...]    (paths from the current folder)
import { pathToFileURL } from 'node:url';
import { importFromSource } from './import-from-source.mjs';

const load = (file) => importFromSource(file, pathToFileURL(`${process.cwd()}/`));

// The program finds its arguments where it would without this one.
process.argv.splice(1, 1);
if (process.argv[1] === '--import') {
  const [, module] = process.argv.splice(1, 2);
  await load(module);
}
await load(process.argv[1]);
