// Imports a TypeScript file of this repository as one bundle, kept until one of its sources changes: a thread that loads its
// sources one by one takes five times the processor time, and tests start hundreds.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { commonjsBanner, packagesWithFiles } from './bundle-options.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'yagura', 'bundles');

/** Returns the exports of the file, whose path is relative to `base`, the URL of a module. */
export async function importFromSource(file, base) {
  const source = fileURLToPath(new URL(file, base));
  const name = `${basename(source, '.ts')}-${createHash('sha256').update(source).digest('hex').slice(0, 12)}`;
  const bundle = join(cache, `${name}.mjs`);
  const list = join(cache, `${name}.json`);
  if (!isCurrent(list)) await writeBundle(source, bundle, list);
  return import(pathToFileURL(bundle).href);
}

/** Whether the bundle's sources, listed with their versions, are as they were when it was written. */
function isCurrent(list) {
  try {
    const versions = Object.entries(JSON.parse(readFileSync(list, 'utf8')));
    return versions.every(([source, version]) => versionOf(source) === version);
  } catch {
    // There is no bundle yet, or a source has gone.
    return false;
  }
}

function versionOf(source) {
  const { mtimeMs, size } = statSync(join(root, source));
  return `${mtimeMs} ${size}`;
}

async function writeBundle(source, bundle, list) {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...packagesWithFiles, '*.node'],
    banner: commonjsBanner,
    logLevel: 'error',
  });
  const versions = Object.fromEntries(Object.keys(metafile.inputs).map((path) => [path, versionOf(path)]));
  mkdirSync(cache, { recursive: true });
  // Several processes may do this at the same time. The list is last: with it, the bundle counts.
  write(bundle, outputFiles[0].contents);
  write(list, JSON.stringify(versions));
}

function write(path, content) {
  const part = `${path}.${process.pid}-${threadId}`;
  writeFileSync(part, content);
  renameSync(part, path);
}
