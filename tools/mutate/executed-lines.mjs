// Finds out which tests execute which statements, once for a state of the code.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../run.mjs';
import { areas as allAreas } from './areas.mjs';
import { probeAt, withProbes } from './probes.mjs';
import { sourcesOf, testsOf } from './sample.mjs';

/** A folder for what was found out about the code as it is now. */
function folderOf() {
  const git = (...args) => execFileSync('git', args, { cwd: root, maxBuffer: 1 << 28 });
  const state = createHash('sha256')
    .update(git('rev-parse', 'HEAD'))
    .update(git('diff', 'HEAD'))
    .digest('hex');
  const folder = join(tmpdir(), 'yagura-executed', state.slice(0, 16));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The probes of every file of all areas, numbered through: what is kept from an earlier run has the same numbers. */
function numberProbes() {
  const probes = new Map();
  let first = 0;
  for (const file of new Set(allAreas.flatMap(sourcesOf))) {
    const made = withProbes(file, readFileSync(join(root, file), 'utf8'), first);
    probes.set(file, { ...made, first });
    first += made.probes.length;
  }
  return probes;
}

/**
 * Runs the tests of the areas with probes in a copy of the repository, those that have not run before. Gives `testsAt(mutation)`: the
 * tests that pass and execute the place, each with the milliseconds that it takes and with the weight of what it executes in the file.
 */
export async function collectExecuted(areas, { copyTree, startTests, env, workers, onResult }) {
  const folder = folderOf();
  const resultsPath = join(folder, 'results.jsonl');
  const readResults = () =>
    existsSync(resultsPath)
      ? readFileSync(resultsPath, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  const probes = numberProbes();
  const known = new Set(readResults().map(({ test }) => test));
  const tests = [...new Set(areas.flatMap(testsOf))].filter((test) => !known.has(test));
  await Promise.all(
    Array.from({ length: Math.min(workers, tests.length) }, async (_, worker) => {
      const copy = copyTree();
      for (const [file, { text }] of probes) writeFileSync(join(copy, file), text);
      const written = join(folder, `written-${worker}`);
      rmSync(written, { recursive: true, force: true });
      mkdirSync(written);
      // Kept after each file: what an interrupted run has collected stays.
      const keep = (result) => {
        const path = join(written, `${basename(result.test)}.json`);
        const { executed, loading } = existsSync(path)
          ? JSON.parse(readFileSync(path, 'utf8'))
          : { executed: [], loading: [] };
        rmSync(path, { force: true });
        appendFileSync(resultsPath, `${JSON.stringify({ ...result, executed, loading })}\n`);
        onResult(result);
      };
      const runner = startTests(copy, { ...env, YAGURA_PROBES: written });
      while (tests.length > 0) {
        let left = tests.splice(0, 10);
        while (left.length > 0) {
          const results = await runner.run({
            tests: left,
            all: true,
            limitOf: () => 300_000,
            onResult: keep,
          });
          left = left.filter((test) => !results.some((result) => result.test === test));
        }
      }
      runner.end();
    }),
  );
  const results = readResults().map((result) => ({ ...result, executed: new Set(result.executed) }));
  const loading = new Set(results.flatMap((result) => result.loading));
  const passed = results.filter(({ failed }) => failed === null);
  const times = new Map();
  for (const { executed } of passed)
    for (const number of executed) times.set(number, (times.get(number) ?? 0) + 1);
  return (mutation) => testsAt(mutation, { passed, times, loading, ...probes.get(mutation.file) });
}

/** The tests of the area that execute a place of a file. */
export function testsAt({ area, start, end }, { passed, times, loading, probes, first }) {
  const index = probeAt(probes, { start, end });
  const all = new Set(testsOf(area));
  const { programTests = [] } = area;
  const numbers = probes.map((_probe, number) => first + number);
  const running = (isExecuted) =>
    passed
      .filter(({ test, executed }) => all.has(test) && (programTests.includes(test) || isExecuted(executed)))
      // What few tests execute tells most: they are about this file, and do not only happen to use it.
      .map(({ test, ms, executed }) => ({
        test,
        ms,
        weight: numbers
          .filter((number) => executed.has(number))
          .reduce((sum, number) => sum + 1 / times.get(number), 0),
      }));
  if (index !== undefined && !loading.has(first + index)) {
    const direct = running((executed) => executed.has(first + index));
    if (direct.length > 0) return direct;
  }
  // What runs when a file is loaded runs once for several test files: each that uses the file counts.
  return running((executed) => numbers.some((number) => executed.has(number)));
}
