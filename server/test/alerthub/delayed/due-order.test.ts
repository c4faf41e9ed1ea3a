// What came due while no server ran is made up for at its start in the order of its times, on a test clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { AlertClient } from '../../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../../support/test-server.ts';

const minute = 60_000;
const hour = 60 * minute;

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

  const iso = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
  const isWrongAfter = (seconds: number) => [
    { conditionId: 'scope-status-after', params: { seconds, comparison: 'ne', status: 'normal' } },
  ];
  const restartAfter = (milliseconds: number) =>
    server!.restart({}, async () => void clock.advance(milliseconds));
  /** Waits until the scope has recovered and nothing more is due. */
  const recovered = (line: { scope(): Promise<{ status: string }> }) =>
    caller.advanceUntil(async () => (await line.scope()).status, 'normal');

  test.each([
    ['is decided as before its recovery', 600, 1],
    ['finds the scope recovered', 1200, 0],
  ])('a delayed condition of %#: a trigger %s', async (_, seconds, expected) => {
    const line = await caller.createAlertPath({ recoveryTime: 900 });
    await line.trigger(isWrongAfter(seconds));
    await line.send(1);
    await line.send(1);
    await restartAfter(3 * hour);
    await recovered(line);
    await caller.advance(minute);
    const fired = (await line.events()).filter(({ source }) => source === 'rule').length * expected;
    expect(await line.records()).toHaveLength(fired);
  });

  test('a trigger that a mute schedule held does not fire when the scope recovered before its end', async () => {
    const line = await caller.createAlertPath({ recoveryTime: 300 });
    await line.trigger([{ conditionId: 'severity-changed', params: { direction: 'up' } }]);
    await caller.make(`scopes/${line.scopeId}/mute-schedules`, {
      displayName: 'work',
      beginAt: iso(-minute),
      endAt: iso(hour),
      atEnd: 'fire',
    });
    await line.send(1);
    const messageId = await line.send(1);
    await restartAfter(3 * hour);
    await recovered(line);
    await caller.advance(minute);
    expect(await line.records()).toEqual([]);
    expect((await line.why(messageId)).events[0]!.triggers[0]).toMatchObject({
      notes: [{ word: 'why.mute.recovered' }],
    });
  });
});
