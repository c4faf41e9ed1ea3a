// Alertmanager's messages with several alerts, as states: each alert counts once, whatever is repeated, until it is
// resolved.
import type { RuleDecision } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const names = ['Disk', 'Cpu', 'Memory', 'Network', 'Clock'];
const alert = (name: string, status: string) => ({
  status,
  labels: { alertname: name, severity: 'critical' },
  annotations: { summary: `${name} is bad` },
  startsAt: '2026-01-02T03:04:05.000Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `fp-${name}`,
});
const body = (alerts: object[]) => ({
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'yagura',
  groupLabels: {},
  commonLabels: {},
  alerts,
});

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let caller: AlertClient;
  let slot: { receiveSlotId: string; primary: string };
  let scopeId = '';

  const stateRule = (status: string, value: number) => ({
    displayName: `Alerts ${status}`,
    receiveSlotId: slot.receiveSlotId,
    forEach: '$.alerts[*]',
    flow: {
      steps: [
        {
          operatorId: 'text-compare',
          params: { source: 'element.status', comparison: 'equals', value: status },
        },
      ],
    },
    eventParams: [
      {
        scopeId,
        severityName: { path: '$.element.labels.severity' },
        mode: 'set',
        value,
        fingerprint: { path: 'element.fingerprint' },
      },
    ],
  });

  beforeAll(async () => {
    const clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    caller = new AlertClient(server, clock);
    slot = await caller.make('receive-slots', { displayName: 'Alertmanager' });
    ({ scopeId } = await caller.make<{ scopeId: string }>('scopes', {
      displayName: 'Shop',
      thresholds: { warning: 1, incident: 3 },
    }));
    await caller.make('rules', stateRule('firing', 1));
    await caller.make('rules', stateRule('resolved', 0));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const send = async (alerts: object[]): Promise<string> => {
    const reply = await post(slot.primary, JSON.stringify(body(alerts)));
    expect(reply.status).toBe(202);
    await server!.settled();
    return ((await reply.json()) as { messageId: string }).messageId;
  };
  const scopeNow = () => caller.show(`scopes/${scopeId}`);
  const all = (status: string) => names.map((name) => alert(name, status));

  test('five alerts, repeated and resolved over a restart, leave the scope normal', async () => {
    const first = await send(all('firing'));
    expect(await scopeNow()).toMatchObject({ status: 'incident', severity: 5 });
    const records = await caller.list<RuleDecision>(`message/detail/${first}/rule-records`);
    expect(records.map(({ outcome, elements }) => [outcome, elements!.map((one) => one.outcome)])).toEqual([
      ['matched', Array(5).fill('matched')],
      ['unmatched', Array(5).fill('unmatched')],
    ]);
    for (let repeat = 0; repeat < 3; repeat += 1) await send(all('firing'));
    expect(await caller.list(`scopes/${scopeId}/events`)).toHaveLength(5);

    await server!.restart();
    const again = await send(all('firing'));
    const why = await caller.show<{ rules: RuleDecision[]; events: unknown[] }>(
      `message/detail/${again}/why`,
    );
    expect(why.events).toEqual([]);
    expect(why.rules[0]!.elements!.map(({ notes }) => notes[0]!.word)).toEqual(
      Array(5).fill('why.event.alreadyFingerprint'),
    );
    await send([alert('Disk', 'resolved'), alert('Cpu', 'resolved'), alert('Memory', 'firing')]);
    expect(await scopeNow()).toMatchObject({ status: 'incident', severity: 3 });
    await send([alert('Disk', 'resolved'), alert('Memory', 'resolved')]);
    expect(await scopeNow()).toMatchObject({ status: 'warning', severity: 2 });

    await server!.restart();
    await send(all('resolved'));
    expect(await scopeNow()).toMatchObject({ status: 'normal', severity: 0 });
    expect(await stored()).toBe(0);
  });

  const stored = async (): Promise<number> => {
    const { rows } = await server!.services.database.query<{ count: number }>(
      'select count(*)::int as count from severity_fingerprint where scope_id = $1',
      [scopeId],
    );
    return rows[0]!.count;
  };

  test.each([
    ['a reset', 'POST', 'severities/reset'],
    ['the removal of the severity', 'DELETE', 'severities/critical'],
  ])('%s forgets the fingerprints', async (_, method, path) => {
    await send(all('firing'));
    expect(await stored()).toBe(5);
    const reply = await caller.callApi(
      method,
      `${api}/scopes/${scopeId}/${path}`,
      method === 'POST' ? {} : undefined,
    );
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(await stored()).toBe(0);
    await send([alert('Disk', 'firing')]);
    expect(await scopeNow()).toMatchObject({ severity: 1 });
    await send(all('resolved'));
    expect(await scopeNow()).toMatchObject({ status: 'normal', severity: 0 });
  });

  test('a test of the rule tells the elements, with the stored states', async () => {
    await send([alert('Disk', 'firing')]);
    const message = { content: { body: JSON.stringify(body(all('firing'))) } };
    const { displayName: _, ...rule } = stateRule('firing', 1);
    const reply = await caller.callApi('POST', `${api}/rules/test`, { rule, message });
    expect(reply.status, reply.text).toBe(200);
    const { why } = reply.data as { why: { rules: RuleDecision[]; events: unknown[] } };
    expect(why.rules[0]!.elements!.map(({ eventIds }) => eventIds.length)).toEqual([0, 1, 1, 1, 1]);
    expect(why.events).toHaveLength(4);
    expect(await scopeNow()).toMatchObject({ severity: 1 });
    await send([alert('Disk', 'resolved')]);
  });

  test.each<[string, object, string]>([
    ['a query that is none', { forEach: 'alerts' }, 'forEach'],
    [
      'a fingerprint without set',
      { eventParams: [{ scopeId: '', delta: 1, fingerprint: { path: 'a' } }] },
      'eventParams.0.fingerprint',
    ],
    ['no value', { eventParams: [{ scopeId: '', mode: 'set' }] }, 'eventParams.0.value'],
    ['a value below 0', { eventParams: [{ scopeId: '', mode: 'set', value: -1 }] }, 'eventParams.0.value'],
    ['an unknown mode', { eventParams: [{ scopeId: '', mode: 'drop', delta: 1 }] }, 'eventParams.0.mode'],
  ])('%s is refused by its name', async (_, part, name) => {
    const filled = JSON.parse(
      JSON.stringify(part).replace('"scopeId":""', `"scopeId":"${scopeId}"`),
    ) as object;
    const reply = await caller.callApi('POST', `${api}/rules`, {
      ...stateRule('firing', 1),
      displayName: 'Bad',
      ...filled,
    });
    expect(reply.status, reply.text).toBe(400);
    expect(
      (reply.data as { invalidParams: { name: string }[] }).invalidParams.map((one) => one.name),
    ).toContain(name);
  });
});
