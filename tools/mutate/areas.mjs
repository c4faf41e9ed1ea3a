// Which files are sampled by default, and which tests are to notice a fault in each.
const server = (...names) => names.map((name) => `server/test/${name}.test.ts`);

/**
 * `files` are folders or files; tests stand in the order in which they run, quick ones first. The first area that holds a
 * file counts.
 */
export const areas = [
  {
    name: 'decide',
    files: ['core/src/alerthub/decide'],
    tests: [
      ['core', 'core/src/alerthub'],
      ['node', ...server('pipeline', 'delay', 'mute', 'replay', 'runbook', 'rule-test')],
    ],
  },
  {
    name: 'journal',
    files: [
      ...['journal', 'journal-folder', 'journal-format', 'disk'].map((name) => `server/src/jobs/${name}.ts`),
      ...['intake', 'intake-journal', 'journal-leftovers'].map((name) => `server/src/alerthub/${name}.ts`),
    ],
    tests: [
      ['node', 'server/src/jobs/journal'],
      ['node', ...server('intake-journal', 'journal-command', 'lost-folder', 'receiver')],
    ],
  },
  {
    name: 'deliveries',
    files: [
      ...['deliveries', 'delivery-store', 'sender', 'give-up'].map(
        (name) => `server/src/alerthub/${name}.ts`,
      ),
      'server/src/delivery',
    ],
    tests: [
      ['node', 'server/src/delivery'],
      ['node', 'server/src/alerthub', ...server('delivery', 'on-premises', 'email-senders', 'poison')],
    ],
  },
  {
    name: 'pipeline',
    files: ['pipeline', 'decision-store', 'due-work', 'releases', 'store-arrivals'].map(
      (name) => `server/src/alerthub/${name}.ts`,
    ),
    tests: [
      ['node', ...server('pipeline', 'delay')],
      ['node', 'server/src/alerthub', ...server('mute', 'poison', 'runbook', 'delivery')],
    ],
  },
  {
    name: 'jobs',
    files: ['server/src/jobs'],
    tests: [
      ['node', ...server('tasks', 'task-leases')],
      ['node', 'server/src/jobs', ...server('delivery', 'scan-notices')],
    ],
  },
  {
    name: 'resource',
    files: ['server/src/resource'],
    tests: [
      ['node', 'server/src/resource', ...server('committed', 'idempotency', 'mixed-rights')],
      ['node', ...server('list-filter', 'parents', 'contract', 'notes')],
    ],
  },
  {
    name: 'identity',
    files: ['server/src/identity'],
    tests: [
      ['node', 'server/src/identity'],
      ['node', ...server('users', 'factor-change', 'live-powers', 'wire')],
    ],
  },
  {
    name: 'access',
    files: ['core/src/access'],
    tests: [
      ['core', 'core/src/access'],
      ['node', ...server('powers', 'access')],
    ],
  },
  {
    name: 'audit',
    files: ['server/src/audit'],
    tests: [['node', 'server/src/audit', ...server('audit', 'powers', 'canary')]],
  },
  {
    name: 'kroker',
    files: ['server/src/kroker'],
    tests: [
      ['node', ...server('kroker-setup')],
      ['node', ...server('greac', 'kroker-command')],
    ],
  },
  { name: 'command line', files: ['cli/src'], tests: [['node', 'cli']] },
];
