// What is recorded of a delivery concerns its own job, record and runbook, and only while its lease is held.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStoreWithTables, type TestStore } from '../../../test/support/test-store.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import type { Database } from '../../db/database.ts';
import { createSealing } from '../../resource/sealing/sealed-fields.ts';
import {
  type ClaimedRow,
  type Delivery,
  type DeliveryOutcome,
  endDelivery,
  failUnclaimed,
  readDeliveries,
  readWholeDelivery,
  storeOutcomes,
  withoutLargeRequest,
} from './delivery-store.ts';

const [now, later] = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'];
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const space = idOf(901);
const sealing = createSealing(deriveSecret(Buffer.alloc(32, 1)));
let store: TestStore;
let database: Database;
/** Two deliveries leased by this process, each awaited by a runbook record. */
let one: Delivery;

beforeAll(async () => {
  store = (await createStoreWithTables('embedded'))!;
  database = await store.open();
}, 120_000);
beforeEach(async () => {
  await database.query('truncate job, action_record, runbook_record, action_trouble');
  one = await addDelivery(1);
  await addDelivery(2);
});
afterAll(() => store?.remove());

async function addDelivery(number: number): Promise<Delivery> {
  const id = idOf(number);
  await database.query(
    `insert into action_record (action_record_id, space_id, action_id, kind, status, delivery_id, request, missing, created_at, updated_at)
     values ($1, $2, $1, 'webhook', 'waiting', $4::text, jsonb_build_object('body', $4::text), '[]', $3, $3)`,
    [id, space, now, id],
  );
  await database.query(
    `insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, depth, display_name, flow, context, requested_at, updated_at, waits_for)
     values ($1, $2, $2, 'processing', 'trigger', 0, '', '{}', '{}', $3, $3, $1)`,
    [id, space, now],
  );
  const { rows } = await database.query<{ id: string }>(
    `insert into job (queue, run_at, attempts, locked_by, payload) values ('delivery', $1, 1, 'here', $2) returning id::text as id`,
    [now, JSON.stringify({ actionRecordId: id })],
  );
  return {
    ...{ jobId: rows[0]!.id, spaceId: space, attempt: 1, createdAt: now, kind: 'webhook', request: {} },
    ...{ actionRecordId: id, actionId: id, deliveryId: id, runbookRecordId: id },
  };
}

/** Of both deliveries: whether the job is leased or gone, the status, the attempts, and whether the runbook goes on. */
const state = async () =>
  (
    await database.query<Record<string, unknown>>(
      `select coalesce(j.locked_by, case when j.id is null then 'gone' else 'free' end) as job, a.status,
         jsonb_array_length(a.attempts) as attempts, b.due_at is not null as continues
       from action_record a join runbook_record b on b.waits_for = a.action_record_id
       left join job j on j.payload->>'actionRecordId' = a.action_record_id::text order by a.action_record_id`,
    )
  ).rows.map(({ job, status, attempts, continues }) => [job, status, attempts, continues]);
const untouched = ['here', 'waiting', 0, false];

const outcome = (delivery: Delivery, change: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  delivery,
  attempt: {
    ...{ number: delivery.attempt, startedAt: now, endedAt: now, outcome: 'succeeded', statusCode: 200 },
    ...{ reason: { word: 'delivery.sent', params: {} }, reply: '' },
  },
  ...{ status: 'succeeded', nextAt: null, late: false, answer: undefined },
  ...change,
});

test('the last attempt ends its job and continues its runbook', async () => {
  expect(await storeOutcomes(database, 'here', now, [outcome(one)])).toEqual([
    { space_id: space, runbook_record_id: idOf(1) },
  ]);
  expect(await state()).toEqual([['gone', 'succeeded', 1, true], untouched]);
});

test('an attempt that is to be repeated frees its job for later', async () => {
  const again = outcome(one, { status: 'waiting', nextAt: later });
  expect(await storeOutcomes(database, 'here', now, [again])).toEqual([]);
  expect(await state()).toEqual([['free', 'waiting', 1, false], untouched]);
  const { rows } = await database.query('select run_at as at from job where locked_by is null');
  expect(rows).toEqual([{ at: later }]);
});

