// State after evaluation: no recovery of normal scopes, no deletion of messages still needed, no write
// outside a batch.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Retention } from '../../src/alerthub/retention/retention.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient } from '../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const lockKey = '7810774121093153901';
const day = 86_400_000;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const rowsOf = async (text: string, values: unknown[] = []) =>
    (await server!.services.database.query(text, values)).rows;

  test('a scope that is well again has nothing to recover from', async () => {
    const line = await caller.createAlertPath({ recoveryTime: 300 });
    const recovery = () =>
      rowsOf('select recovery_at is not null as due from scope_state where scope_id = $1', [line.scopeId]);
    await line.send(1);
    expect(await recovery()).toEqual([{ due: true }]);
    await line.send(-1);
    expect(await recovery()).toEqual([{ due: false }]);
  });

  test('a message that a trigger still waits for is kept, and one that nothing waits for is not', async () => {
    const line = await caller.createAlertPath();
    const { triggerId } = await line.trigger([
      {
        conditionId: 'event-value-after',
        params: { seconds: 86_400, value: 'latest', comparison: 'ge', number: 1 },
      },
    ]);
    const waited = await line.send(1);
    await caller.callApi('DELETE', `/api/apps/alerthub/scopes/${line.scopeId}/triggers/${triggerId}`);
    await rowsOf(
      `insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, message_id, cause, due_at, asks, trigger_values)
       select gen_random_uuid(), e.space_id, e.scope_id, $2, e.event_id, e.message_id, 'delay', '2100-01-01', '[]', '{}'
       from event e where e.message_id = $1 and not exists (select 1 from waiting_trigger w where w.message_id = $1)`,
      [waited, triggerId],
    );
    const other = await line.send(1);
    await rowsOf('delete from waiting_trigger where message_id = $1', [other]);
    await rowsOf(
      `insert into retention (space_id, message_days, history_days, updated_at) values ($1, 1, null, now())
       on conflict (space_id) do nothing`,
      [server!.services.spaceId],
    );
    await new Retention({ ...server!.services, clock: new ManualClock(clock.now() + 2 * day) }).runNow();
    expect(
      await rowsOf('select message_id from message where receive_slot_id = $1', [line.receiveSlotId]),
    ).toEqual([{ message_id: waited }]);
  });

  test('a message that is indexed again is found once', async () => {
    const line = await caller.createAlertPath();
    const messageId = await line.send(1, { note: 'twofold' });
    const { messageIndex } = server!.services;
    const indexed = () => rowsOf('select 1 as one from message_search where message_id = $1', [messageId]);
    await expect.poll(indexed).toHaveLength(1);
    await rowsOf('insert into message_unindexed (message_ids) values (array[$1::uuid])', [messageId]);
    messageIndex.wake();
    await messageIndex.idle();
    expect(await indexed()).toHaveLength(1);
    expect(await rowsOf('select 1 from message_unindexed')).toEqual([]);
    expect(server!.logLines.filter(({ message }) => message.includes('findable'))).toEqual([]);
  });

  test.runIf(engine === 'postgresql')('a write waits for the batch of another replica', async () => {
    const { database, pipeline } = server!.services;
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const batch = database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(${lockKey})`);
      locked();
      await held;
    });
    await isLocked;
    const order: string[] = [];
    const write = pipeline.withPipelineLock(
      'state',
      async () => void order.push('write'),
      () => {},
    );
    await expect
      .poll(() =>
        rowsOf(`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`),
      )
      .not.toEqual([{ n: 0 }]);
    order.push('batch');
    free();
    await Promise.all([batch, write]);
    expect(order).toEqual(['batch', 'write']);
  });

  test('the pipeline is idle only when a write between batches has ended', async () => {
    const { pipeline } = server!.services;
    await pipeline.idle();
    const order: string[] = [];
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const write = pipeline.withPipelineLock(
      'state',
      () => held,
      () => void order.push('written'),
    );
    const idle = pipeline.idle().then(() => order.push('idle'));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual([]);
    free();
    await Promise.all([write, idle]);
    expect(order).toEqual(['written', 'idle']);
  });
});
