// Which files are sampled by default, and which tests are to notice a fault in each.
const server = (...names) => names.map((name) => `server/test/${name}.test.ts`);

/**
 * `files` are folders or files; tests stand in the order in which they run, quick ones first. The first area that holds a
 * file counts. `build` is a workspace whose tests start its built program: it is built again for each fault.
 */
export const areas = [
  {
    name: 'alert engine',
    files: ['core/src/alerthub/engine'],
    tests: [
      ['core', 'core/src/alerthub'],
      [
        'node',
        ...server(
          'alerthub/pipeline',
          'alerthub/delayed-triggers',
          'alerthub/mute',
          'alerthub/replay',
          'alerthub/runbook',
          'alerthub/rule-test',
        ),
      ],
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
      ['node', 'server/src/journal'],
      [
        'node',
        ...server(
          'intake/intake-journal',
          'intake/journal-command',
          'intake/data-folder-takeover',
          'intake/receiver',
        ),
      ],
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
      ['node', 'server/src/delivery'],
      [
        'node',
        'server/src/alerthub',
        ...server(
          'delivery/delivery',
          'delivery/on-premises',
          'delivery/email-senders',
          'alerthub/poison-rows',
        ),
      ],
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
      ['node', ...server('alerthub/pipeline', 'alerthub/delayed-triggers')],
      [
        'node',
        'server/src/alerthub',
        ...server('alerthub/mute', 'alerthub/poison-rows', 'alerthub/runbook', 'delivery/delivery'),
      ],
    ],
  },
  {
    name: 'jobs',
    files: ['server/src/jobs'],
    tests: [
      ['node', ...server('tasks/tasks', 'tasks/task-leases')],
      ['node', 'server/src/jobs', ...server('delivery/delivery', 'sonar/scan-notices')],
    ],
  },
  {
    name: 'resource',
    files: ['server/src/resource'],
    tests: [
      [
        'node',
        'server/src/resource',
        ...server('resource/effects-after-commit', 'resource/idempotency', 'security/row-level-access'),
      ],
      [
        'node',
        ...server('resource/list-filter', 'resource/parents', 'resource/resource-contract', 'resource/notes'),
      ],
    ],
  },
  {
    name: 'identity',
    files: ['server/src/identity'],
    tests: [
      ['node', 'server/src/identity'],
      [
        'node',
        ...server('space/users', 'security/mfa-change', 'security/permission-revocation', 'http/wire'),
      ],
    ],
  },
  {
    name: 'access',
    files: ['core/src/access'],
    tests: [
      ['core', 'core/src/access'],
      ['node', ...server('security/role-permissions', 'security/access')],
    ],
  },
  {
    name: 'audit',
    files: ['server/src/audit'],
    tests: [
      [
        'node',
        'server/src/audit',
        ...server('security/audit', 'security/role-permissions', 'security/secret-leaks'),
      ],
    ],
  },
  {
    name: 'kroker',
    files: ['server/src/kroker'],
    tests: [
      ['node', ...server('kroker/kroker-setup')],
      ['node', ...server('greac/greac', 'kroker/kroker-command')],
    ],
  },
  { name: 'command line', files: ['cli/src'], build: 'cli', tests: [['node', 'cli']] },
];
