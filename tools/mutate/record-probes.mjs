// Runs before each test file of a collecting run, and writes at its end which probes it has executed.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

const executed = new Set();
globalThis.executedProbes = executed;

// What runs when a file is loaded runs once for all test files of a process.
let loading = [];
beforeAll(() => {
  loading = [...executed];
});

afterAll(() => {
  const { testPath } = expect.getState();
  const path = join(process.env.YAGURA_PROBES, `${basename(testPath)}.json`);
  writeFileSync(path, JSON.stringify({ executed: [...executed], loading }));
});
