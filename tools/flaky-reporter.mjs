// Reporter of Vitest: writes the names of tests that passed only when they were tried again to the file in YAGURA_FLAKY_FILE.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

export default class FlakyReporter {
  names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky)
      this.names.push(`${relative(root, test.module.moduleId)} > ${test.fullName}`);
  }

  onTestRunEnd() {
    writeFileSync(process.env.YAGURA_FLAKY_FILE, JSON.stringify(this.names));
  }
}
