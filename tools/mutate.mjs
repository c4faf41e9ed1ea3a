// Changes the code in one place at a time and tells which of the changes the tests notice: `npm run mutate -- --count 20`.
// docs/testing.md has more.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { collectExecuted } from './mutate/executed-lines.mjs';
import { orderTests } from './mutate/order-tests.mjs';
import { chooseMutations } from './mutate/sample.mjs';
import { TestProcess } from './mutate/test-process.mjs';
import { copyTree } from './mutate/tree-copy.mjs';
import { root } from './run.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    /** Test files beyond this much time together do not run for one mutation. */
    seconds: { type: 'string', default: '120' },
    /** How many test files run at one time. */
    workers: { type: 'string', default: '1' },
    /** Only tells what it would do. */
    list: { type: 'boolean', default: false },
    /** Both stores instead of the embedded one alone. */
    stores: { type: 'boolean', default: false },
    /** A file that gets one JSON object for each mutation; those that it has are not run again. */
    out: { type: 'string' },
  },
});
const env = options.stores ? {} : { YAGURA_TEST_STORES: 'embedded' };
const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 90);
const describe = ({ file, line, kind, was, text }) =>
  `${file}:${line} ${kind}: ${oneLine(was)} -> ${oneLine(text) || '(removed)'}`;
const identify = ({ file, start, text }) => `${file}:${start}:${text}`;

/** Removed whatever happens. */
const copies = new Set();
const runners = new Set();
function makeCopy() {
  const copy = copyTree();
  copies.add(copy);
  return copy;
}
function startTests(copy, variables) {
  const runner = new TestProcess(copy, variables);
  runners.add(runner);
  return runner;
}
process.once('exit', () => {
  for (const runner of runners) runner.end();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Builds a workspace whose program the tests start; gives why it cannot be built. */
function build(copy, workspace) {
  const built = spawnSync(process.execPath, ['build.mjs'], { cwd: join(copy, workspace), encoding: 'utf8' });
  return built.status === 0 ? null : `build of ${workspace}: ${built.stderr.slice(-500)}`;
}

/** Gives the first test that fails with the mutation, or null, and what ran. */
async function runMutation(mutation, tests, { runner, copy }) {
  const { area, file, start, end, text } = mutation;
  const { chosen, leftOut } = orderTests(tests, file, Number(options.seconds) * 1000);
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const begun = Date.now();
  writeFileSync(path, source.slice(0, start) + text + source.slice(end));
  let by = area.build ? build(copy, area.build) : null;
  if (by === null && chosen.length > 0) {
    const results = await runner.run({
      changed: [file],
      tests: chosen.map(({ test }) => test),
      // Others use the machine, too, and the first file of a run loads what all need.
      limitOf: (test) => 30_000 + 4 * chosen.find((one) => one.test === test).ms,
    });
    const failing = results.find(({ failed }) => failed !== null);
    if (failing) by = `${failing.test} > ${failing.failed}`;
  }
  writeFileSync(path, source);
  const seconds = Math.round((Date.now() - begun) / 1000);
  return { noticed: by !== null, by, files: chosen.length, leftOut, seconds };
}

async function runAll(mutations) {
  const done = new Map(
    options.out && existsSync(options.out)
      ? readFileSync(options.out, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .map((result) => [identify(result), result])
      : [],
  );
  const areas = [...new Set(mutations.map(({ area }) => area))];
  const workers = Number(options.workers);
  // Made first: what others change in the repository meanwhile does not count.
  const trees = Array.from({ length: workers }, makeCopy);
  const testsAt = await collectExecuted(areas, {
    copyTree: makeCopy,
    startTests,
    env,
    workers,
    onResult: ({ test, failed, ms }) =>
      console.log(failed === null ? `runs     ${test} (${ms} ms)` : `LEFT OUT ${test}: ${oneLine(failed)}`),
  });
  const left = mutations.filter((mutation) => !done.has(identify(mutation)));
  const work = async (copy) => {
    const runner = startTests(copy, env);
    for (let mutation = left.shift(); mutation; mutation = left.shift()) {
      const outcome = await runMutation(mutation, testsAt(mutation), { runner, copy });
      const result = { ...mutation, area: mutation.area.name, ...outcome };
      done.set(identify(mutation), result);
      const cost = `${outcome.files} test files${outcome.leftOut > 0 ? `, ${outcome.leftOut} left out` : ''}, ${outcome.seconds} s`;
      console.log(
        outcome.noticed
          ? `noticed  ${describe(mutation)} | ${oneLine(outcome.by)} (${cost})`
          : `SURVIVED ${describe(mutation)} (${cost})`,
      );
      if (options.out) appendFileSync(options.out, `${JSON.stringify(result)}\n`);
    }
    runner.end();
  };
  await Promise.all(trees.map(work));
  return mutations.map((mutation) => done.get(identify(mutation)));
}

const mutations = chooseMutations({
  count: Number(options.count),
  seed: Number(options.seed),
  stores: options.stores,
  paths: positionals.map((path) => relative(root, join(process.cwd(), path))),
});
if (options.list) for (const mutation of mutations) console.log(describe(mutation));
else {
  const results = await runAll(mutations);
  for (const name of new Set(results.map(({ area }) => area))) {
    const own = results.filter(({ area }) => area === name);
    console.log(`${name}: ${own.filter(({ noticed }) => noticed).length} of ${own.length}`);
  }
  const noticed = results.filter((result) => result.noticed).length;
  console.log(`${noticed} of ${results.length} mutations were noticed (seed ${options.seed}).`);
}
