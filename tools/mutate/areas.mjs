// Which files are sampled by default, and which tests may notice a mutation in each.
const server = (...names) => names.map((name) => `server/test/${name}.test.ts`);

/**
 * `files` and `tests` are folders or files. The first area that holds a file counts. Of the tests only those that execute the mutated
 * line run, those near the file first. `build` is a workspace whose tests also start its built program: it is built again for each
 * mutation, and those of its tests in `programTests` run although it is not known what they execute.
 */
export const areas = [
  {
    name: 'alert engine',
    files: ['core/src/alerthub/engine'],
    tests: [
      'core/src/alerthub',
      ...server(
        'alerthub/pipeline',
        'alerthub/delayed-triggers',
        'alerthub/mute',
        'alerthub/replay',
        'alerthub/runbook',
        'alerthub/rule-test',
      ),
    ],
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
    tests: [
      'server/src/journal',
      'server/src/alerthub/intake',
      'server/src/receiver',
      ...server(
        'intake/intake-journal',
        'intake/intake-damage',
        'intake/journal-command',
        'intake/data-folder-takeover',
        'intake/receiver',
      ),
    ],
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
    tests: [
      'server/src/delivery',
      'server/src/alerthub',
      ...server(
        'delivery/delivery',
        'delivery/on-premises',
        'delivery/email-senders',
        'delivery/failure-notices',
        'delivery/requeue',
        'delivery/response-body',
        'alerthub/undeliverable-actions',
        'alerthub/poison-rows',
      ),
    ],
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
      'server/src/alerthub/pipeline/to-decided-batch.ts',
      'server/src/alerthub/pipeline/announce-batch.ts',
      'server/src/alerthub/pipeline/decision-store.ts',
      'server/src/alerthub/pipeline/delayed-job-timer.ts',
      'server/src/alerthub/pipeline/due-triggers.ts',
      'server/src/alerthub/intake/store-arrivals.ts',
    ],
    tests: [
      'server/src/alerthub',
      ...server(
        'alerthub/pipeline',
        'alerthub/pipeline-state',
        'alerthub/delayed-job-timer',
        'alerthub/delayed-triggers',
        'alerthub/message-count',
        'alerthub/mute',
        'alerthub/poison-rows',
        'alerthub/runbook',
        'delivery/delivery',
        'http/metrics',
      ),
    ],
  },
  {
    name: 'jobs',
    files: ['server/src/jobs'],
    tests: [
      'server/src/jobs',
      ...server(
        'tasks/tasks',
        'tasks/task-leases',
        'jobs/poison-jobs',
        'jobs/poison-work',
        'delivery/delivery',
        'sonar/scan-notices',
      ),
    ],
  },
  {
    name: 'resource',
    files: ['server/src/resource'],
    tests: [
      'server/src/resource',
      ...server(
        'resource/effects-after-commit',
        'resource/idempotency',
        'resource/list-filter',
        'resource/notes',
        'resource/parents',
        'resource/resource-contract',
        'security/row-level-access',
      ),
    ],
  },
  {
    name: 'identity',
    files: ['server/src/identity'],
    tests: [
      'server/src/identity',
      ...server(
        'space/users',
        'space/person-command',
        'security/mfa-change',
        'security/permission-revocation',
        'http/wire',
        'http/public-clients',
      ),
    ],
  },
  {
    name: 'access',
    files: ['core/src/access'],
    tests: ['core/src/access', ...server('security/role-permissions', 'security/access')],
  },
  {
    name: 'audit',
    files: ['server/src/audit'],
    tests: [
      'server/src/audit',
      ...server('security/audit', 'security/role-permissions', 'security/secret-leaks'),
    ],
  },
  {
    name: 'kroker',
    files: ['server/src/kroker'],
    tests: [
      'server/src/kroker',
      ...server(
        'kroker/kroker-setup',
        'kroker/gateway-presence',
        'kroker/kroker-command',
        'greac/greac',
        'greac/session-stream',
      ),
    ],
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
