// One run for every package.
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute, mostly waiting: begun last, one of them would run alone at the end. */
const longFiles = [
  'agent/test/lab.test.ts',
  'cli/test/transcript.test.ts',
  'server/test/jobs/poison-jobs.test.ts',
  'agent/test/large-link.test.ts',
  'server/src/identity/sign-in/attempt-limit.test.ts',
  'server/src/journal/journal-crash.test.ts',
];

/** Runs projects one after the other, long files first. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? longFiles.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => (a.project.name === b.project.name ? rank(a) - rank(b) : 0));
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          // Pure functions leave nothing behind, so the files share what they import.
          name: 'core',
          include: ['core/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          environment: 'node',
          isolate: false,
          // Property tests take seconds when all processors are busy.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'node',
          include: ['{server,cli,agent,fixtures}/**/*.test.{ts,tsx}', 'tools/**/*.test.mjs'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'],
          environment: 'node',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Servers and peers of the tests answer later when all processors are busy.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/build/**'],
          isolate: false,
        },
      },
      {
        test: {
          name: 'web components',
          include: ['web/**/*.test.tsx'],
          exclude: ['**/node_modules/**', '**/build/**'],
          environment: 'happy-dom',
          // A component renders for seconds when all processors are busy.
          testTimeout: 20_000,
          isolate: false,
          setupFiles: ['web/app/ui/test/component-setup.ts'],
        },
      },
    ],
    globalSetup: 'server/test/support/share-postgresql.ts',
    // More than the two cores that the suite is measured on: tests wait for peers and for the database.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
  },
});