test.each([
  ['by another process', 'there', 1],
  ['by this process for a later attempt', 'here', 2],
])('an attempt whose job was leased again %s is only noted', async (_whom, owner, attempts) => {
  await database.query('update job set locked_by = $1, attempts = $2 where id = $3', [
    ...[owner, attempts, one.jobId],
  ]);
  expect(await storeOutcomes(database, 'here', now, [outcome(one)])).toEqual([]);
  expect(await state()).toEqual([[owner, 'waiting', 1, false], untouched]);
});

test('an outcome that is stored a second time is recorded and counted once', async () => {
  const late = outcome(one, { status: 'waiting', nextAt: later, late: true });
  for (let time = 0; time < 2; time++) await storeOutcomes(database, 'here', now, [late]);
  expect(await state()).toEqual([['free', 'waiting', 1, false], untouched]);
  const { rows } = await database.query('select late_count as n from action_trouble');
  expect(rows).toEqual([{ n: 1 }]);
});

test('late deliveries are counted by action, without drills, until one works', async () => {
  const troubles = async () =>
    (
      await database.query(
        'select action_id as id, late_count as n, worked_at as at from action_trouble order by 1',
      )
    ).rows;
  const late = outcome(one, { status: 'waiting', nextAt: later, late: true });
  const drill = await addDelivery(3);
  await database.query('update action_record set drill = true where action_record_id = $1', [idOf(3)]);
  await storeOutcomes(database, 'here', now, [late, outcome(drill, { late: true, status: 'failed' })]);
  const next = { ...late, attempt: { ...late.attempt, number: 2 } };
  await storeOutcomes(database, 'here', now, [next]);
  expect(await troubles()).toEqual([{ id: idOf(1), n: 2, at: null }]);
  await storeOutcomes(database, 'here', later, [outcome(one)]);
  expect(await troubles()).toEqual([{ id: idOf(1), n: 2, at: later }]);
});

test('a delivery whose attempts cannot be recorded ends alone, and only under its lease', async () => {
  await endDelivery(database, 'there', now, one);
  expect(await state()).toEqual([untouched, untouched]);
  await endDelivery(database, 'here', now, one);
  expect(await state()).toEqual([['gone', 'failed', 0, true], untouched]);
});

test('a delivery that cannot be claimed fails with the number of its attempt', async () => {
  const job = (actionRecordId: string) => ({ id: one.jobId, attempts: 1, payload: { actionRecordId } });
  await failUnclaimed(database, job('no id'), new Error('no'), now);
  expect(await state()).toEqual([untouched, untouched]);
  await failUnclaimed(database, job(idOf(1)), new Error('no'), now);
  expect(await state()).toEqual([['here', 'failed', 1, true], untouched]);
  const { rows } = await database.query<{ attempts: object[] }>(
    'select attempts from action_record where action_record_id = $1',
    [idOf(1)],
  );
  expect(rows[0]!.attempts).toMatchObject([{ number: 2, reason: { params: { detail: 'no' } } }]);
  // It has ended by now.
  await failUnclaimed(database, job(idOf(1)), new Error('no'), now);
  expect((await state())[0]).toEqual(['here', 'failed', 1, true]);
});

test('a claimed job whose record is gone is removed, unless another process has it by now', async () => {
  const row = (id: string) => ({ id, action_record_id: null }) as ClaimedRow;
  const other = await addDelivery(3);
  await database.query(`update job set locked_by = 'there' where id = $1`, [other.jobId]);
  const read = await readDeliveries({ database, instance: 'here', sealing }, [
    row(one.jobId),
    row(other.jobId),
  ]);
  expect(read).toEqual([]);
  expect((await state()).map(([job]) => job)).toEqual(['gone', 'here', 'there']);
});

test('a request of more than 64 KiB is read when it is sent', async () => {
  const withBody = (length: number) => withoutLargeRequest({ ...one, request: 'x'.repeat(length) });
  // The quotes count.
  expect(withBody(64 * 1024 - 2)).toMatchObject({ isPartial: false, request: 'x'.repeat(64 * 1024 - 2) });
  expect(withBody(64 * 1024 - 1)).toMatchObject({ isPartial: true, request: null });
  expect(withoutLargeRequest({ ...one, request: null })).toMatchObject({ isPartial: false });
  expect(await readWholeDelivery({ database, sealing }, { ...one, isPartial: true })).toMatchObject({
    ...{ isPartial: false, request: { body: idOf(1) } },
  });
});
