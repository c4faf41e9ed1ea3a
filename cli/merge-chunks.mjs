// Puts the many small chunks that every command loads into one file: each file of its own costs a millisecond at start.
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { rollup } from 'rollup';

/**
 * Merges what the chunk `start` loads at once, but not what `before` has loaded anyway; both are paths of files.
 * The old files stay as doors to the new one, so that all other chunks find what they want of them.
 */
export async function mergeChunks(start, before) {
  const early = await closure(before);
  const held = [...(await closure(start))].filter((file) => !early.has(file));
  const bundle = await rollup({
    input: Object.fromEntries(held.map((file) => [basename(file, '.js'), file])),
    external: (id, importer) => importer !== undefined && !held.includes(resolve(dirname(importer), id)),
    makeAbsoluteExternalsRelative: false,
    preserveEntrySignatures: 'strict',
    treeshake: false,
  });
  await Promise.all(held.map((file) => rm(file)));
  await bundle.write({
    dir: dirname(start),
    format: 'es',
    compact: true,
    hoistTransitiveImports: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'every-[hash].js',
    manualChunks: () => 'every',
  });
  await bundle.close();
}

/** The file and all that it imports at once. */
async function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = await readFile(file, 'utf8');
  for (const [, path] of code.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g))
    await closure(resolve(dirname(file), path), seen);
  return seen;
}
