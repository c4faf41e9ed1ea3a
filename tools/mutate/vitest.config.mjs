// The tests of the repository, without those of the console, as mutation testing runs them: one file at a time, in a given order.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import repository from '../../vitest.config.ts';

const setupFiles = process.env.YAGURA_PROBES
  ? [fileURLToPath(new URL('record-probes.mjs', import.meta.url))]
  : [];

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    projects: repository.test.projects
      .filter((project) => typeof project !== 'string')
      // A test that waits for what never comes has noticed the mutation.
      .map(({ test }) => ({
        test: { ...test, setupFiles, testTimeout: Math.min(test.testTimeout, 20_000) },
      })),
    maxWorkers: 1,
    sequence: {
      sequencer: class {
        shard = (specifications) => specifications;
        sort = (specifications) => specifications;
      },
    },
  },
});
