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
import { TestProcess } from './test-process.mjs';

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
 * tests that pass and execute the place, each with the milliseconds that it takes.
 */
export async function collectExecuted(areas, { copyTree, env, onResult }) {
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
  if (tests.length > 0) {
    const copy = copyTree();
    for (const [file, { text }] of probes) writeFileSync(join(copy, file), text);
    const written = join(folder, 'written');
    const runner = new TestProcess(copy, { ...env, YAGURA_PROBES: written });
    rmSync(written, { recursive: true, force: true });
    mkdirSync(written);
    // Kept after each file: what an interrupted run has collected stays.
    const keep = (result) => {
      const path = join(written, `${basename(result.test)}.json`);
      const executed = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
      rmSync(path, { force: true });
      appendFileSync(resultsPath, `${JSON.stringify({ ...result, executed })}\n`);
      onResult(result);
    };
    try {
      let left = tests;
      while (left.length > 0) {
        const results = await runner.run({ tests: left, all: true, limitOf: () => 300_000, onResult: keep });
        left = left.filter((test) => !results.some((result) => result.test === test));
      }
    } finally {
      runner.end();
    }
  }
  const results = readResults().map((result) => ({ ...result, executed: new Set(result.executed) }));
  return (mutation) => testsAt(mutation, results, probes);
}

function testsAt(mutation, results, probes) {
  const { probes: own, first } = probes.get(mutation.file);
  const index = probeAt(own, mutation);
  const all = new Set(testsOf(mutation.area));
  const passed = results.filter(({ test, failed }) => failed === null && all.has(test));
  const { programTests = [] } = mutation.area;
  const running = (isExecuted) =>
    passed.filter(({ test, executed }) => programTests.includes(test) || isExecuted(executed));
  const direct = index === undefined ? [] : running((executed) => executed.has(first + index));
  if (direct.length > 0) return direct;
  // What runs when a file is loaded runs once for several test files: each that uses the file counts.
  return running((executed) => own.some((_probe, number) => executed.has(first + number)));
}
