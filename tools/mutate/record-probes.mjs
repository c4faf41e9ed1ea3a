// Runs before each test file of a collecting run, and writes at its end which probes it has executed.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect } from 'vitest';

const executed = new Set();
globalThis.executedProbes = executed;

afterAll(() => {
  const { testPath } = expect.getState();
  writeFileSync(join(process.env.YAGURA_PROBES, `${basename(testPath)}.json`), JSON.stringify([...executed]));
});
