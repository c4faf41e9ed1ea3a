// Finds folders that depend on one another in a cycle, in the imports of the sources without their tests.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './run.mjs';

/**
 * `files` are the sources of one package, relative to the repository; `folderOf` names the folder of a file.
 * Describes the shortest cycle with an import for each step; undefined when there is none.
 */
export function findFolderCycle(files, folderOf) {
  const known = new Set(files);
  /** For each folder, the folders it imports and one such import. */
  const edges = new Map();
  for (const file of files) {
    const from = folderOf(file);
    const targets = edges.get(from) ?? new Map();
    edges.set(from, targets);
    for (const target of importsOf(file)) {
      const to = known.has(target) ? folderOf(target) : from;
      if (to !== from && !targets.has(to)) targets.set(to, `${file} imports ${target}`);
    }
  }
  const [cycle] = [...edges.keys()]
    .map((folder) => pathToItself(edges, folder))
    .filter((path) => path !== undefined)
    .sort((one, other) => one.length - other.length);
  if (!cycle) return undefined;
  const steps = cycle.slice(1).map((to, at) => `  ${edges.get(cycle[at]).get(to)}`);
  return `folders depend on one another: ${cycle.join(' > ')}\n${steps.join('\n')}`;
}

/** The shortest path of imports from a folder back to it. */
function pathToItself(edges, folder) {
  const paths = [[folder]];
  const seen = new Set();
  for (const path of paths) {
    for (const to of edges.get(path.at(-1)).keys()) {
      if (to === folder) return [...path, to];
      if (seen.has(to)) continue;
      seen.add(to);
      paths.push([...path, to]);
    }
  }
  return undefined;
}

/** The files of a file's relative imports, type imports included. */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(root, join(root, dirname(file), fileName)));
}
