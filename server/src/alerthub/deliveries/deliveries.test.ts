// Deliveries buffered for a slow target return to the queue without counting as attempts, on shutdown and
// when others need the capacity.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStoreWithTables, type TestStore } from '../../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import { createIdSource } from '../../common/id.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import type { SendResult } from '../../delivery/send-result.ts';
import { createSealing } from '../../resource/sealing/sealed-fields.ts';
import { Deliveries } from './deliveries.ts';

const sent: SendResult = {
  outcome: 'succeeded',
  retry: false,
  statusCode: 200,
  reason: { word: 'delivery.sent', params: {} },
  reply: '',
};
const mebibyte = 1024 * 1024;
const spaceId = '0190a0a0-4444-7000-8000-000000000009';

let store: TestStore;
let database: Database;
let clock: ManualClock;
let begun: { host: string; size: number; end: () => void }[];
let logged: unknown[];
let deliveries: Deliveries;
/** Whether targets respond at once instead of when they are told to, and with what. */
let respondsAtOnce: boolean;
let response: SendResult;

beforeEach(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
  clock = new ManualClock();
  begun = [];
  logged = [];
  respondsAtOnce = false;
  response = sent;
  deliveries = new Deliveries({
    ...{ database, clock, random: () => 0.5, instance: 'one', lateAfterMs: 300_000 },
    log: ({ error }) => void logged.push(error),
    changes: new ChangeBus({ database, clock, log: () => {}, instance: 'one' }),
    sealing: createSealing(deriveSecret(Buffer.alloc(32, 1))),
    onAttempt: () => undefined,
    send: ({ request }) =>
      new Promise((resolve) => {
        const { url, body = '' } = request as { url: string; body?: string };
        begun.push({ host: new URL(url).host, size: body.length, end: () => resolve(response) });
        if (respondsAtOnce) resolve(response);
      }),
  });
}, 120_000);
afterEach(() => store?.remove());

/** Queues webhooks of a space to a host, due immediately; `size` is that of their bodies. */
async function queue(host: string, count: number, size = 0, ofSpace = spaceId): Promise<void> {
  const nextId = createIdSource(clock);
  await database.query(
    `with made as (
       insert into action_record (action_record_id, space_id, action_id, kind, status, delivery_id, request, missing, created_at, updated_at)
       select id, $2, id, 'webhook', 'waiting', id, jsonb_build_object('url', $3::text, 'body', repeat('x', $5::int)), '[]', $4, $4 from unnest($1::uuid[]) id
       returning action_record_id
     )
     insert into job (queue, run_at, space_id, payload)
     select 'delivery', $4, $2, jsonb_build_object('actionRecordId', action_record_id) from made`,
    [Array.from({ length: count }, () => nextId()), ofSpace, `https://${host}/`, isoTime(clock.now()), size],
  );
}

const jobs = async () =>
  (
    await database.query<{ held: boolean; attempts: number; count: number }>(
      'select locked_by is not null as held, attempts, count(*)::int as count from job group by 1, 2 order by 1, 2',
    )
  ).rows;

/** Milliseconds until deliveries that nothing holds are due. */
const delays = async () =>
  (
    await database.query<{ at: string }>('select distinct run_at as at from job where locked_by is null')
  ).rows.map(({ at }) => Date.parse(at) - clock.now());

async function endAndClose(): Promise<void> {
  const closed = deliveries.close();
  for (const { end } of begun) end();
  await closed;
}

test('a stop gives back what was only held, as if it had not been tried', async () => {
  await queue('slow.example', 40);
  await deliveries.start();
  expect(begun.length).toBeGreaterThan(0);
  const tried = begun.length;
  expect(tried).toBeLessThan(40);
  expect(await jobs()).toEqual([{ held: true, attempts: 1, count: 40 }]);
  await endAndClose();
  expect(await jobs()).toEqual([{ held: false, attempts: 0, count: 40 - tried }]);
});

test('a stop makes what was being claimed due at once, also for a slow target', async () => {
  await queue('slow.example', 16);
  await deliveries.start();
  expect(begun.length).toBe(16);
  clock.advance(500);
  await queue('slow.example', 100);
  // Begins to claim them.
  clock.advance(500);
  const closed = deliveries.close();
  // They arrive before the target responds.
  for (let turn = 0; turn < 5; turn += 1) await database.query('select 1');
  for (const { end } of begun) end();
  await closed;
  expect(begun.length).toBe(16);
  expect(await jobs()).toEqual([{ held: false, attempts: 0, count: 100 }]);
  expect(await delays()).toEqual([0]);
});

