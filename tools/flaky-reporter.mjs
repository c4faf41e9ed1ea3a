// Reporter of Vitest: writes the tests that passed only when they were tried again, and why they failed before, to the
// file in YAGURA_FLAKY_FILE.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

export default class FlakyReporter {
  tests = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky)
      this.tests.push({
        name: `${relative(root, test.module.moduleId)} > ${test.fullName}`,
        reason: test.result().errors?.[0]?.message ?? '',
      });
  }

  onTestRunEnd() {
    writeFileSync(process.env.YAGURA_FLAKY_FILE, JSON.stringify(this.tests));
  }
}
