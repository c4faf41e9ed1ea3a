// Runbooks from a message or trigger to their finished records, on a test clock, including restarts.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
interface RecordItem {
  runbookRecordId: string;
  status: string;
  reason: { word: string } | null;
  sourceMessageId: string | null;
  requestedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  rerunOf: string | null;
}
interface StepItem {
  stepId: string;
  status: string;
  output: Body;
  reason: { word: string } | null;
  actionRecordId: string | null;
}

const step = (stepId: string, kind: string, params: Body, ways: Body = {}): Body => ({
  stepId,
  kind,
  displayName: stepId,
  params,
  ...ways,
});

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let target: Server;
  let targetUrl: string;
  const got: { deliveryId: string; body: string }[] = [];
  let answer: () => { status: number; body: string };
  let count = 0;

  beforeAll(async () => {
    target = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        got.push({ deliveryId: String(request.headers['webhook-id']), body });
        const { status, body: text } = answer();
        response.writeHead(status, { 'content-type': 'application/json', 'x-kind': 'test' }).end(text);
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    clock = new ManualClock();
    server = await startTestServer({ engine, clock, env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.1/32' } });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
    got.length = 0;
    answer = () => ({ status: 200, body: '{"free": 3}' });
  });
  afterAll(async () => {
    await server?.stop();
    target.close();
  });

  const hook = async (body = '{{message.content.data.note}}') =>
    (
      await caller.make<{ actionId: string }>('actions', {
        displayName: `hook ${++count}`,
        kind: 'webhook',
        parameters: { url: targetUrl, body },
      })
    ).actionId;
  const runbook = async (steps: Body[]) =>
    (
      await caller.make<{ runbookId: string }>('runbooks', {
        displayName: `runbook ${++count}`,
        startStepId: steps[0]?.stepId ?? null,
        steps,
      })
    ).runbookId;
  const slotFor = async (runbookId: string) => {
    const slot = await caller.make<{ primary: string }>('receive-slots', {
      displayName: `slot ${++count}`,
      runbookId,
    });
    return async (fields: Body = {}) => {
      const reply = await post(slot.primary, JSON.stringify({ note: 'hello', ...fields }));
      return ((await reply.json()) as { messageId: string }).messageId;
    };
  };
  const records = (filter: string) =>
    caller.list<RecordItem>(`runbook-records?filter=${encodeURIComponent(filter)}`);
  const steps = (id: string) => caller.list<StepItem>(`runbook-records/${id}/steps`);
  /** Polls until the record of a message has finished. */
  async function ended(filter: string): Promise<RecordItem> {
    await expect
      .poll(
        async () => {
          await caller.advance(0);
          return (await records(filter))[0]?.status;
        },
        { timeout: 10_000 },
      )
      .toMatch(/succeeded|failed/);
    return (await records(filter))[0]!;
  }

  /** Calls the target, parses its response, branches on it, and raises an event or sends another webhook. */
  async function asking() {
    const scope = await caller.make<{ scopeId: string }>('scopes', { displayName: `disk ${++count}` });
    const ask = await hook();
    const tell = await hook('free {{free.free}}, asked {{steps.ask.output.statusCode}}');
    const runbookId = await runbook([
      step('ask', 'action', { actionId: ask, wait: true }, { next: 'parse' }),
      step(
        'parse',
        'operator',
        { operatorId: 'json-parse', params: { source: 'steps.ask.output.body', destination: 'free' } },
        { next: 'low' },
      ),
      step(
        'low',
        'branch',
        { conditionId: 'number-compare', params: { source: 'free.free', comparison: 'lt', value: 5 } },
        { nextTrue: 'raise', nextFalse: null },
      ),
      step('raise', 'event', { scopeId: scope.scopeId, delta: 2 }, { next: 'tell' }),
      step('tell', 'action', { actionId: tell }),
    ]);
    return { runbookId, scopeId: scope.scopeId, send: await slotFor(runbookId) };
  }

  test('a message starts the runbook of its slot, whose steps read one another', async () => {
    const { send, scopeId } = await asking();
    const messageId = await send();
    const record = await ended(`sourceMessageId eq "${messageId}"`);
    expect(record).toMatchObject({ status: 'succeeded', reason: null, origin: 'receiveSlot' });
    const trace = await steps(record.runbookRecordId);
    expect(trace.map((one) => `${one.stepId} ${one.status}`)).toEqual([
      'ask succeeded',
      'parse succeeded',
      'low succeeded',
      'raise succeeded',
      'tell succeeded',
    ]);
    expect(trace[0]!.output).toMatchObject({
      statusCode: 200,
      isBodyEncoded: false,
      body: '{"free": 3}',
      headers: { 'x-kind': 'test' },
    });
    expect(trace[3]!.output).toMatchObject({ events: [{ scopeId, previousSeverity: 0, severity: 2 }] });
    await server!.settled();
    expect(got.map((one) => one.body)).toEqual(['hello', 'free 3, asked 200']);
    const path = `runbook-records/${record.runbookRecordId}/steps/ask/action-record`;
    expect(await caller.show(path)).toMatchObject({
      status: 'succeeded',
      runbookRecordId: record.runbookRecordId,
    });
    expect(
      (await caller.show<{ steps: unknown[] }>(`runbook-records/${record.runbookRecordId}/flow`)).steps,
    ).toHaveLength(5);
  });

  test('a restart while a step waits goes on where it was, and asks once', async () => {
    const { send } = await asking();
    let status = 503;
    answer = () => ({ status, body: '{"free": 9}' });
    const messageId = await send();
    const filter = `sourceMessageId eq "${messageId}"`;
    await expect.poll(async () => (await records(filter))[0]?.status).toBe('processing');
    await server!.restart();
    status = 200;
    await caller.advance(30_000);
    const record = await ended(filter);
    expect(record.status).toBe('succeeded');
    expect((await steps(record.runbookRecordId)).map((one) => one.stepId)).toEqual(['ask', 'parse', 'low']);
    expect(new Set(got.map((one) => one.deliveryId)).size).toBe(1);
  });

  test('a step that is waited for too long fails the record, and a rerun goes on with it', async () => {
    const ask = await hook();
    const tell = await hook('told');
    const runbookId = await runbook([
      step('first', 'action', { actionId: tell }, { next: 'ask' }),
      step('ask', 'action', { actionId: ask, wait: true, timeoutSeconds: 5 }, { next: 'last' }),
      step('last', 'action', { actionId: tell }),
    ]);
    answer = () => ({ status: got.at(-1)?.body === 'told' ? 200 : 503, body: '' });
    const messageId = await (await slotFor(runbookId))();
    const filter = `sourceMessageId eq "${messageId}"`;
    await expect.poll(async () => (await records(filter))[0]?.status).toBe('processing');
    await server!.settled();
    await caller.advance(6000);
    const record = await ended(filter);
    expect(record).toMatchObject({ status: 'failed', reason: { word: 'why.runbook.timeout' } });
    answer = () => ({ status: 200, body: '' });
    const path = `${api}/runbook-records/${record.runbookRecordId}/rerun`;
    expect((await caller.callApi('POST', path, { stepId: 'nowhere' })).status).toBe(400);
    expect((await caller.callApi('POST', path, { stepId: 'first' })).status).toBe(409);
    const rerun = await caller.callApi('POST', path, { stepId: 'ask' });
    expect(rerun.status, rerun.text).toBe(200);
    const again = await ended(`rerunOf eq "${record.runbookRecordId}"`);
    expect(again.status).toBe('succeeded');
    expect((await steps(again.runbookRecordId)).map((one) => one.stepId)).toEqual(['first', 'ask', 'last']);
    await server!.settled();
    expect(got.filter((one) => one.body === 'told')).toHaveLength(2);
  });

  test('a loop ends at its bound', async () => {
    const runbookId = await runbook([
      step(
        'count',
        'operator',
        { operatorId: 'concatenate', params: { template: '{{n}}x', destination: 'n' } },
        { next: 'enough', maxVisits: 4 },
      ),
      step(
        'enough',
        'branch',
        { conditionId: 'regex-match', params: { source: 'n', pattern: '^x{9}$' } },
        { nextTrue: null, nextFalse: 'count' },
      ),
    ]);
    const messageId = await (await slotFor(runbookId))();
    const record = await ended(`sourceMessageId eq "${messageId}"`);
    expect(record).toMatchObject({ status: 'failed', reason: { word: 'why.runbook.bound' } });
    const trace = await steps(record.runbookRecordId);
    expect(trace.filter((one) => one.stepId.startsWith('count')).map((one) => one.stepId)).toEqual([
      'count',
      'count~2',
      'count~3',
      'count~4',
    ]);
    const path = `runbook-records/${record.runbookRecordId}/steps/${encodeURIComponent('count~3')}`;
    expect(await caller.show(path)).toMatchObject({ output: { written: { name: 'n', value: 'xxx' } } });
  });

  test('a trigger starts a runbook, and runbooks that raise one another end', async () => {
    const line = await caller.createAlertPath();
    const runbookId = await runbook([step('more', 'event', { scopeId: line.scopeId, delta: 1 })]);
    await line.trigger([], { target: { kind: 'runbook', id: runbookId } });
    const messageId = await line.send(1);
    await expect
      .poll(async () => {
        await caller.advance(0);
        return (await records(`sourceScopeId eq "${line.scopeId}"`)).filter(
          (one) => one.status === 'succeeded',
        ).length;
      })
      .toBe(9);
    await caller.advance(1000);
    expect(await records(`sourceScopeId eq "${line.scopeId}"`)).toHaveLength(9);
    expect((await line.scope()).severity).toBe(10);
    const why = await line.why(messageId);
    expect(why.events[0]!.triggers[0]).toMatchObject({ outcome: 'fired', runbookId });
    expect(why.events.at(-1)!.triggers[0]).toMatchObject({
      outcome: 'failed',
      notes: [{ word: 'why.runbook.tooDeep' }],
    });
    const gone = await caller.callApi('DELETE', `${api}/runbooks/${runbookId}`);
    expect(gone.status).toBe(409);
  });

  test('a rehearsal sends nothing, stores nothing and shows each step', async () => {
    const { runbookId, scopeId } = await asking();
    const reply = await caller.callApi('POST', `${api}/runbooks/${runbookId}/rehearse`, {
      message: { content: { body: '{"note":"dry"}' } },
      outputs: { ask: { statusCode: 200, body: '{"free": 1}' } },
    });
    expect(reply.status, reply.text).toBe(200);
    const { status, steps: trace } = reply.data as { status: string; steps: { input: Body; output: Body }[] };
    expect(status).toBe('succeeded');
    expect(trace.map((one) => one.input)).toMatchObject([
      { held: true, request: { body: 'dry' } },
      {},
      {},
      { changes: [{ scopeId, delta: 2 }] },
      { held: true, request: { body: 'free 1, asked 200' } },
    ]);
    await server!.settled();
    expect(got).toEqual([]);
    expect(await caller.show(`scopes/${scopeId}`)).toMatchObject({ severity: 0 });
    const wrong = { messageId: '01900000-0000-7000-8000-000000000000' };
    expect((await caller.callApi('POST', `${api}/runbooks/${runbookId}/rehearse`, wrong)).data).toMatchObject(
      {
        invalidParams: [{ name: 'messageId' }],
      },
    );
  });

  test('positions keep every digit', async () => {
    const raw = `{"displayName":"exact ${++count}","startStepId":"a","steps":[{"stepId":"a","kind":"branch","posX":12.340000000000000000001,"posY":-9007199254740993,"params":{"conditionId":"boolean-compare","params":{"source":"x"}}}]}`;
    const made = await caller.callApi('POST', `${api}/runbooks`, undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(made.status, made.text).toBe(201);
    const { runbookId } = made.data as { runbookId: string };
    await caller.callApi('PATCH', `${api}/runbooks/${runbookId}`, { remarks: 'edited' });
    const shown = await caller.callApi('GET', `${api}/runbooks/${runbookId}`);
    for (const reply of [made, shown]) {
      expect(reply.text).toContain('"posX":12.340000000000000000001');
      expect(reply.text).toContain('"posY":-9007199254740993');
    }
  });

  test('what runbooks raise with their messages stands upon what is stored, on scopes that no rule names', async () => {
    const scope = await caller.make<{ scopeId: string }>('scopes', {
      displayName: `upon ${++count}`,
      thresholds: { warning: 5, incident: 20 },
    });
    const alarm = await hook('alarm');
    await caller.make(`scopes/${scope.scopeId}/triggers`, {
      displayName: 'alarm',
      conditions: [
        {
          conditionId: 'recent-events',
          params: {
            ...{ seconds: 3600, value: 'delta', comparison: 'ge', number: 1 },
            ...{ countComparison: 'eq', count: 11 },
          },
        },
      ],
      target: { kind: 'action', id: alarm },
    });
    await caller.make(`scopes/${scope.scopeId}/events`, { delta: 4 });
    const send = await slotFor(await runbook([step('raise', 'event', { scopeId: scope.scopeId, delta: 1 })]));
    const ids = await Promise.all(Array.from({ length: 10 }, () => send()));
    for (const id of ids) expect((await ended(`sourceMessageId eq "${id}"`)).status).toBe('succeeded');
    await server!.settled();
    expect(await caller.show(`scopes/${scope.scopeId}`)).toMatchObject({ severity: 14, status: 'warning' });
    expect(got.map((one) => one.body)).toEqual(['alarm']);
    const [record] = await records(`sourceMessageId eq "${ids[0]}"`);
    expect(record!.startedAt).toBe(record!.requestedAt);
    expect(record!.endedAt).toBe(record!.requestedAt);
  });

  test('what runbooks raise stands upon what rules have raised with the same messages', async () => {
    const { scopeId } = await caller.make<{ scopeId: string }>('scopes', { displayName: `both ${++count}` });
    const slot = await caller.make<{ primary: string; receiveSlotId: string }>('receive-slots', {
      displayName: `slot ${++count}`,
      runbookId: await runbook([step('raise', 'event', { scopeId, delta: 1 })]),
    });
    await caller.make('rules', {
      ...{ displayName: `rule ${++count}`, receiveSlotId: slot.receiveSlotId },
      eventParams: [{ scopeId, severityName: { literal: 'default' }, delta: 2 }],
    });
    await Promise.all([1, 2, 3].map((note) => post(slot.primary, JSON.stringify({ note }))));
    await server!.settled();
    expect(await caller.show(`scopes/${scopeId}`)).toMatchObject({ severity: 9 });
  });

  test('many records at once each run once', async () => {
    const tell = await hook('{{message.content.data.turn}}');
    const send = await slotFor(await runbook([step('tell', 'action', { actionId: tell, wait: true })]));
    const ids = await Promise.all(Array.from({ length: 30 }, (_, turn) => send({ turn })));
    for (const id of ids) expect((await ended(`sourceMessageId eq "${id}"`)).status).toBe('succeeded');
    expect(got.map((one) => Number(one.body)).sort((a, b) => a - b)).toEqual(ids.map((_, turn) => turn));
  });
});
