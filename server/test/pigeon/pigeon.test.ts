// Pigeon over HTTP on both database engines: chains on the test clock, crashes, notifications and hidden
// numbers.
import { createHmac } from 'node:crypto';
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { Contract } from '../../src/contract/contract.ts';
import { deleteOldUsage, releaseCalls, reserveCalls } from '../../src/pigeon/sip-line/trunk-usage.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
interface ResultBody {
  status: string;
  reason: string | null;
  line: string;
  loop: number;
  numberOfCalls: number;
  keyInput: string | null;
  message: string;
  parameters: Body;
  calls: {
    callId: string;
    status: string;
    reason: string | null;
    phoneNumber: string;
    keyInput: string | null;
    script: { kind: string; text: string | null }[];
  }[];
}

const api = '/api/apps/pigeon';
const second = 1000;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    [sink, server] = await Promise.all([
      startHttpSink(),
      startTestServer({
        engine,
        clock,
        env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8', YAGURA_PIGEON_LINES: '2' },
      }),
    ]);
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(async () => {
    await sink?.close();
    await server?.stop();
  });

  async function make<T = Body>(path: string, body: Body): Promise<T> {
    const reply = await callApi('POST', `${path.startsWith('/') ? path : `${api}/${path}`}`, {
      displayName: `made ${++count}`,
      ...body,
    });
    expect(reply.status, reply.text).toBe(201);
    return reply.data as T;
  }

  const contactOf = async (phoneNumber: string) =>
    (await make<{ contactId: string }>('contacts', { phones: [{ phoneNumber }] })).contactId;

  /** A callflow for these numbers, and a guidance with the default keys. */
  async function settings(numbers: string[], loopLimit = 1) {
    const contacts = await Promise.all(numbers.map(contactOf));
    const { callflowId } = await make<{ callflowId: string }>('callflows', {
      loopLimit,
      contacts: contacts.map((contactId) => ({ contactId })),
    });
    const { guidanceId } = await make<{ guidanceId: string }>('guidances', {
      messageTemplate: 'Host {{host}} is down',
      reactions: {
        1: { behavior: 'terminate', messageTemplate: 'Thank you for {{host}}' },
        2: { behavior: 'continue' },
        3: { behavior: 'leave' },
      },
    });
    return { callflowId, guidanceId, contacts };
  }

  async function invoke(params: Body, by: ApiCall = callApi): Promise<Body> {
    const reply = await by('POST', `${api}/chain/invoke`, { params });
    expect(reply.status, reply.text).toBe(200);
    return reply.data as Body;
  }

  const show = async (resultId: unknown, by: ApiCall = callApi) =>
    (await by('GET', `${api}/results/${resultId}`)).data as ResultBody;

  async function pass(seconds: number): Promise<void> {
    for (let at = 0; at < seconds; at++) {
      clock.advance(second);
      await server!.settled();
    }
  }

  test('a chain goes through its contacts until a key ends it', async () => {
    const { callflowId, guidanceId } = await settings(['0300000000', '0300000001']);
    const parameters = { host: 'db-1', ticket: 7 };
    const begun = await invoke({ callflowId, guidanceId, parameters });
    expect(begun).toEqual({
      params: { callflowId, guidanceId, parameters },
      resultId: expect.any(String),
      status: 'requested',
    });
    await server!.settled();
    expect(await show(begun.resultId)).toMatchObject({
      status: 'preparing',
      line: 'simulator',
      loop: 1,
      message: 'Host db-1 is down',
      parameters,
      calls: [{ status: 'preparing', phoneNumber: '0300000000' }],
    });
    await pass(2);
    expect(await show(begun.resultId)).toMatchObject({
      status: 'processing',
      calls: [{ status: 'calling' }],
    });
    await pass(60);
    expect(await show(begun.resultId)).toMatchObject({
      status: 'succeeded',
      reason: 'terminated',
      keyInput: '1',
      numberOfCalls: 2,
      calls: [
        { status: 'missed', reason: 'noAnswer' },
        { status: 'succeeded', keyInput: '1' },
      ],
    });
  });

  test('phone numbers are hidden from an operator, who may start and stop a call', async () => {
    const operator = createApiCall(server!.transportAs(['pigeon:operator']));
    const { callflowId, guidanceId, contacts } = await settings(['0312348800']);
    const { resultId } = await invoke({ callflowId, guidanceId }, operator);
    await server!.settled();
    for (const path of [
      `results/${resultId}`,
      'results',
      `contacts/${contacts[0]}`,
      'contacts?limit=1000',
      `callflows/${callflowId}`,
    ]) {
      const reply = await operator('GET', `${api}/${path}`);
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain('0312348800');
    }
    expect((await show(resultId, operator)).calls[0]!.phoneNumber).toBe('********');
    const stopped = await operator('POST', `${api}/chain/abort`, { resultId });
    expect(stopped.data).toEqual({ resultId, status: 'requested' });
    await pass(1);
    expect(await show(resultId)).toMatchObject({ status: 'aborted', calls: [{ status: 'aborted' }] });
    const again = await operator('POST', `${api}/chain/abort`, { resultId });
    expect(again.data).toEqual({ resultId, status: 'rejected' });
    const inline = { callflow: { contacts: [{ phones: [{ phoneNumber: '0900000001' }] }] }, guidanceId };
    expect((await operator('POST', `${api}/chain/invoke`, { params: inline })).status).toBe(403);
  });

  test('a one-off call is told inline, and what is wrong with it by field', async () => {
    const params = {
      callflow: {
        loopLimit: 1,
        contacts: [{ displayName: 'Night', phones: [{ phoneNumber: '0900000001' }] }],
      },
      guidance: { messageTemplate: 'Hello', reactions: { 1: { behavior: 'terminate' } } },
    };
    const { resultId } = await invoke(params);
    await pass(20);
    expect(await show(resultId)).toMatchObject({
      status: 'succeeded',
      callflow: { callflowId: null },
      calls: [{ contact: { contactId: null, displayName: 'Night' } }],
    });
    const refused = async (change: Body) =>
      (
        (await callApi('POST', `${api}/chain/invoke`, { params: { ...params, ...change } })).data as {
          invalidParams: { name: string }[];
        }
      ).invalidParams.map(({ name }) => name);
    expect(await refused({ callflowId: resultId })).toEqual(['params.callflowId']);
    expect(await refused({ guidance: undefined })).toEqual(['params.guidanceId']);
    expect(await refused({ callflow: { contacts: [{ phones: [{ phoneNumber: '110' }] }] } })).toEqual([
      'params.callflow.contacts.0.phones.0.phoneNumber',
    ]);
  });

  test('what cannot be called is rejected with a plain reason, and still a 2xx', async () => {
    const { callflowId, guidanceId } = await settings(['0300000001']);
    const nobody = '0190a0a0-0000-7000-8000-000000000000';
    for (const [params, detail] of [
      [{ callflowId: nobody, guidanceId }, 'The callflow does not exist'],
      [{ callflowId, guidanceId: nobody }, 'The guidance does not exist'],
      [
        { callflowId, guidance: { messageTemplate: 'x', reactions: { 4: { behavior: 'transfer' } } } },
        'The guidance transfers calls, but the callflow has no transfer destination',
      ],
    ] as const)
      expect(await invoke(params)).toEqual({
        params: {
          parameters: {},
          ...params,
          ...('guidance' in params ? { guidance: expect.anything() } : {}),
        },
        status: 'rejected',
        errorDescriptor: { title: 'Failed to invoke chain', detail },
      });
  });

  test('settings that could not be called are refused by field', async () => {
    const contactId = await contactOf('0300000001');
    const refused = async (method: string, path: string, body: Body) =>
      ((await callApi(method, `${api}/${path}`, body)).data as { invalidParams: { name: string }[] })
        .invalidParams?.[0]?.name;
    const contacts = [{ contactId, phone: 2 }];
    expect(await refused('POST', 'callflows', { displayName: 'x', contacts })).toBe('contacts.0.phone');
    const guide = (reactions: Body) => ({ displayName: 'x', messageTemplate: 'x', reactions });
    expect(await refused('POST', 'guidances', guide({ 0: { behavior: 'leave' } }))).toBe('reactions.0');
    expect(await refused('POST', 'guidances', guide({ 1: { behavior: 'sing' } }))).toBe(
      'reactions.1.behavior',
    );
    expect(
      await refused('POST', 'guidances', guide({ 1: { behavior: 'leave', messageTemplate: '{{' } })),
    ).toBe('reactions.1.messageTemplate');
    const two = [{ phoneNumber: '0300000001' }, { phoneNumber: '0300000002' }];
    const edit = (phones: Body[]) => ({ displayName: `edited ${count}`, phones });
    expect((await callApi('PUT', `${api}/contacts/${contactId}`, edit(two))).status).toBe(200);
    await make('callflows', { contacts });
    expect(await refused('PUT', `contacts/${contactId}`, edit(two.slice(0, 1)))).toBe('phones');
    expect((await callApi('DELETE', `${api}/contacts/${contactId}`)).status).toBe(409);
  });

  test('call transfer needs a ticket of a Pigeon plan', async () => {
    const contactId = await contactOf('0300000004');
    const body = { displayName: 'transfers', contacts: [{ contactId }], transferTo: { contactId } };
    const guide = {
      displayName: 'transfers',
      messageTemplate: 'x',
      reactions: { 4: { behavior: 'transfer' } },
    };
    const { callflowId } = await make<{ callflowId: string }>('callflows', body);
    const { guidanceId } = await make<{ guidanceId: string }>('guidances', guide);
    const { contract } = server!.services;
    await server!.restart({ contract: new Contract(null) });
    for (const [path, input, name] of [
      ['callflows', { ...body, displayName: 'other' }, 'transferTo'],
      ['guidances', { ...guide, displayName: 'other' }, 'reactions.4.behavior'],
    ] as const)
      expect((await callApi('POST', `${api}/${path}`, input)).data).toMatchObject({
        invalidParams: [{ name }],
      });
    // Changes saved while the ticket was held are kept.
    expect((await callApi('PUT', `${api}/callflows/${callflowId}`, body)).status).toBe(200);
    expect(await invoke({ callflowId, guidanceId })).toMatchObject({
      status: 'rejected',
      errorDescriptor: { detail: 'Call transfer requires a ticket of a Pigeon plan' },
    });
    await server!.restart({ contract });
    const { resultId } = await invoke({ callflowId, guidanceId });
    await pass(60);
    expect(await show(resultId)).toMatchObject({
      status: 'succeeded',
      reason: 'transferred',
      keyInput: '4',
      calls: [
        { status: 'succeeded', behavior: 'transfer', transfer: false },
        { status: 'succeeded', behavior: null, transfer: true },
      ],
    });
  });

  test.each([
    ['0300000020', 'transferBusy'],
    ['0300000000', 'transferNoAnswer'],
    ['0300000030', 'transferFailed'],
  ])(
    'a transfer to %s does not succeed, the callee is told, and the next contact is called',
    async (destination, reason) => {
      const params = {
        callflow: {
          contacts: ['0300000004', '0300000001'].map((phoneNumber) => ({ phones: [{ phoneNumber }] })),
          transferTo: { contactId: await contactOf(destination) },
        },
        guidance: {
          messageTemplate: 'Down',
          reactions: { 1: { behavior: 'terminate' }, 4: { behavior: 'transfer' } },
        },
      };
      const { resultId } = await invoke(params);
      const ending = await invoke({
        ...params,
        callflow: { ...params.callflow, endsAfterFailedTransfer: true },
      });
      await pass(60);
      const result = await show(resultId);
      const transfer = [
        { status: 'succeeded', behavior: 'transfer' },
        { status: 'failed', transfer: true, reason },
      ];
      expect(result).toMatchObject({
        status: 'succeeded',
        reason: 'terminated',
        keyInput: '1',
        calls: [...transfer, { status: 'succeeded', keyInput: '1', transfer: false }],
      });
      expect(await show(ending.resultId)).toMatchObject({
        status: 'failed',
        reason: 'transferFailed',
        calls: transfer,
      });
      expect(
        result.calls.slice(0, 2).map(({ script }) => script.map(({ kind, text }) => text ?? kind)),
      ).toEqual([
        ['dialed', 'ringing', 'answered', 'Down', 'Down', 'key', 'Down', 'ended'],
        [
          ...['dialed', 'ringing', 'answered', 'Connecting your call.', expect.any(String)],
          ...['The call could not be connected. Goodbye.', 'ended'],
        ],
      ]);
    },
  );

  test('a chain without a free line waits and starts by itself, oldest first', async () => {
    const { callflowId, guidanceId } = await settings(['0300000000']);
    const ids: unknown[] = [];
    for (let each = 0; each < 4; each++) ids.push((await invoke({ callflowId, guidanceId })).resultId);
    await server!.settled();
    const statuses = async () => Promise.all(ids.map(async (id) => (await show(id)).status));
    expect(await statuses()).toEqual(['preparing', 'preparing', 'waiting', 'waiting']);
    await callApi('POST', `${api}/chain/abort`, { resultId: ids[2] });
    await pass(32);
    expect(await statuses()).toEqual(['failed', 'failed', 'aborted', 'processing']);
    await pass(32);
    expect(await statuses()).toEqual(['failed', 'failed', 'aborted', 'failed']);
  });

  test('a restart fails the call under way with a reason and goes on with the next contact', async () => {
    const { callflowId, guidanceId } = await settings(['0300000000', '0300000001']);
    const { resultId } = await invoke({ callflowId, guidanceId, parameters: { host: 'x' } });
    await pass(3);
    await server!.restart();
    await pass(40);
    expect(await show(resultId)).toMatchObject({
      status: 'succeeded',
      calls: [
        { status: 'failed', reason: 'interrupted' },
        { status: 'succeeded', keyInput: '1' },
      ],
    });
  });

  test('a setting is told of the events it asks for, once each, with the result but no number', async () => {
    const url = `${sink.url}/notify-${engine}`;
    await make('notification-settings', {
      kind: 'webhook',
      events: ['chain:started', 'chain:succeeded'],
      webhook: { url },
    });
    await make('notification-settings', { kind: 'webhook', events: ['chain:failed'], webhook: { url } });
    await make('notification-settings', {
      kind: 'webhook',
      disabled: true,
      events: ['chain:started'],
      webhook: { url },
    });
    const { callflowId, guidanceId } = await settings(['0377777701']);
    const { resultId } = await invoke({ callflowId, guidanceId });
    await pass(30);
    const told = sink.requests.filter((request) => request.url.startsWith(`/notify-${engine}`));
    expect(told.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      { event: 'chain:started', resultId, status: 'preparing' },
      { event: 'chain:succeeded', resultId, status: 'succeeded', keyInput: '1' },
    ]);
    expect(JSON.stringify(told)).not.toContain('0377777701');
    for (const body of [
      { kind: 'email', emails: [] },
      { kind: 'webhook', webhook: null },
    ]) {
      const reply = await callApi('POST', `${api}/notification-settings`, {
        displayName: 'x',
        events: ['chain:failed'],
        ...body,
      });
      expect(reply.status).toBe(400);
    }
  });

  test('a setting is told of a chain that failed because it cannot continue', async () => {
    const url = `${sink.url}/failed-${engine}`;
    await make('notification-settings', { kind: 'webhook', events: ['chain:failed'], webhook: { url } });
    const { callflowId, guidanceId } = await settings(['0377777700']);
    const { resultId } = await invoke({ callflowId, guidanceId });
    await server!.settled();
    await server!.services.database.query(`update pigeon_chain set plan = '[]' where result_id = $1`, [
      resultId,
    ]);
    await pass(60);
    const told = sink.requests.filter((request) => request.url.startsWith(`/failed-${engine}`));
    expect(told.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      {
        ...{ event: 'chain:failed', resultId, status: 'failed', reason: 'unforeseen' },
        ...{ loop: 1, numberOfCalls: 1, keyInput: null, startedAt: expect.any(String) },
      },
    ]);
  });

  test('an action of AlertHub starts a chain, and its record names the result', async () => {
    const { callflowId, guidanceId } = await settings(['0300000001']);
    const hub = '/api/apps/alerthub';
    const slot = await make<{ receiveSlotId: string; primary: string }>(`${hub}/receive-slots`, {});
    const scope = await make<{ scopeId: string }>(`${hub}/scopes`, {});
    const parameters = { callflowId, guidanceId };
    const action = await make<{ actionId: string }>(`${hub}/actions`, { kind: 'pigeon', parameters });
    await make(`${hub}/rules`, {
      receiveSlotId: slot.receiveSlotId,
      eventParams: [{ scopeId: scope.scopeId, delta: 1 }],
    });
    await make(`${hub}/scopes/${scope.scopeId}/triggers`, {
      target: { kind: 'action', id: action.actionId },
    });
    expect((await callApi('DELETE', `${api}/callflows/${callflowId}`)).status).toBe(409);
    await post(slot.primary, JSON.stringify({ host: 'db-9' }));
    await server!.settled();
    const records = (await callApi('GET', `${hub}/action-records?filter=actionId eq "${action.actionId}"`))
      .data as {
      items: (ActionRecordItem & { resultId: string })[];
    };
    expect(records.items).toMatchObject([{ status: 'succeeded', resultId: expect.any(String) }]);
    expect(await show(records.items[0]!.resultId)).toMatchObject({
      source: 'trigger',
      parameters: { message: { content: { data: { host: 'db-9' } } }, event: { delta: 1 } },
    });
  });

  test('a webhook line hands the call to the provider and believes only signed reports', async () => {
    const bytes = Buffer.alloc(32, 7);
    const path = `/line-${engine}`;
    await server!.restart({
      pigeon: {
        line: 'webhook',
        maxConcurrentChains: 2,
        simulator: 'key:1',
        webhookUrl: `${sink.url}${path}`,
        webhookSecret: bytes,
        sip: undefined,
        voice: {},
      },
    });
    const { callflowId, guidanceId } = await settings(['0355555555', '0366666666']);
    const { resultId } = await invoke({ callflowId, guidanceId, parameters: { host: 'web' } });
    const sent = () =>
      sink.requests.filter((request) => request.url === path).map(({ body }) => JSON.parse(String(body)));
    await expect.poll(() => sent().length).toBe(1);
    const [order] = sent();
    expect(order).toMatchObject({
      type: 'call.start',
      resultId,
      phoneNumber: '0355555555',
      message: 'Host web is down',
      reactions: { 1: { behavior: 'terminate', message: 'Thank you for web' } },
      readings: { perRound: 2, rounds: 3, waitSeconds: 10 },
      ringSeconds: 30,
      mostSeconds: 600,
    });
    const report = async (body: Body, secret = bytes, to = order.callbackUrl, now = clock.now()) => {
      const raw = JSON.stringify(body);
      const seconds = Math.floor(now / 1000);
      const signature = createHmac('sha256', secret).update(`id.${seconds}.${raw}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': 'id',
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,AAAA v1,${signature}`,
      };
      return (await fetch(to, { method: 'POST', headers, body: raw })).status;
    };
    expect(await report({ status: 'answered' }, Buffer.alloc(32, 8))).toBe(403);
    expect(await report({ status: 'answered' }, bytes, order.callbackUrl, clock.now() - 400_000)).toBe(403);
    expect(await report({ status: 'sung' })).toBe(400);
    expect(await report({ status: 'ended', reason: 'busy' })).toBe(202);
    await expect.poll(() => sent().length).toBe(2);
    expect(await report({ status: 'key', key: '1' })).toBe(202);
    expect((await show(resultId)).calls.map((call) => call.status)).toEqual(['missed', expect.anything()]);

    // The phone rings when the provider says so, and the call continues there while the server is down.
    await server!.settled();
    await server!.restart();
    expect((await show(resultId)).calls.map(({ status }) => status)).toEqual(['missed', 'preparing']);
    const second = sent()[1].callbackUrl;
    expect(await report({ status: 'ringing' }, bytes, second)).toBe(202);
    expect((await show(resultId)).calls[1]!.status).toBe('calling');
    await server!.restart();
    expect(await report({ status: 'key', key: '1', readings: 1 }, bytes, second)).toBe(202);
    expect(await report({ status: 'ended' }, bytes, second)).toBe(202);
    expect(await show(resultId)).toMatchObject({ status: 'succeeded', keyInput: '1' });

    // A transfer succeeds when the provider says that the two are connected.
    const { resultId: transferId } = await invoke({
      callflow: {
        contacts: [{ phones: [{ phoneNumber: '0355555555' }] }],
        transferTo: { contactId: await contactOf('0377777777') },
      },
      guidance: { messageTemplate: 'x', reactions: { 4: { behavior: 'transfer' } } },
    });
    const urlOf = async (call: number) => {
      await expect.poll(() => sent().filter((one) => one.resultId === transferId).length).toBe(call);
      return sent().findLast((one) => one.resultId === transferId).callbackUrl as string;
    };
    const first = await urlOf(1);
    expect(await report({ status: 'key', key: '4' }, bytes, first)).toBe(202);
    expect(await report({ status: 'ended' }, bytes, first)).toBe(202);
    const callback = await urlOf(2);
    expect(await report({ status: 'answered' }, bytes, callback)).toBe(202);
    expect((await show(transferId)).calls[1]!.status).toBe('calling');
    expect(await report({ status: 'transferred' }, bytes, callback)).toBe(202);
    expect((await show(transferId)).calls[1]!.status).toBe('succeeded');
    expect(await report({ status: 'ended' }, bytes, callback)).toBe(202);
    expect(await show(transferId)).toMatchObject({ status: 'succeeded', reason: 'transferred' });
  });

  test('without a line nobody can be called, and what was under way ends', async () => {
    await server!.restart({
      pigeon: {
        line: 'simulator',
        maxConcurrentChains: 1,
        simulator: 'key:1',
        webhookUrl: undefined,
        webhookSecret: undefined,
        sip: undefined,
        voice: {},
      },
    });
    const { callflowId, guidanceId } = await settings(['0300000000']);
    const ids = [await invoke({ callflowId, guidanceId }), await invoke({ callflowId, guidanceId })];
    await server!.settled();
    await server!.restart({
      pigeon: {
        line: undefined,
        maxConcurrentChains: 1,
        simulator: 'key:1',
        webhookUrl: undefined,
        webhookSecret: undefined,
        sip: undefined,
        voice: {},
      },
    });
    await pass(1);
    for (const { resultId } of ids)
      expect(await show(resultId)).toMatchObject({ status: 'failed', reason: 'noLine' });
    expect(await invoke({ callflowId, guidanceId })).toMatchObject({
      status: 'rejected',
      errorDescriptor: { detail: 'No line is configured, so no calls can be made' },
    });
  });

  test('counts the calls of a trunk by day, exactly when they are made at the same time', async () => {
    const { database } = server!.services;
    const now = Date.parse('2026-03-01T23:59:00.000Z');
    const limits = [
      { name: 'small', callsPerDay: 3 },
      { name: 'large', callsPerDay: 100 },
    ];
    const reserve = (at: number) => reserveCalls(database, limits, at);
    const reserved = await Promise.all(Array.from({ length: 10 }, () => reserve(now)));
    const count = (name: string) => reserved.filter((names) => names.has(name)).length;
    expect([count('small'), count('large')]).toEqual([3, 10]);
    await releaseCalls(database, ['small'], now);
    expect([...(await reserve(now))].sort()).toEqual(['large', 'small']);
    expect([...(await reserve(now))]).toEqual(['large']);
    expect((await reserve(now + 120 * second)).has('small')).toBe(true);
    await deleteOldUsage(database, now + 40 * 86_400 * second);
    const { rows } = await database.query('select trunk from pigeon_trunk_usage');
    expect(rows).toEqual([]);
  });
});
