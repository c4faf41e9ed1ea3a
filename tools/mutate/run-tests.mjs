// Stays and runs test files for mutation testing: what Vitest has compiled once serves for every mutation.
// Takes `{ changed, tests }`; sends `{ test, failed, ms }` after each file and `{ ended: true }` after the last.
import { createVitest } from 'vitest/node';

const describe = (name, error) => `${name}: ${error?.message ?? ''}`;
const results = {
  onTestCaseResult(test) {
    if (!stopsAtFailure || test.result().state !== 'failed') return;
    // Sent here, because a run that is stopped does not report the end of its files.
    const failed = describe(test.fullName, test.result().errors?.[0]);
    process.send({ test: test.module.moduleId, failed, ms: Math.round(test.diagnostic()?.duration ?? 0) });
    void vitest.cancelCurrentRun('test-failure');
  },
  onTestModuleEnd(module) {
    const failing = [...module.children.allTests()].find((test) => test.result().state === 'failed');
    const error = failing?.result().errors?.[0] ?? module.errors()[0];
    const failed =
      module.state() === 'failed' ? describe(failing?.fullName ?? 'could not be loaded', error) : null;
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
