// What-if replays over HTTP: stored messages with changed settings, without sending or changing anything.
import type { ReplayState } from '@yagura/core/alerthub/replay';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createReplayTask } from '../../src/alerthub/replay/replay-task.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const nobody = '0190a0a0-0000-7000-8000-000000000000';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let caller: AlertClient;
  let line: Awaited<ReturnType<AlertClient['createAlertPath']>>;
  let triggerId = '';

  beforeAll(async () => {
    const clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    line = await caller.createAlertPath({ recoveryTime: 300 });
    ({ triggerId } = await line.trigger());
    for (const delta of [1, 1, 1]) {
      await line.send(delta, { at: clock.now() });
      await caller.advance(60_000);
    }
    const event = { severityName: 'disk', delta: 4 };
    await caller.make(`scopes/${line.scopeId}/events`, event);
    await caller.advance(400_000);
    // The time of the recovery may be read only then.
    await vi.waitFor(async () => {
      await caller.advance(1000);
      expect((await line.scope()).severity).toBe(0);
    }, 30_000);
    await line.send(1);
    await caller.advance(60_000);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const start = async (change: object | null) => {
    const reply = await caller.callApi('POST', `${api}/replays`, { days: 1, change });
    expect(reply.status, reply.text).toBe(200);
    return (reply.data as { replayId: string }).replayId;
  };
  const state = (id: string) => caller.show<ReplayState>(`replays/${id}/state`);
  const replayed = async (change: object | null) => {
    const id = await start(change);
    await server!.settled();
    const { status, result, errorDescriptor } = await state(id);
    expect([status, errorDescriptor]).toEqual(['succeeded', null]);
    return result!;
  };
  const told = async () => ({
    events: await line.events(),
    records: (await line.records()).map(({ actionRecordId }) => actionRecordId),
    scope: await line.scope(),
  });

  test('a replay that takes too long ends with what it has reached', async () => {
    const { database, sealing, spaceId } = server!.services;
    const { clock } = caller;
    const task = {
      ...{ taskId: nobody, spaceId, requestedBy: null, resumed: false },
      params: { days: 1, change: null },
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    const reportAfter = async (seconds: number) => {
      let elapsed = 0;
      const elapsedMs = () => {
        elapsed += seconds * 1000;
        return elapsed;
      };
      return createReplayTask({ database, clock, sealing, elapsedMs }).run(task);
    };
    expect(await reportAfter(300)).toMatchObject({ whole: true, messages: 4 });
    const cut = await reportAfter(301);
    expect(cut).toMatchObject({ whole: false, messages: 4 });
    expect(Date.parse(cut!.until as string)).toBeLessThan(clock.now());
  });

  test('unchanged settings change nothing, and make again what has happened', async () => {
    const before = await told();
    const result = await replayed(null);
    const events = before.events.length;
    expect(result).toMatchObject({
      whole: true,
      messages: 4,
      events: { same: events, added: 0, lost: 0, moved: 0 },
      actions: { added: 0, lost: 0, moved: 0 },
      differences: [],
    });
    expect(await told()).toEqual(before);
  });

  test('a changed rule, threshold, trigger and mute tell what they would have done', async () => {
    const before = await told();
    const rule = (await caller.list<{ ruleId: string }>(`rules?filter=displayName eq "${line.label} 1"`))[0]!;
    const double = { eventParams: [{ scopeId: line.scopeId, delta: 2 }] };
    const changedRule = await replayed({ kind: 'rule', id: rule.ruleId, body: double });
    expect(changedRule.events).toMatchObject({ added: 0, lost: 0 });
    expect(changedRule.differences[0]).toMatchObject({
      kind: 'moved',
      scopeId: line.scopeId,
      before: { delta: 1, severity: 1 },
      after: { delta: 2, severity: 2 },
    });
    const removed = await replayed({ kind: 'rule', id: rule.ruleId, body: null });
    expect(removed.events).toMatchObject({ added: 0, lost: 4 + 1 });
    const threshold = await replayed({
      kind: 'scope',
      id: line.scopeId,
      body: { thresholds: { warning: 1, incident: 2 } },
    });
    expect(threshold.events).toMatchObject({ added: 0, lost: 0 });
    expect(threshold.curves).toMatchObject([
      { scopeName: line.label, thresholds: { warning: 1, incident: 2 } },
    ]);
    const conditions = [{ conditionId: 'severity-changed', params: { direction: 'down' } }];
    const trigger = await replayed({ kind: 'trigger', id: triggerId, body: { conditions } });
    expect(trigger.events).toMatchObject({ added: 0, lost: 0, moved: 0 });
    expect(trigger.actions.lost).toBe(5);
    const mute = await replayed({
      kind: 'mute-schedule',
      scopeId: line.scopeId,
      body: { displayName: 'x', beginAt: '2025-12-31T00:00:00Z', endAt: '2026-01-03T00:00:00Z' },
    });
    expect(mute.actions).toMatchObject({ same: 0, added: 0 });
    expect(mute.actions.lost).toBeGreaterThan(5);
    expect(await told()).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['a field', { days: 31 }, 'days'],
    ['a thing that is not there', { change: { kind: 'rule', id: nobody, body: {} } }, 'change.id'],
    ['nothing', { change: { kind: 'rule', body: null } }, 'change.body'],
    [
      'a scope that is not there',
      { change: { kind: 'trigger', scopeId: nobody, body: {} } },
      'change.scopeId',
    ],
    [
      'a body that is wrong',
      { change: { kind: 'rule', body: { displayName: 'x', receiveSlotId: 'y' } } },
      'change.body.receiveSlotId',
    ],
    [
      'a step that cannot run',
      {
        change: {
          kind: 'rule',
          body: { displayName: 'x', receiveSlotId: nobody, flow: { steps: [{ operatorId: 'none' }] } },
        },
      },
      'change.body.flow.steps.0.operatorId',
    ],
  ])('%s is refused at its field', async (_, body, name) => {
    const reply = await caller.callApi('POST', `${api}/replays`, body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });

  test('a replay that nobody began is not found', async () => {
    for (const id of [nobody, 'x']) {
      expect((await caller.callApi('GET', `${api}/replays/${id}/state`)).status).toBe(404);
      expect((await caller.callApi('POST', `${api}/replays/${id}/abort`)).status).toBe(404);
    }
  });
});
