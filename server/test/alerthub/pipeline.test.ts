// The complete path from a post to an event and a delivery, on a test clock.

import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem, EventItem, MessageItem, ScopeItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const api = '/api/apps/alerthub';
const minute = 60_000;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function make<T = Body>(path: string, body: Body): Promise<T> {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as T;
  }
  const list = async <T>(path: string) =>
    (
      (await callApi('GET', `${api}/${path}${path.includes('?') ? '&' : '?'}limit=1000`)).data as {
        items: T[];
      }
    ).items;
  const show = async <T>(path: string) => (await callApi('GET', `${api}/${path}`)).data as T;

  /** A slot whose messages each change the severity of one scope by their `delta`. */
  async function lay(scopeFields: Body = {}) {
    const label = `line ${++count}`;
    const slot = await make<{ receiveSlotId: string; primary: string; secondary: string }>('receive-slots', {
      displayName: label,
    });
    const scope = await make<ScopeItem>('scopes', {
      displayName: label,
      thresholds: { warning: 2, incident: 4 },
      ...scopeFields,
    });
    const rule = (delta: number, value: string) =>
      make<{ ruleId: string }>('rules', {
        displayName: `${label} ${value}`,
        receiveSlotId: slot.receiveSlotId,
        flow: {
          steps: [
            {
              operatorId: 'text-compare',
              params: { source: 'message.content.data.go', comparison: 'equals', value },
            },
          ],
        },
        eventParams: [{ scopeId: scope.scopeId, delta }],
      });
    const up = await rule(1, 'up');
    await rule(-1, 'down');
    return {
      ...slot,
      scopeId: scope.scopeId,
      upId: up.ruleId,
      label,
      scope: () => show<ScopeItem>(`scopes/${scope.scopeId}`),
      events: () => list<EventItem>(`scopes/${scope.scopeId}/events?sort=eventId`),
      send: async (go: string, fields: Body = {}) => {
        const reply = await post(slot.primary, JSON.stringify({ go, ...fields }));
        expect(reply.status).toBe(202);
        await server!.settled();
        return ((await reply.json()) as { messageId: string }).messageId;
      },
    };
  }

  /** Advances the clock and waits until everything due has finished. */
  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await server!.settled();
  }

  test('thresholds are crossed upwards and downwards, never below 0', async () => {
    const line = await lay();
    const seen: unknown[] = [];
    for (const go of ['up', 'up', 'up', 'up', 'down', 'down', 'down', 'down', 'down']) {
      await line.send(go);
      const { severity, status } = await line.scope();
      seen.push(`${severity} ${status}`);
    }
    expect(seen).toEqual([
      '1 normal',
      '2 warning',
      '3 warning',
      '4 incident',
      '3 warning',
      '2 warning',
      '1 normal',
      '0 normal',
      '0 normal',
    ]);
    expect(
      (await line.events()).map((event) => [event.previousSeverity, event.severity, event.source]),
    ).toEqual(
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 3],
        [3, 2],
        [2, 1],
        [1, 0],
        [0, 0],
      ].map((pair) => [...pair, 'rule']),
    );
  });

  test('a scope recovers by itself after its recovery time without events', async () => {
    const line = await lay({ recoveryTime: 300 });
    for (let turn = 0; turn < 4; turn++) await line.send('up');
    expect(await line.scope()).toMatchObject({ status: 'incident', severity: 4 });
    await pass(4 * minute);
    await line.send('up');
    await pass(4 * minute);
    expect(await line.scope()).toMatchObject({ status: 'incident', severity: 5 });
    await pass(minute);
    await expect.poll(recoveredStatus(line)).toBe('normal');
    expect((await line.events()).at(-1)).toMatchObject({
      source: 'recovery',
      previousSeverity: 5,
      severity: 0,
      messageId: null,
      ruleId: null,
    });
    await pass(6 * minute);
    expect(await line.events()).toHaveLength(6);
  });

  test('a problem that is still reported puts the recovery off, and an edit of the scope does not undo that', async () => {
    const line = await lay({ recoveryTime: 300 });
    await make('rules', {
      displayName: `${line.label} failing`,
      receiveSlotId: line.receiveSlotId,
      flow: {
        steps: [
          {
            operatorId: 'text-compare',
            params: { source: 'message.content.data.go', comparison: 'equals', value: 'failing' },
          },
        ],
      },
      eventParams: [{ scopeId: line.scopeId, mode: 'set', value: 3 }],
    });
    for (const _report of [1, 2, 3]) {
      await line.send('failing');
      await pass(4 * minute);
      expect(await line.scope()).toMatchObject({ severity: 3 });
    }
    const body = { displayName: line.label, thresholds: { warning: 1, incident: 3 }, recoveryTime: 300 };
    expect((await callApi('PUT', `${api}/scopes/${line.scopeId}`, body)).status).toBe(200);
    await pass(0);
    expect(await line.scope()).toMatchObject({ status: 'incident', severity: 3 });
    await pass(minute);
    await expect.poll(recoveredStatus(line)).toBe('normal');
    expect((await line.events()).map(({ source, severity }) => [source, severity])).toEqual([
      ['rule', 3],
      ['recovery', 0],
    ]);
  });

  test('a recovery time set afterwards counts from the last event', async () => {
    const line = await lay();
    await line.send('up');
    await line.send('up');
    await pass(4 * minute);
    const body = { displayName: line.label, thresholds: { warning: 2, incident: 4 }, recoveryTime: 300 };
    expect((await callApi('PUT', `${api}/scopes/${line.scopeId}`, body)).status).toBe(200);
    await pass(minute);
    await expect.poll(recoveredStatus(line)).toBe('normal');
    expect((await line.events()).at(-1)).toMatchObject({ source: 'recovery' });
  });

  test('an event that is decided as a recovery falls due puts it off', async () => {
    const line = await lay({ recoveryTime: 300 });
    await line.send('up');
    const { pipeline, spaceId } = server!.services;
    const raised = pipeline.applyChanges(spaceId, [
      { scopeId: line.scopeId, severityName: 'default', change: { delta: 3 }, source: 'api' },
    ]);
    await pass(5 * minute);
    await raised;
    await server!.settled();
    expect(await line.scope()).toMatchObject({ status: 'incident', severity: 4 });
    await pass(5 * minute);
    await expect.poll(recoveredStatus(line)).toBe('normal');
  });

  const recoveredStatus = (line: { scope(): Promise<ScopeItem> }) => async () => {
    await pass(0);
    return (await line.scope()).status;
  };

  test('reset sets the named severities to 0, and all without names', async () => {
    const line = await lay();
    const severities = `scopes/${line.scopeId}/severities`;
    for (const name of ['cpu', 'disk']) {
      await make(severities, { name });
      await make(`scopes/${line.scopeId}/events`, { severityName: name, delta: 3 });
    }
    await line.send('up');
    const values = async () =>
      Object.fromEntries(
        (await list<{ name: string; value: number }>(severities)).map((one) => [one.name, one.value]),
      );
    expect(await values()).toEqual({ cpu: 3, default: 1, disk: 3 });
    expect(await line.scope()).toMatchObject({ severity: 3, status: 'warning' });
    const one = await callApi('POST', `${api}/${severities}/reset`, { names: ['cpu'] });
    expect(one.data).toEqual({ reset: ['cpu'] });
    expect(await values()).toEqual({ cpu: 0, default: 1, disk: 3 });
    expect((await callApi('POST', `${api}/${severities}/reset`, { names: ['nobody'] })).status).toBe(404);
    const rest = await callApi('POST', `${api}/${severities}/reset`, {});
    expect(rest.data).toEqual({ reset: ['default', 'disk'] });
    expect(await values()).toEqual({ cpu: 0, default: 0, disk: 0 });
    expect(await line.scope()).toMatchObject({ severity: 0, status: 'normal' });
    expect((await line.events()).slice(-3).map((event) => event.source)).toEqual(['reset', 'reset', 'reset']);
  });

  test('an edit of the thresholds works the status out anew', async () => {
    const line = await lay();
    for (let turn = 0; turn < 3; turn++) await line.send('up');
    expect((await line.scope()).status).toBe('warning');
    const to = async (warning: number, incident: number) => {
      const body = { displayName: line.label, thresholds: { warning, incident } };
      const reply = await callApi('PUT', `${api}/scopes/${line.scopeId}`, body);
      return (reply.data as ScopeItem).status;
    };
    expect(await to(1, 3)).toBe('incident');
    expect(await to(4, 9)).toBe('normal');
    await line.send('up');
    expect(await line.scope()).toMatchObject({ severity: 4, status: 'warning' });
  });

  test('worked example (a): ten events in half an hour notify once in half an hour', async () => {
    const line = await lay();
    const action = await make<{ actionId: string }>('actions', {
      displayName: line.label,
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/' },
    });
    await make(`scopes/${line.scopeId}/triggers`, {
      displayName: line.label,
      conditions: [
        {
          conditionId: 'recent-events',
          params: {
            seconds: 1800,
            value: 'delta',
            comparison: 'eq',
            number: 1,
            countComparison: 'ge',
            count: 10,
          },
        },
        { conditionId: 'recent-actions', params: { seconds: 1800, countComparison: 'eq', count: 0 } },
      ],
      target: { kind: 'action', id: action.actionId },
    });
    const fired = async () =>
      (await list<ActionRecordItem>(`action-records?filter=actionId eq "${action.actionId}"`)).length;
    for (let turn = 0; turn < 9; turn++) {
      await line.send('up', { turn });
      await pass(minute);
    }
    await line.send('down');
    expect(await fired()).toBe(0);
    const tenth = await line.send('up', { turn: 9 });
    expect(await fired()).toBe(1);
    const why = await show<DecisionLog>(`message/detail/${tenth}/why`);
    expect(why.events[0]!.triggers[0]).toMatchObject({
      outcome: 'fired',
      conditions: [
        { conditionId: 'recent-events', holds: true, seen: '10' },
        { conditionId: 'recent-actions', holds: true, seen: '0' },
      ],
    });
    await pass(10 * minute);
    await server!.restart();
    const held = await line.send('up', { turn: 10 });
    expect(await fired()).toBe(1);
    expect((await show<DecisionLog>(`message/detail/${held}/why`)).events[0]!.triggers[0]).toMatchObject({
      outcome: 'held',
      conditions: [{ holds: true }, { holds: false, seen: '1' }],
    });
    await pass(20 * minute + 1000);
    for (let turn = 20; turn < 29; turn++) await line.send('up', { turn });
    expect(await fired()).toBe(2);
  });

  test('a restart in the middle loses nothing and repeats nothing', async () => {
    const line = await lay({ recoveryTime: 300 });
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => post(line.primary, JSON.stringify({ go: 'up', turn }))),
    );
    expect(new Set(sent.map((reply) => reply.status))).toEqual(new Set([202]));
    await server!.restart();
    await server!.settled();
    expect(await line.scope()).toMatchObject({ severity: 20, status: 'incident' });
    expect(await line.events()).toHaveLength(20);
    await pass(5 * minute);
    await expect.poll(recoveredStatus(line)).toBe('normal');
    expect(await line.events()).toHaveLength(21);
  });

  test('messages of one slot are decided in the order in which they came', async () => {
    const line = await lay();
    await make('rules', {
      displayName: `${line.label} named`,
      receiveSlotId: line.receiveSlotId,
      eventParams: [{ scopeId: line.scopeId, severityName: { path: 'message.content.data.turn' }, delta: 1 }],
    });
    const turns = Array.from({ length: 12 }, (_, turn) => `turn ${turn}`);
    for (const turn of turns) expect((await post(line.primary, JSON.stringify({ turn }))).status).toBe(202);
    await server!.settled();
    expect((await line.events()).map((event) => event.severityName)).toEqual(turns);
    const received = await list<MessageItem>(
      `message/list?filter=receiveSlotId eq "${line.receiveSlotId}"&sort=receivedAt,messageId`,
    );
    expect(received.map((message) => message.summary)).toEqual(turns.map((turn) => `turn: ${turn}`));
  });

  test('the same body at both addresses within ten minutes is one message', async () => {
    const line = await lay();
    const id = async (address: string, body: string, headers?: Record<string, string>) =>
      ((await (await post(address, body, headers)).json()) as { messageId: string }).messageId;
    const body = JSON.stringify({ go: 'up', n: 1 });
    const first = await id(line.primary, body);
    expect(await id(line.secondary, body)).toBe(first);
    const second = await id(line.primary, body);
    expect(second, 'twice at one address').not.toBe(first);
    expect(await id(line.secondary, body)).toBe(second);
    const alone = JSON.stringify({ go: 'up', n: 2 });
    const early = await id(line.primary, alone);
    clock.advance(10 * minute);
    expect(await id(line.secondary, alone), 'ten minutes later').not.toBe(early);
    const keyed = await id(line.primary, '{"go":"up","n":3}', { 'idempotency-key': 'k' });
    expect(await id(line.primary, '{"go":"up","n":4}', { 'idempotency-key': 'k' })).toBe(keyed);
    expect(await id(line.secondary, '{"go":"up","n":5}', { 'idempotency-key': 'k' })).toBe(keyed);
    clock.sleep(24 * 60 * minute);
    expect(await id(line.primary, '{"go":"up","n":3}', { 'idempotency-key': 'k' })).not.toBe(keyed);
    await server!.settled();
    expect((await line.scope()).severity).toBe(6);
    const repeatOf = async (messageId: string) =>
      (await show<DecisionLog>(`message/detail/${messageId}/why`)).repeated;
    expect(await repeatOf(first)).toEqual({ address: 'secondary', at: expect.any(String) });
    expect(await repeatOf(keyed)).toMatchObject({ address: 'primary' });
    expect(await repeatOf(early)).toBeNull();
  });

  test('the two copies of a message that come at the same time are one message', async () => {
    const line = await lay();
    const bodies = Array.from({ length: 10 }, (_, turn) => JSON.stringify({ go: 'up', turn }));
    await Promise.all(bodies.flatMap((body) => [post(line.primary, body), post(line.secondary, body)]));
    await server!.settled();
    expect((await line.scope()).severity).toBe(10);
  });

  test('a disabled slot refuses, a disabled rule and a disabled trigger say so', async () => {
    const line = await lay();
    const action = await make<{ actionId: string }>('actions', {
      displayName: line.label,
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/' },
    });
    const trigger = await make<{ triggerId: string }>(`scopes/${line.scopeId}/triggers`, {
      displayName: line.label,
      disabled: true,
      target: { kind: 'action', id: action.actionId },
    });
    const silent = await line.send('up');
    const why = await show<DecisionLog>(`message/detail/${silent}/why`);
    expect(why.events[0]!.triggers).toMatchObject([{ outcome: 'disabled', actionRecordId: null }]);
    expect(why.deliveries).toEqual([]);

    await callApi('PATCH', `${api}/rules/${line.upId}`, { disabled: true });
    const ignored = await line.send('up', { again: 1 });
    expect((await show<DecisionLog>(`message/detail/${ignored}/why`)).rules).toMatchObject([
      { outcome: 'unmatched' },
      { outcome: 'disabled' },
    ]);
    expect((await line.scope()).severity).toBe(1);

    const slotPath = `${api}/receive-slots/${line.receiveSlotId}`;
    await callApi('PUT', slotPath, { displayName: line.label, disabled: true });
    const refused = await post(line.primary, '{}');
    expect(refused.status).toBe(403);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    await callApi('PUT', slotPath, { displayName: line.label, disabled: false });
    expect((await post(line.primary, '{}')).status).toBe(202);

    // An action can be deleted after the trigger that references it; its records are kept.
    await callApi('PATCH', `${api}/rules/${line.upId}`, { disabled: false });
    await callApi('PATCH', `${api}/scopes/${line.scopeId}/triggers/${trigger.triggerId}`, {
      disabled: false,
    });
    const loud = await line.send('up', { again: 2 });
    expect((await callApi('DELETE', `${api}/actions/${action.actionId}`)).status).toBe(409);
    await callApi('DELETE', `${api}/scopes/${line.scopeId}/triggers/${trigger.triggerId}`);
    expect((await callApi('DELETE', `${api}/actions/${action.actionId}`)).status).toBe(200);
    expect((await show<DecisionLog>(`message/detail/${loud}/why`)).deliveries).toMatchObject([
      { actionId: action.actionId, actionName: null },
    ]);
    const after = await line.send('up', { again: 3 });
    expect((await show<DecisionLog>(`message/detail/${after}/why`)).events[0]!.triggers).toEqual([]);
  });

  test('an event by the API moves the scope and says who it came from', async () => {
    const line = await lay();
    const made = await make<EventItem>(`scopes/${line.scopeId}/events`, { delta: 4 });
    expect(made).toMatchObject({
      source: 'api',
      previousSeverity: 0,
      severity: 4,
      status: 'incident',
      messageId: null,
    });
    expect(await line.events()).toEqual([made]);
    expect(await line.scope()).toMatchObject({
      severity: 4,
      status: 'incident',
      lastEventAt: made.createdAt,
    });
  });

  test('why tells the whole way of a message', async () => {
    const line = await lay();
    const messageId = await line.send('up');
    const why = await show<DecisionLog>(`message/detail/${messageId}/why`);
    expect(why).toMatchObject({
      messageId,
      receiveSlotId: line.receiveSlotId,
      receiveSlotName: line.label,
      notes: [],
      rules: [
        {
          displayName: `${line.label} down`,
          outcome: 'unmatched',
          steps: [{ outcome: 'stopped', seen: 'up' }],
        },
        { displayName: `${line.label} up`, outcome: 'matched', steps: [{ outcome: 'passed', seen: 'up' }] },
      ],
      events: [{ scopeName: line.label, delta: 1, statusBefore: 'normal', statusAfter: 'normal' }],
    });
    expect(why.evaluatedAt).not.toBeNull();
    const records = await show<{ items: Body[]; total: number }>(`message/detail/${messageId}/rule-records`);
    expect(records).toMatchObject({ total: 2, items: [{ outcome: 'unmatched' }, { outcome: 'matched' }] });
    const events = await show<{ items: EventItem[] }>(`message/detail/${messageId}/events`);
    expect(events.items).toEqual(await line.events());
    expect(await show<MessageItem>(`message/detail/${messageId}`)).toMatchObject({
      ruleResult: { matched: 1, total: 2 },
      content: { body: '{"go":"up"}', data: { go: 'up' } },
    });
  });

  test.each([
    ['a NUL', JSON.stringify({ go: 'up', a: 'a\u0000b', 'k\u0000': 1 })],
    ['half a character', '{"go":"up","a":"\\ud800","\\udfff":1}'],
    ['deep JSON', `{"go":"up","deep":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['a long key', JSON.stringify({ go: 'up', ['k'.repeat(100_000)]: 1 })],
    ['a prototype', '{"go":"up","__proto__":{"go":"down"},"constructor":1}'],
    [
      'bytes that are no text',
      Uint8Array.from([...Buffer.from('{"go":"up","a":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    ],
  ])('%s does not stop the line', async (_name, body) => {
    const line = await lay();
    const reply = await post(line.primary, body);
    const { messageId } = (await reply.json()) as { messageId: string };
    await line.send('up');
    expect((await line.scope()).severity).toBe(2);
    expect((await callApi('GET', `${api}/message/detail/${messageId}`)).status).toBe(200);
    expect((await callApi('GET', `${api}/message/detail/${messageId}/why`)).status).toBe(200);
    expect((await callApi('GET', `${api}/message/list`)).status).toBe(200);
  });

  test('JSON nested too deep to be data leaves its reason and does not stop the line', async () => {
    const line = await lay();
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const reply = await post(line.primary, `{"go":"up","deep":${nested}}`);
    const { messageId } = (await reply.json()) as { messageId: string };
    await line.send('up');
    expect((await line.scope()).severity).toBe(1);
    const { data } = await callApi('GET', `${api}/message/detail/${messageId}`);
    expect(data).toMatchObject({ content: { dataError: expect.any(String) } });
    expect((await callApi('GET', `${api}/message/detail/${messageId}/why`)).status).toBe(200);
  });
});
