// Stays and runs test files for mutation testing: what Vitest has compiled once serves for every mutation.
// Takes `{ changed, tests }`; sends `{ loaded }` before the tests of each file run, `{ test, failed, ms }` after them, and
// `{ ended: true }` after the last file.
import { createVitest } from 'vitest/node';

const describe = (name, error) => `${name}: ${error?.message ?? ''}`;

/** The first failed test of a file, or else the hook that failed, or why the file could not be loaded. */
function describeFailure(module) {
  const failing = [...module.children.allTests()].find((test) => test.result().state === 'failed');
  if (failing) return describe(failing.fullName, failing.result().errors?.[0]);
  const suite = [...module.children.allSuites()].find((one) => one.errors().length > 0);
  if (suite) return describe(`hook of ${suite.fullName}`, suite.errors()[0]);
  return describe('hook of the file, or could not be loaded', module.errors()[0]);
}

const results = {
  onTestModuleCollected(module) {
    process.send({ loaded: module.moduleId });
  },
  onTestCaseResult(test) {
    if (!stopsAtFailure || test.result().state !== 'failed') return;
    // Sent here, because a run that is stopped does not report the end of its files.
    const failed = describe(test.fullName, test.result().errors?.[0]);
    process.send({ test: test.module.moduleId, failed, ms: Math.round(test.diagnostic()?.duration ?? 0) });
    void vitest.cancelCurrentRun('test-failure');
  },
  onTestModuleEnd(module) {
    const failed = module.state() === 'failed' ? describeFailure(module) : null;
    process.send({ test: module.moduleId, failed, ms: Math.round(module.diagnostic().duration) });
  },
};

let stopsAtFailure = true;
const vitest = await createVitest('test', {
  config: new URL('vitest.config.mjs', import.meta.url).pathname,
  watch: false,
  reporters: [results],
});
await vitest.standalone();

process.on('message', async ({ changed, tests, all = false }) => {
  stopsAtFailure = !all;
  for (const file of changed) vitest.invalidateFile(file);
  const specifications = tests.flatMap((test) => vitest.getModuleSpecifications(test));
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The worker ends, because it keeps the modules that it has loaded: the next run would not see a change.
  await vitest.pool?.close();
  vitest.pool = undefined;
  process.send({ ended: true, error: unhandledErrors[0] ? String(unhandledErrors[0].message) : null });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
