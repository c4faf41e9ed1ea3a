// Which files are sampled by default, and which tests may notice a mutation in each.

const serverTests = ['server/src', 'server/test'];

/**
 * `files` and `tests` are folders or files. The first area that holds a file counts. Of the tests only those that execute the mutated
 * line run, those near the file first. `build` is a workspace whose tests also start its built program: it is built again for each
 * mutation, and those of its tests in `programTests` run although it is not known what they execute.
 */
export const areas = [
  {
    name: 'alert engine',
    files: ['core/src/alerthub/engine'],
    tests: ['core/src/alerthub', 'server/test/alerthub'],
  },
  {
    name: 'journal',
    files: [
      'server/src/journal/journal.ts',
      'server/src/journal/journal-folder.ts',
      'server/src/journal/journal-format.ts',
      'server/src/journal/disk.ts',
      'server/src/alerthub/intake/intake.ts',
      'server/src/alerthub/intake/intake-journal.ts',
      'server/src/alerthub/intake/journal-leftovers.ts',
    ],
    tests: serverTests,
  },
  {
    name: 'deliveries',
    files: [
      'server/src/alerthub/deliveries/deliveries.ts',
      'server/src/alerthub/deliveries/delivery-store.ts',
      'server/src/alerthub/deliveries/delivery-sender.ts',
      'server/src/alerthub/pipeline/fail-pending.ts',
      'server/src/delivery',
    ],
    tests: serverTests,
  },
  {
    name: 'pipeline',
    files: [
      'server/src/alerthub/pipeline/pipeline.ts',
      'server/src/alerthub/pipeline/pipeline-lock.ts',
      'server/src/alerthub/pipeline/pipeline-timers.ts',
      'server/src/alerthub/pipeline/row-guards.ts',
      'server/src/alerthub/pipeline/read-pending-messages.ts',
      'server/src/alerthub/pipeline/evaluate-batch.ts',
      'server/src/alerthub/pipeline/batch-preparation.ts',
      'server/src/alerthub/pipeline/apply-result.ts',
      'server/src/alerthub/pipeline/to-decided-batch.ts',
      'server/src/alerthub/pipeline/announce-batch.ts',
      'server/src/alerthub/pipeline/statements/decision-store.ts',
      'server/src/alerthub/pipeline/delayed-job-timer.ts',
      'server/src/alerthub/pipeline/due-triggers.ts',
      'server/src/alerthub/intake/store-arrivals.ts',
    ],
    tests: serverTests,
  },
  {
    name: 'jobs',
    files: ['server/src/jobs'],
    tests: serverTests,
  },
  {
    name: 'resource',
    files: ['server/src/resource'],
    tests: serverTests,
  },
  {
    name: 'identity',
    files: ['server/src/identity'],
    tests: serverTests,
  },
  {
    name: 'access',
    files: ['core/src/access'],
    tests: ['core/src/access', 'server/test/security'],
  },
  {
    name: 'audit',
    files: ['server/src/audit'],
    tests: serverTests,
  },
  {
    name: 'kroker',
    files: ['server/src/kroker'],
    tests: serverTests,
  },
  {
    name: 'command line',
    files: ['cli/src'],
    tests: ['cli'],
    build: 'cli',
    programTests: ['environment', 'plan', 'scan', 'sign-in', 'transcript', 'tui'].map(
      (name) => `cli/test/${name}.test.ts`,
    ),
  },
];
