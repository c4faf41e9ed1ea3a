// Conditions evaluated some seconds after an event, on a test clock, including restarts during the delay.
import { explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/common/clock.ts';
import { AlertClient, api } from '../../support/alert-client.ts';
import { startTestServer, storeKinds, type TestServer } from '../../support/test-server.ts';

type Body = Record<string, unknown>;
const minute = 60_000;

/** Example from the manual: an outage that persists for a minute. */
const notRecovered: Body[] = [
  { conditionId: 'event-value', params: { value: 'before', comparison: 'eq', number: 0 } },
  { conditionId: 'severity-changed', params: { direction: 'up' } },
  {
    conditionId: 'event-value-after',
    params: { seconds: 60, value: 'latest', comparison: 'ge', number: 1 },
  },
];

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
  /** Polls while due timers of waiting triggers fire and their work finishes. */
  const soon = <T>(look: () => Promise<T>) =>
    expect.poll(async () => {
      await caller.advance(0);
      return look();
    });
  const sent = (line: { records(): Promise<unknown[]> }, count: number) =>
    soon(async () => (await line.records()).length).toBe(count);

  test.each([
    ['fires once when it is not', [1, 1], false, 1],
    ['stays silent when it is', [1, -1], false, 0],
    ['fires once when it is not, through a restart', [1, 1], true, 1],
    ['stays silent when it is, through a restart', [1, -1], true, 0],
  ])('a trigger that waits whether all is well again %s', async (_, deltas, restarts, expected) => {
    const line = await caller.createAlertPath();
    await line.trigger(notRecovered);
    const first = await line.send(deltas[0]!);
    await caller.advance(minute / 2);
    await line.send(deltas[1]!);
    const decision = async () => (await line.why(first)).events[0]!.triggers[0]!;
    expect(await decision()).toMatchObject({
      outcome: 'waiting',
      conditions: [{}, {}, { dueAt: iso(minute / 2) }],
    });
    expect(await line.records()).toEqual([]);
    if (restarts) await server!.restart();
    await caller.advance(minute / 2);
    await soon(async () => (await decision()).outcome).toBe(expected ? 'fired' : 'held');
    await sent(line, expected);
    expect((await decision()).conditions[2]).toMatchObject({
      holds: expected === 1,
      seen: expected ? '2' : '0',
      askedAt: iso(0),
    });
    // Of the two events, the later one did not start at 0.
    const outcomes = (await line.events()).length;
    expect(outcomes).toBe(2);
  });

  test('tells in words what it waits for, and then what it saw', async () => {
    const line = await caller.createAlertPath();
    await line.trigger([
      { conditionId: 'scope-status-after', params: { seconds: 30, comparison: 'ne', status: 'normal' } },
      {
        conditionId: 'severity-after',
        params: { seconds: 90, name: 'default', comparison: 'ge', number: 2 },
      },
    ]);
    await line.send(1);
    const messageId = await line.send(1);
    const told = async () => explainDecisions(await line.why(messageId), await loadTranslator('en'));
    const texts = async () => (await told()).map(({ text }) => text);
    expect(await texts()).toEqual(
      expect.arrayContaining([
        `Trigger "${line.label}" waits until its remaining conditions can be evaluated`,
        'Condition "Scope status after a delay" is evaluated later: 30 seconds after the event, the scope status is not normal',
      ]),
    );
    await caller.advance(minute / 2);
    await soon(texts).toContainEqual(expect.stringContaining('after a delay" is met'));
    await caller.advance(minute);
    await soon(texts).toContain(`Trigger "${line.label}" fired`);
    await sent(line, 2);
  });

  test('of many events of one trouble only the first fires where recent actions are asked for', async () => {
    const line = await caller.createAlertPath();
    await line.trigger([
      { conditionId: 'recent-actions', params: { seconds: 1800, countComparison: 'eq', count: 0 } },
      {
        conditionId: 'event-value-after',
        params: { seconds: 60, value: 'latest', comparison: 'ge', number: 1 },
      },
    ]);
    for (let count = 0; count < 3; count += 1) {
      await line.send(1);
      await caller.advance(1000);
    }
    await caller.advance(minute);
    await sent(line, 1);
    await caller.advance(minute);
    await sent(line, 1);
  });

  test('a mute schedule that is active when the time has come holds it back', async () => {
    const line = await caller.createAlertPath();
    await line.trigger(notRecovered);
    await line.send(1);
    await line.send(1);
    await caller.make(`scopes/${line.scopeId}/mute-schedules`, {
      displayName: 'work',
      beginAt: iso(minute / 2),
      endAt: iso(3 * minute),
      atEnd: 'fire',
    });
    await caller.advance(minute);
    expect(await line.records()).toEqual([]);
    await server!.restart();
    await caller.advance(2 * minute);
    await sent(line, 1);
  });

  test.each([
    ['disabled', 'PATCH', { disabled: true }, 'disabled', 'why.trigger.disabledSince'],
    ['removed', 'DELETE', undefined, 'held', 'why.trigger.gone'],
  ] as const)('a trigger that is %s while it waits does not fire', async (_, method, body, outcome, word) => {
    const line = await caller.createAlertPath();
    const { triggerId } = await line.trigger(notRecovered);
    const messageId = await line.send(1);
    await caller.callApi(method, `${api}/scopes/${line.scopeId}/triggers/${triggerId}`, body);
    await caller.advance(minute);
    await soon(async () => (await line.why(messageId)).events[0]!.triggers[0]).toMatchObject({
      outcome,
      notes: [{ word }],
    });
    expect(await line.records()).toEqual([]);
  });
});
