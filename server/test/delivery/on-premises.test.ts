// On-premises webhooks: through a real agent connection to a real target, with the same delivery records as
// other deliveries.
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { connectAgent, type TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const api = '/api/apps/alerthub';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let agent: TestAgent | undefined;
  let count = 0;
  let ksocketSlotId = '';
  let token = '';

  beforeAll(async () => {
    clock = new ManualClock();
    // The server itself may not reach private addresses, so every received request came through the agent.
    [sink, server] = await Promise.all([
      startHttpSink(),
      startTestServer({ engine, clock, env: { YAGURA_OUTBOUND_ALLOW: '' } }),
    ]);
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    const slot = await callApi('POST', '/api/ksocket/slots', { displayName: 'site' });
    ksocketSlotId = (slot.data as { ksocketSlotId: string }).ksocketSlotId;
    const made = await callApi('POST', `/api/ksocket/slots/${ksocketSlotId}/tokens`, {
      displayName: 'agent',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    expect(made.status, made.text).toBe(201);
    token = (made.data as { token: string }).token;
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  /** The server notices an agent's hello message and disconnect with a short delay. */
  const untilGreeted = (wanted: boolean) =>
    vi.waitFor(async () => {
      const { rows } = await server!.services.database.query(
        'select 1 from ksocket_connection where ksocket_slot_id = $1 and agent_version is not null',
        [ksocketSlotId],
      );
      expect(rows.length > 0).toBe(wanted);
    }, 15_000);
  afterEach(async () => {
    await agent?.close();
    if (agent) await untilGreeted(false);
    agent = undefined;
    sink?.behave({ kind: 'ok' });
    sink?.clear();
  });
  afterAll(async () => {
    await sink?.close();
    await server?.stop();
  });

  async function make(path: string, body: Body): Promise<Record<string, string>> {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  }

  async function line() {
    const displayName = `line ${++count}`;
    const action = await make('actions', {
      displayName,
      kind: 'webhookOnPremises',
      parameters: {
        ksocketSlotId,
        url: `${sink.url}/inside?x=1`,
        method: 'PUT',
        headers: { 'x-severity': '{{event.severity}}' },
        body: '{"text":"{{message.content.data.text}}"}',
      },
    });
    const slot = await make('receive-slots', { displayName });
    const scope = await make('scopes', { displayName });
    await make('rules', {
      displayName,
      receiveSlotId: slot.receiveSlotId,
      eventParams: [{ scopeId: scope.scopeId, delta: 1 }],
    });
    const target = { kind: 'action', id: action.actionId };
    await make(`scopes/${scope.scopeId}/triggers`, { displayName, target });
    return {
      actionId: action.actionId!,
      fire: () => post(slot.primary!, JSON.stringify({ text: 'ディスク"満杯' })),
      async record(): Promise<ActionRecordItem> {
        const filter = encodeURIComponent(`actionId eq "${action.actionId}"`);
        const { data } = await callApi('GET', `${api}/action-records?filter=${filter}`);
        return (data as { items: ActionRecordItem[] }).items[0]!;
      },
    };
  }

  const connect = async (requests = true) => {
    agent = await connectAgent({ origin: server!.origin, token, requests });
    await untilGreeted(true);
  };

  test('the agent delivers it, signed, to where the server itself may not go', async () => {
    await connect();
    const { actionId, fire, record } = await line();
    await fire();
    const [request] = await sink.waitFor(1);
    await server!.settled();
    expect(request).toMatchObject({
      method: 'PUT',
      url: '/inside?x=1',
      headers: { 'x-severity': '1', 'content-type': 'application/json', 'x-yagura-attempt': '1' },
      body: '{"text":"ディスク\\"満杯"}',
    });
    const found = await record();
    expect(found).toMatchObject({
      status: 'succeeded',
      attempts: [{ statusCode: 200, outcome: 'succeeded' }],
    });
    const { secret } = (await callApi('GET', `${api}/actions/${actionId}/signing-secret`)).data as {
      secret: string;
    };
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request!.headers;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const wanted = createHmac('sha256', key).update(`${id}.${at}.${request!.body}`).digest('base64');
    expect(signature).toBe(`v1,${wanted}`);
  });

  test('what the target refuses is judged as for any webhook', async () => {
    await connect();
    sink.behave({ kind: 'status', status: 503 });
    const { fire, record } = await line();
    await fire();
    await sink.waitFor(1);
    await server!.settled();
    expect(await record()).toMatchObject({ status: 'waiting', attempts: [{ statusCode: 503 }] });
    sink.behave({ kind: 'status', status: 404 });
    clock.advance(30_000);
    await server!.settled();
    expect(await record()).toMatchObject({ status: 'failed', attempts: [{}, { statusCode: 404 }] });
    expect(sink.requests.map((request) => request.headers['webhook-id'])).toEqual([
      sink.requests[0]!.headers['webhook-id'],
      sink.requests[0]!.headers['webhook-id'],
    ]);
  });

  test('while the agent is away it waits, and is delivered once it is back', async () => {
    const { fire, record } = await line();
    await fire();
    await server!.settled();
    const away = { outcome: 'failed', reason: { word: 'delivery.agentAway' }, statusCode: null };
    expect(await record()).toMatchObject({ status: 'waiting', attempts: [away] });
    await connect();
    clock.advance(30_000);
    await server!.settled();
    expect(await record()).toMatchObject({ status: 'succeeded', attempts: [away, { statusCode: 200 }] });
    expect(sink.requests).toHaveLength(1);
  });

  test('an agent that says nothing is not waited for without end', async () => {
    await connect(false);
    const { fire, record } = await line();
    await fire();
    const order = await agent!.nextMessage();
    expect(order).toMatchObject({ type: 'request', method: 'PUT', seconds: 30 });
    clock.advance(40_000);
    await server!.settled();
    expect(await record()).toMatchObject({
      status: 'waiting',
      attempts: [{ reason: { word: 'delivery.agentSilent', params: { seconds: 40 } } }],
    });
    // A late or duplicate response changes nothing.
    const { requestId } = order as { requestId: string };
    const late = {
      type: 'answer',
      requestId,
      statusCode: 200,
      headers: {},
      body: '',
      tooLong: false,
    } as const;
    agent!.send(late);
    agent!.send(late);
    await server!.settled();
    expect((await record()).attempts).toHaveLength(1);
  });

  test('nobody else can answer for the agent that was asked', async () => {
    await connect(false);
    const { fire, record } = await line();
    await fire();
    const { requestId } = (await agent!.nextMessage()) as { requestId: string };
    const other = await callApi('POST', '/api/ksocket/slots', { displayName: `other ${count}` });
    const slotId = (other.data as { ksocketSlotId: string }).ksocketSlotId;
    const made = await callApi('POST', `/api/ksocket/slots/${slotId}/tokens`, {
      displayName: 'agent',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    const stranger = await connectAgent({
      origin: server!.origin,
      token: (made.data as { token: string }).token,
    });
    stranger.send({ type: 'answer', requestId, statusCode: 200, headers: {}, body: 'x', tooLong: false });
    await stranger.close();
    await server!.services.ksocket.idle();
    agent!.send({ type: 'unanswered', requestId, code: 'ECONNREFUSED' });
    await server!.settled();
    expect(await record()).toMatchObject({
      attempts: [{ reason: { word: 'delivery.connection', params: { detail: 'ECONNREFUSED' } } }],
    });
  });

  test('an agent that is not there is refused by name', async () => {
    const body = {
      displayName: 'nowhere',
      kind: 'webhookOnPremises',
      parameters: { ksocketSlotId: '0190a0a0-0000-7000-8000-000000000000', url: 'http://10.0.0.1/' },
    };
    const reply = await callApi('POST', `${api}/actions`, body);
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'parameters.ksocketSlotId' }] });
  });
});

test('without its ticket the kind is refused by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-contract-'));
  const file = join(folder, 'contract.json');
  const pricePlan = { pricePlanId: 'small', displayName: 'Small', maxUsers: null };
  writeFileSync(file, JSON.stringify({ subscription: { pricePlan, tickets: [] } }));
  const server = (await startTestServer({ env: { YAGURA_CONTRACT_FILE: file } }))!;
  try {
    const callApi = createApiCall(server.transportAs('privileged'));
    const slot = await callApi('POST', '/api/ksocket/slots', { displayName: 'site' });
    const { ksocketSlotId } = slot.data as { ksocketSlotId: string };
    const reply = await callApi('POST', `${api}/actions`, {
      displayName: 'no ticket',
      kind: 'webhookOnPremises',
      parameters: { ksocketSlotId, url: 'http://10.0.0.1/' },
    });
    expect(reply.status).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'kind' }] });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
