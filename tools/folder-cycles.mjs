// Finds folders that depend on one another in a cycle, in the imports of the sources without their tests.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './run.mjs';

/**
 * `files` are the sources of one package, relative to the repository; `folderOf` names the folder of a file.
 * Returns one text per cycle, with an import for each of its steps.
 */
export function folderCycles(files, folderOf) {
  const known = new Set(files);
  const edges = new Map();
  for (const file of files) {
    const from = folderOf(file);
    for (const target of importsOf(file)) {
      if (!known.has(target)) continue;
      const to = folderOf(target);
      if (to === from) continue;
      const targets = edges.get(from) ?? new Map();
      if (!targets.has(to)) targets.set(to, `${file} imports ${target}`);
      edges.set(from, targets);
    }
  }
  const cycles = [];
  const done = new Set();
  const path = [];
  const visit = (folder) => {
    if (done.has(folder)) return;
    const start = path.indexOf(folder);
    if (start >= 0) {
      const cycle = [...path.slice(start), folder];
      const steps = cycle.slice(1).map((to, at) => `  ${edges.get(cycle[at]).get(to)}`);
      cycles.push(`folders in a cycle: ${cycle.join(' > ')}\n${steps.join('\n')}`);
      return;
    }
    path.push(folder);
    for (const to of edges.get(folder)?.keys() ?? []) visit(to);
    path.pop();
    done.add(folder);
  };
  for (const folder of edges.keys()) visit(folder);
  return cycles;
}

/** The relative imports of a file, type imports included. */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(root, join(root, dirname(file), fileName)));
}
