// A clock that was ahead and is set right, while the server runs and between two runs: nothing waits for the wrong time.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { AlertClient } from '../support/alert-client.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const day = 86_400_000;
const ways = [
  ['nine hours', 'running', 9 * 60 * minute],
  ['forty days', 'restarted', 40 * day],
] as const;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock, env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const rowOf = async <T>(text: string, values: unknown[] = []) =>
    (await server!.services.database.query<T>(text, values)).rows[0];
  /** Sets the clock ahead, and lets the server notice it. */
  async function setAhead(shift: number) {
    clock.jump(shift);
    await caller.advance(10_000);
  }
  /** Sets the clock right, and lets the server notice it. */
  async function setRight(shift: number, how: 'running' | 'restarted') {
    if (how === 'running') clock.jump(-shift);
    else await server!.restart(undefined, async () => clock.jump(-shift));
    await caller.advance(10_000);
  }

  test.each(ways)('a delivery is retried after a clock %s ahead was set right, %s', async (_, how, shift) => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await setAhead(shift);
    await line.send(1);
    const job = () =>
      rowOf<{ attempts: number; runAt: string }>(
        `select j.attempts, j.run_at as "runAt" from job j join action_record r
           on r.action_record_id = (j.payload->>'actionRecordId')::uuid
         where r.action_id = $1 and j.locked_by is null`,
        [line.actionId],
      );
    await expect.poll(job).toMatchObject({ attempts: 1 });
    await setRight(shift, how);
    await caller.advanceUntil(async () => ((await job())?.attempts ?? 0) > 1, true);
  });

  test.each(ways)('a scope recovers after a clock %s ahead was set right, %s', async (_, how, shift) => {
    const line = await caller.createAlertPath({ recoveryTime: 600 });
    await setAhead(shift);
    await line.send(1);
    expect(await line.scope()).toMatchObject({ severity: 1 });
    await setRight(shift, how);
    await caller.advance(9 * minute);
    expect(await line.scope()).toMatchObject({ severity: 1 });
    await caller.advanceUntil(async () => (await line.scope()).severity, 0, minute);
  });

  test.each(ways)(
    'a delayed trigger fires after a clock %s ahead was set right, %s',
    async (_, how, shift) => {
      const line = await caller.createAlertPath();
      await line.trigger([
        { conditionId: 'scope-status-after', params: { seconds: 60, comparison: 'ne', status: 'normal' } },
      ]);
      await setAhead(shift);
      await line.send(1);
      const second = await line.send(1);
      await setRight(shift, how);
      const outcome = async () => (await line.why(second)).events[0]!.triggers[0]!.outcome;
      expect(await outcome()).toBe('waiting');
      await caller.advanceUntil(outcome, 'fired', 10_000);
    },
  );

  test('a trigger held by a mute schedule is released after the clock was set right', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    const at = (days: number) => isoTime(clock.now() + days * day);
    await caller.make(`scopes/${line.scopeId}/mute-schedules`, {
      ...{ displayName: 'later', beginAt: at(39), endAt: at(60), atEnd: 'fire' },
    });
    await setAhead(40 * day);
    await line.send(1);
    const held = await line.send(1);
    const outcome = async () => (await line.why(held)).events[0]!.triggers[0]!.outcome;
    expect(await outcome()).toBe('muted');
    await setRight(40 * day, 'running');
    await caller.advanceUntil(outcome, 'fired');
  });

  test('what happened while the clock was ahead does not count for the limits of a trigger', async () => {
    const line = await caller.createAlertPath();
    await line.trigger([
      { conditionId: 'recent-actions', params: { seconds: 3600, countComparison: 'eq', count: 0 } },
    ]);
    await setAhead(40 * day);
    await line.send(1);
    await expect.poll(async () => (await line.records()).length).toBe(1);
    await setRight(40 * day, 'running');
    await line.send(1);
    await line.send(1);
    await expect.poll(async () => (await line.records()).length).toBe(2);
  });

  test('a delivery that waits for its retry does not go early because the clock is corrected by a minute', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await caller.advance(10_000);
    await line.send(1);
    const runAt = async () =>
      (
        await rowOf<{ at: string }>(
          `select j.run_at as at from job j join action_record r on r.action_record_id = (j.payload->>'actionRecordId')::uuid
           where r.action_id = $1 and j.locked_by is null and j.attempts = 1`,
          [line.actionId],
        )
      )?.at;
    await expect.poll(runAt).toBeDefined();
    const before = await runAt();
    clock.jump(-minute);
    await caller.advance(20_000);
    expect(await runAt()).toBe(before);
  });
});