test('a stop does not wait when no attempt is running', async () => {
  respondsAtOnce = true;
  await queue('quick.example', 1);
  await deliveries.start();
  await deliveries.idle();
  expect(begun.length).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let hasClosed = false;
    const closed = deliveries.close().then(() => {
      hasClosed = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(hasClosed).toBe(true);
    await vi.runAllTimersAsync();
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

test('a few deliveries held for a slow target go on as soon as it responds', async () => {
  await queue('slow.example', 40);
  await deliveries.start();
  clock.advance(500);
  deliveries.enqueue([]);
  expect(await jobs()).toEqual([{ held: true, attempts: 1, count: 40 }]);
  respondsAtOnce = true;
  for (const { end } of begun) end();
  await deliveries.idle();
  expect(begun.length).toBe(40);
  await deliveries.close();
});

test('what another server queued is found within a second, and not looked for more often', async () => {
  await deliveries.start();
  await queue('quick.example', 1);
  clock.advance(999);
  await database.query('select 1');
  await database.query('select 1');
  expect(begun).toEqual([]);
  clock.advance(1);
  await expect.poll(() => begun.length).toBe(1);
  begun[0]!.end();
  await deliveries.close();
});

test('what is held for a target that proves slow comes back after two seconds', async () => {
  await queue('silent.example', 190);
  await deliveries.start();
  await database.query('update job set run_at = $1 where locked_by is null', [isoTime(clock.now())]);
  clock.advance(10_000);
  await expect.poll(delays).toContain(2_000);
  await endAndClose();
});

test('a target that never answers keeps no place from others', async () => {
  await queue('silent.example', 190);
  await deliveries.start();
  const silent = begun.length;
  clock.advance(10_000);
  await queue('quick.example', 20);
  for (let second = 0; second < 5; second += 1) {
    clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const one of begun) if (one.host === 'quick.example') one.end();
  }
  await expect
    .poll(() => {
      clock.advance(1000);
      for (const one of begun) if (one.host === 'quick.example') one.end();
      return begun.filter(({ host }) => host === 'quick.example').length;
    })
    .toBe(20);
  expect(begun.filter(({ host }) => host === 'silent.example').length).toBeLessThan(silent + 64);
  const leased = async () =>
    (
      await database.query<{ count: number }>('select count(*)::int as count from job where run_at > $1', [
        isoTime(clock.now() + 10_000),
      ])
    ).rows[0]!.count;
  await expect.poll(leased).toBeLessThan(150);
  // A deferred delivery was not attempted, and does not count as an attempt however often it is deferred.
  expect((await jobs()).filter(({ attempts }) => attempts > 1)).toEqual([]);
  await endAndClose();
});

test('deliveries go on when those before them are recorded, without waiting for the next look', async () => {
  // Attempts end faster than the database records them.
  respondsAtOnce = true;
  for (let target = 0; target < 12; target += 1) await queue(`target-${target}.example`, 16);
  await deliveries.start();
  await expect.poll(() => begun.length).toBe(192);
  await deliveries.close();
});

test('large requests are read when they are sent, and not held for a silent target', async () => {
  const { query } = database;
  const read: number[] = [];
  vi.spyOn(database, 'query').mockImplementation(async (...given) => {
    const result = await query.apply(database, given);
    read.push(JSON.stringify(result.rows).length);
    return result;
  });
  await queue('silent.example', 40, mebibyte);
  await queue('quick.example', 1, mebibyte);
  await deliveries.start();
  await expect.poll(() => begun.length).toBe(17);
  expect(begun.map(({ size }) => size)).toEqual(Array(17).fill(mebibyte));
  expect(read.filter((size) => size > mebibyte)).toHaveLength(17);
  expect(Math.max(...read)).toBeLessThan(2 * mebibyte);
  await endAndClose();
});

test('large requests that were decided at once are not held either', async () => {
  await queue('quick.example', 30, mebibyte);
  const { rows } = await database.query<{ id: string; record: string }>(
    `update job set locked_by = 'one', attempts = 1, run_at = $1 returning id::text, payload->>'actionRecordId' as record`,
    [isoTime(clock.now() + 60_000)],
  );
  // Told from the stored one by its size.
  const request = { url: 'https://quick.example/', body: 'x'.repeat(mebibyte - 1) };
  deliveries.enqueue(
    rows.map(({ id, record }) => ({
      ...{
        jobId: id,
        spaceId,
        attempt: 1,
        createdAt: isoTime(clock.now()),
        request,
        kind: 'webhook' as const,
      },
      ...{ actionRecordId: record, actionId: record, deliveryId: record, runbookRecordId: null },
    })),
  );
  respondsAtOnce = true;
  for (const { end } of begun) end();
  await deliveries.idle();
  expect(begun.map(({ size }) => size)).toEqual([
    ...Array(16).fill(mebibyte - 1),
    ...Array(14).fill(mebibyte),
  ]);
  await deliveries.close();
});

test('a large delivery whose record is gone fails by itself', async () => {
  await queue('quick.example', 17, mebibyte);
  await deliveries.start();
  await expect.poll(() => begun.length).toBe(16);
  await database.query('delete from action_record');
  for (const { end } of begun) end();
  await expect.poll(() => logged).toContainEqual('the record of the delivery no longer exists');
  expect(begun).toHaveLength(16);
  await deliveries.close();
});

test('a delivery of a runbook step fails after the attempts that the step allows', async () => {
  respondsAtOnce = true;
  response = { ...sent, outcome: 'failed', retry: true, statusCode: 503 };
  await queue('away.example', 1);
  await database.query(`update job set payload = payload || '{"maxAttempts": 2}'`);
  const status = async () =>
    (await database.query<{ status: string }>('select status from action_record')).rows[0]!.status;
  await deliveries.start();
  await expect.poll(jobs).toEqual([{ held: false, attempts: 1, count: 1 }]);
  expect(await status()).toBe('waiting');
  const [delay] = await delays();
  clock.advance(delay!);
  await expect.poll(status).toBe('failed');
  expect([begun.length, await jobs()]).toEqual([2, []]);
  await deliveries.close();
});

const otherSpaceId = '0190a0a0-4444-7000-8000-000000000010';
/** Queues one webhook to each of many hosts, which do not respond. */
async function queueToManyHosts(count: number): Promise<void> {
  for (let host = 0; host < count; host += 1) await queue(`silent-${host}.example`, 1);
}
const hostsOf = (prefix: string) => begun.filter(({ host }) => host.startsWith(prefix)).length;

test('a space with many silent hosts takes three quarters of the attempts, and another one is not kept waiting', async () => {
  await queueToManyHosts(300);
  await deliveries.start();
  expect(hostsOf('silent')).toBe(48);
  // Held: 48 attempts, and what the buffer may have of the space in addition.
  expect((await jobs()).filter(({ held }) => held)).toEqual([{ held: true, attempts: 1, count: 198 }]);
  clock.advance(10_000);
  await queue('waiting.example', 3, 0, otherSpaceId);
  clock.advance(1000);
  await expect.poll(() => hostsOf('waiting')).toBe(3);
  expect(hostsOf('silent')).toBe(48);
  await endAndClose();
});

test('a backlog of a space goes on at once beside one of silent hosts', async () => {
  await queueToManyHosts(300);
  await deliveries.start();
  respondsAtOnce = true;
  for (let host = 0; host < 10; host += 1) await queue(`quick-${host}.example`, 20, 0, otherSpaceId);
  clock.advance(1000);
  // Without another second.
  await expect.poll(() => hostsOf('quick')).toBe(200);
  expect(hostsOf('silent')).toBe(48);
  await endAndClose();
});

test('deliveries that a server of an earlier version queued, without their space, have a share of their own', async () => {
  await queueToManyHosts(300);
  await database.query('update job set space_id = null');
  await deliveries.start();
  expect(hostsOf('silent')).toBe(48);
  expect(await jobs()).toContainEqual({ held: true, attempts: 1, count: 198 });
  await queue('waiting.example', 3, 0, otherSpaceId);
  clock.advance(1000);
  await expect.poll(() => hostsOf('waiting')).toBe(3);
  await endAndClose();
});

test('new deliveries are leased to this process as far as the share of their space goes', async () => {
  expect(deliveries.lease(spaceId).count).toBe(150);
  await queueToManyHosts(300);
  await deliveries.start();
  expect(deliveries.lease(spaceId).count).toBe(0);
  expect(deliveries.lease(otherSpaceId).count).toBeGreaterThan(30);
  await endAndClose();
});

test('the hosts of a space that respond again get everything that waits for them', async () => {
  await queueToManyHosts(300);
  await deliveries.start();
  respondsAtOnce = true;
  for (const { end } of begun) end();
  await expect
    .poll(() => {
      clock.advance(1000);
      return hostsOf('silent');
    })
    .toBe(300);
  await deliveries.close();
});
