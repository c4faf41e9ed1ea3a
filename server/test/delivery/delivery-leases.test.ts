// Deliveries that take long, or end while the database is away, are sent once: their leases are kept, and their
// outcomes recorded later. A slow mail server delays no mail of another sender.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Deliveries } from '../../src/alerthub/deliveries/deliveries.ts';
import type { Delivery } from '../../src/alerthub/deliveries/delivery-store.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import { ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import { failedResult, type SendResult } from '../../src/delivery/send-result.ts';
import { leaseMs } from '../../src/jobs/job-queue.ts';
import { createSealing } from '../../src/resource/sealing/sealed-fields.ts';
import { trackDatabase } from '../jobs/tracked-database.ts';
import { createStoreWithTables, type TestStore } from '../support/test-store.ts';

const sent: SendResult = {
  ...{ outcome: 'succeeded', retry: false, statusCode: 250, reply: '' },
  reason: { word: 'delivery.sent', params: {} },
};
const spaceId = '0190a0a0-4444-7000-8000-00000000000a';

let store: TestStore;
let database: Database;
let settled: () => Promise<void>;
/** Statements fail: all, or those that record outcomes after the database has executed them. */
let failing: 'all' | 'answers of outcomes' | undefined;
let clock: ManualClock;
let lines: LogLine[];
let attempts: Delivery[];
let send: (delivery: Delivery) => Promise<SendResult>;
let servers: Deliveries[];

beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  const opened = await store.open();
  const unreliable = Object.create(opened, {
    query: {
      async value(...given: Parameters<Database['query']>) {
        if (failing === 'all') throw new StoreUnavailable('away');
        const result = await opened.query(...given);
        const [statement] = given;
        const isOutcome = typeof statement === 'object' && statement.name === 'finish-deliveries';
        if (failing === 'answers of outcomes' && isOutcome) throw new StoreUnavailable('answer lost');
        return result;
      },
    },
  });
  ({ database, settled } = trackDatabase(unreliable));
  [failing, clock, lines, attempts, servers] = [undefined, new ManualClock(), [], [], []];
}, 120_000);
afterEach(async () => {
  for (const server of servers) await server.close();
  await store?.remove();
});

function createServer(instance: string): Deliveries {
  const log = (line: LogLine) => void lines.push(line);
  const server = new Deliveries({
    ...{ database, clock, log, instance, random: () => 0.5, lateAfterMs: 300_000 },
    changes: new ChangeBus({ database, clock, log, instance }),
    sealing: createSealing(deriveSecret(Buffer.alloc(32, 1))),
    onAttempt: () => undefined,
    send(delivery) {
      attempts.push(delivery);
      return send(delivery);
    },
  });
  servers.push(server);
  return server;
}

/** Queues mails of a sender that are due now. They belong to a runbook, so their outcomes wait for no others. */
async function queueMails(senderId: string, count: number, text = ''): Promise<void> {
  const nextId = createIdSource(clock);
  await database.query(
    `with made as (
       insert into action_record (action_record_id, space_id, action_id, kind, status, delivery_id, runbook_record_id, request, missing, created_at, updated_at)
       select id, $2, id, 'email', 'waiting', id, id, $3, '[]', $4, $4 from unnest($1::uuid[]) id
       returning action_record_id
     )
     insert into job (queue, run_at, payload) select 'delivery', $4, jsonb_build_object('actionRecordId', action_record_id) from made`,
    [
      Array.from({ length: count }, () => nextId()),
      spaceId,
      { to: [], emailActionSenderSettingId: senderId, text },
      isoTime(clock.now()),
    ],
  );
}

/** A mail server that responds after that time. */
const responds =
  (milliseconds: number, result = sent) =>
  () =>
    new Promise<SendResult>((resolve) => void clock.after(milliseconds, () => resolve(result)));

/** Lets the time pass in steps. */
async function pass(seconds: number, step = 1): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    clock.advance(step * 1000);
    await settled();
  }
}

