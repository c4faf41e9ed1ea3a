// Every kind of deferred work has a test with a row that cannot be processed.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const server = fileURLToPath(new URL('../../', import.meta.url));

/** Constructions that process many rows of which one may be faulty. */
const forms = [
  /new (?:Outbox|QueueWorker|JobQueue)\b/,
  /new PoisonRowGuard\b/,
  /\brunIsolatingFaults\(/,
  /\bisRowFault\(/,
  /\btasks\.register\(/,
  /\bskip locked\b/,
  /\bclaimStatement\(/,
  /\bnew ClaimGuard\b/,
  /\bguard(?:Job|Task)Claims\(/,
  /\bupdateRows\(/,
];

/** Deletes expired counters, and one that stays has no effect. */
const withoutQueue = new Set(['src/identity/sign-in/attempt-limit.ts']);

const rows = 'test/alerthub/poison-rows.test.ts';
const jobs = 'test/jobs/poison-jobs.test.ts';
const work = 'test/jobs/poison-work.test.ts';
const aggregation = 'test/sonar/aggregation.test.ts';
const leases = 'src/jobs/leases/leases.test.ts';
const jobLeases = 'test/jobs/job-leases.test.ts';
const everyQueue = [
  jobs,
  'jobs that make no sense end in each queue, and the others are done, also after a restart',
] as const;
const everyClaim = [
  jobs,
  'a job that cannot be claimed does not hold up the others of its queue, and ends',
] as const;
const taskClaims = [
  [leases, 'that cannot be claimed has failed, and the others run'],
  [leases, 'of an ended process that cannot be claimed has failed, and the others are resumed'],
  [leases, 'that can be neither claimed nor ended is tried again later, and the others run'],
] as const;
const sessions = [
  [work, 'sessions without participants'],
  [work, 'sessions that no gateway holds any more'],
] as const;

/** Source file that contains such work, to its tests: file and title. */
const tests: Record<string, readonly (readonly [file: string, title: string])[]> = {
  'src/alerthub/bulk/bulk-jobs.ts': [
    [leases, 'interrupted imports and exports that cannot be ended do not hold up the others'],
  ],
  'src/alerthub/deliveries/attempt-recorder.ts': [[rows, 'outcomes of deliveries']],
  'src/alerthub/deliveries/deliveries.ts': [
    [rows, 'deliveries whose record is gone, or that say nothing to send'],
    everyQueue,
    everyClaim,
  ],
  'src/alerthub/deliveries/delivery-store.ts': [
    everyClaim,
    [jobs, 'a delivery that cannot be claimed has failed with the reason, and is reported'],
  ],
  'src/alerthub/intake/direct-intake.ts': [[rows, 'messages']],
  'src/alerthub/intake/intake.ts': [[rows, 'messages']],
  'src/alerthub/messages/message-index.ts': [[rows, 'the message index']],
  'src/alerthub/notices/failure-notices.ts': [everyQueue],
  'src/alerthub/pipeline/pipeline.ts': [
    [rows, 'messages that can be neither decided nor marked come back later'],
  ],
  'src/alerthub/pipeline/recovery-scheduler.ts': [[rows, 'recoveries']],
  'src/alerthub/pipeline/row-guards.ts': [
    [rows, 'messages'],
    [rows, 'delayed triggers'],
    [rows, 'mute ends'],
    [rows, 'runbooks'],
  ],
  'src/alerthub/pipeline/scope-audit.ts': [
    [
      'test/alerthub/create-scope.test.ts',
      'a scope whose audit record is refused does not hold up those of the others',
    ],
  ],
  'src/alerthub/retention/retention.ts': [[rows, 'retention']],
  'src/alerthub/slots/inactivity-monitor.ts': [[rows, 'watched slots']],
  'src/delivery/mail-outbox/server-mails.ts': [
    everyQueue,
    [jobs, 'a mail whose outcome is rejected is sent once, and the others are sent'],
    [jobs, 'a mail that cannot be decrypted has failed in the mail log'],
  ],
  'src/delivery/outbox.ts': [everyQueue],
  'src/greac/log-retention.ts': [
    [
      'test/greac/log-retention.test.ts',
      'a session that the database refuses to change does not hold up the others',
    ],
  ],
  'src/greac/session-cleanup.ts': sessions,
  'src/greac/session-store.ts': sessions,
  'src/hosting/shared-services.ts': [
    [leases, 'whose end is refused has failed, and is not taken up again: %s'],
  ],
  'src/jobs/leases/abandoned-leases.ts': [
    [
      'src/jobs/leases/abandoned-leases.test.ts',
      'a row that cannot be released holds up no other, and is reported once',
    ],
  ],
  'src/jobs/claim-guard.ts': [everyClaim, ...taskClaims],
  'src/jobs/due-rows-ahead.ts': [
    [
      'src/jobs/due-rows-ahead.test.ts',
      'a row that cannot be corrected does not hold up the others, and leased ones are left',
    ],
  ],
  'src/jobs/job-claims.ts': [
    everyClaim,
    [jobs, 'a mail that cannot be claimed has failed in the mail log'],
    [jobs, 'a job that can be neither claimed nor removed does not hold up the others'],
  ],
  'src/jobs/leases/job-leases.ts': [
    [jobLeases, 'a lease that cannot be renewed is reported as lost and does not affect the others'],
  ],
  'src/jobs/job-queue.ts': [
    everyClaim,
    [leases, 'whose lease cannot be released at startup does not hold up the others'],
  ],
  'src/jobs/poison-row-guard.ts': [['src/jobs/poison-row-guard.test.ts', '']],
  'src/jobs/queue-worker.ts': [
    everyClaim,
    [leases, 'that throws is retried later, abandoned after five attempts, and holds up no other'],
  ],
  'src/jobs/leases/row-leases.ts': [[leases, 'a lease that cannot be renewed does not affect the others']],
  'src/jobs/task-claims.ts': taskClaims,
  'src/jobs/task-scheduler.ts': [[work, 'schedules']],
  'src/jobs/task-store.ts': taskClaims,
  'src/jobs/tasks.ts': [
    [leases, 'whose end is refused has failed, and is not taken up again: %s'],
    ...taskClaims,
    [leases, 'whose lease cannot be renewed is stopped, and the others keep theirs'],
  ],
  'src/resource/retention/retention-job.ts': [
    [
      'test/sonar/snapshot-retention.test.ts',
      'a snapshot that the database refuses to delete does not hold up the others',
    ],
  ],
  'src/jobs/update-rows.ts': [[leases, 'a lease that cannot be renewed does not affect the others']],
  'src/kroker/gateway-presence.ts': [
    [
      'test/kroker/gateway-presence.test.ts',
      'a gateway whose presence cannot be stored does not hold up the others',
    ],
  ],
  'src/kroker/kroker-notices.ts': [everyQueue],
  'src/pigeon/chain-runner.ts': [
    [work, 'chains that cannot continue'],
    [work, 'chains whose state is damaged'],
    [work, 'chains that can neither continue nor be failed'],
  ],
  'src/pigeon/notifications.ts': [everyQueue],
  'src/sonar/scan-notices.ts': [
    everyQueue,
    [jobs, 'a notice of a scan whose outcome is rejected is sent once and ends'],
  ],
  'src/sonar/aggregation/aggregation-run.ts': [
    [aggregation, 'a host that the database rejects is marked as failed alone'],
  ],
  'src/sonar/aggregation/aggregation.ts': [
    everyQueue,
    everyClaim,
    [aggregation, 'a scan whose end the database always rejects fails'],
  ],
  'src/sonar/aggregation/snapshot-indexer.ts': [
    everyQueue,
    [jobs, 'a node that cannot be indexed is not found, and the others are'],
  ],
  'src/sonar/scans.ts': [[work, 'scans whose agent is silent']],
  'src/sonar/search-index.ts': [[jobs, 'a node that cannot be indexed is not found, and the others are']],
};

test('every source file with deferred work is listed', () => {
  const found = readdirSync(`${server}src`, { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => {
      if (withoutQueue.has(name)) return false;
      const text = readFileSync(`${server}${name}`, 'utf8');
      return forms.some((form) => form.test(text));
    });
  expect(found.sort()).toEqual(Object.keys(tests).sort());
});

test.each(Object.entries(tests).flatMap(([source, list]) => list.map((one) => [source, ...one] as const)))(
  '%s: %s has the test "%s"',
  (_, file, title) => {
    expect(readFileSync(`${server}${file}`, 'utf8')).toContain(title && `'${title}'`);
  },
);