const records = async () =>
  (
    await database.query<{ status: string; attempts: number; count: number }>(
      `select status, jsonb_array_length(attempts) as attempts, count(*)::int as count from action_record
       group by 1, 2 order by 1, 2`,
    )
  ).rows;

const succeeded = (count: number) => [{ status: 'succeeded', attempts: 1, count }];

test('mails to a slow mail server are sent once, although they wait longer than a lease', async () => {
  send = responds(50_000);
  // A start releases all leases on this engine.
  await createServer('other').start();
  await queueMails('slow', 64);
  await createServer('one').start();
  await pass(4 * 50 + 10, 5);
  expect(attempts).toHaveLength(64);
  expect(await records()).toEqual(succeeded(64));
});

test('a delivery whose lease was lost while it waited is left to the other server', async () => {
  send = responds(10_000);
  await queueMails('slow', 17);
  const server = createServer('one');
  await server.start();
  expect(attempts).toHaveLength(16);
  const waiting = (await database.query<{ id: string }>('select id::text as id from job')).rows
    .map(({ id }) => id)
    .find((id) => !attempts.some(({ jobId }) => jobId === id));
  failing = 'all';
  clock.advance(leaseMs);
  failing = undefined;
  // Another server claims it.
  await database.query(`update job set locked_by = 'other', attempts = 2, run_at = $1 where id = $2`, [
    isoTime(clock.now() + leaseMs),
    waiting,
  ]);
  await pass(20);
  expect(attempts.filter(({ jobId }) => jobId === waiting)).toEqual([]);
  await server.idle();
});

test('nothing waiting is sent while the database is away for so long that its lease may be lost', async () => {
  send = responds(61_000);
  await queueMails('slow', 17);
  await createServer('one').start();
  failing = 'all';
  await pass(61);
  expect(attempts).toHaveLength(16);
  failing = undefined;
  await pass(20);
  expect(attempts).toHaveLength(17);
  await pass(61);
  expect(await records()).toEqual(succeeded(17));
});

test.each([
  ['is away', 'all'],
  ['stores it and does not answer', 'answers of outcomes'],
] as const)('a delivery that ends when the database %s is sent and recorded once', async (_what, how) => {
  send = responds(1000);
  await queueMails('quick', 3);
  const server = createServer('one');
  await server.start();
  failing = how;
  await pass(leaseMs / 1000 + 10);
  failing = undefined;
  await pass(20);
  expect(attempts).toHaveLength(3);
  expect(await records()).toEqual(succeeded(3));
  expect(lines).toContainEqual(
    expect.objectContaining({ message: 'attempts were not recorded, will be tried again' }),
  );
});

test('a server stops although the outcomes of its deliveries cannot be recorded', async () => {
  send = responds(1000);
  await queueMails('quick', 1);
  const server = createServer('one');
  await server.start();
  failing = 'answers of outcomes';
  await pass(2);
  await server.close();
  expect(lines.at(-1)).toMatchObject({ message: 'an attempt could not be recorded', error: 'answer lost' });
});

test.each([
  ['small', ''],
  ['large', 'x'.repeat(100_000)],
])(
  '%s mails to a mail server that does not respond hold up no mail of another sender',
  async (_size, text) => {
    const silent = responds(60_000, failedResult('delivery.timeout', { seconds: 60 }, { retry: false }));
    const isSilent = ({ request }: Delivery) =>
      (request as { emailActionSenderSettingId: string }).emailActionSenderSettingId === 'silent';
    send = (delivery) => (isSilent(delivery) ? silent() : Promise.resolve(sent));
    await queueMails('silent', 40, text);
    const server = createServer('one');
    await server.start();
    await settled();
    await queueMails('quick', 1, text);
    await pass(2);
    expect(attempts.filter((delivery) => !isSilent(delivery))).toHaveLength(1);
    await pass(200, 5);
  },
);
