// Settings of a receive slot for its senders: methods, status of the response, delivery ids; and the record of
// refused requests.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Refusal } from '../../src/alerthub/slots/refusal.ts';
import { RefusalStore } from '../../src/alerthub/slots/refusal-store.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  interface Slot {
    receiveSlotId: string;
    primary: string;
    secondary: string;
  }
  let slots = 0;
  const createSlot = async (settings: Record<string, unknown>): Promise<Slot> => {
    slots += 1;
    const reply = await callApi('POST', `${api}/receive-slots`, {
      displayName: `slot ${slots}`,
      ...settings,
    });
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Slot;
  };
  const idOf = async (reply: Response) => ((await reply.json()) as { messageId: string }).messageId;
  const contentOf = async (reply: Response) => {
    const messageId = await idOf(reply);
    await server!.settled();
    const { data } = await callApi('GET', `${api}/message/detail/${messageId}`);
    return (data as { content: { body: string; data?: unknown } }).content;
  };

  test('answers 200 to senders that accept nothing else', async () => {
    const { primary } = await createSlot({ answer: 'ok' });
    const reply = await post(primary, '{}');
    expect(reply.status).toBe(200);
    expect(await idOf(reply)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('accepts PUT and GET if the slot says so', async () => {
    const { primary } = await createSlot({ allowPut: true, allowGet: true });
    expect(await contentOf(await fetch(primary, { method: 'PUT', body: '{"a":1}' }))).toEqual({
      body: '{"a":1}',
      data: { a: 1 },
    });
    expect(await contentOf(await fetch(`${primary}?host=web1&state=%E7%95%B0%E5%B8%B8&host=web2`))).toEqual({
      body: 'host=web1&state=%E7%95%B0%E5%B8%B8&host=web2',
      data: { host: ['web1', 'web2'], state: '異常' },
    });
    expect(await contentOf(await fetch(primary))).toEqual({ body: '' });
    const reply = await fetch(primary, { method: 'DELETE' });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('POST, PUT, GET, HEAD, OPTIONS');
  });

  describe('handshakes', () => {
    const validation = [
      { eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: { validationCode: 'code-1' } },
    ];
    const validate = (url: string, body: unknown) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'aeg-event-type': 'SubscriptionValidation' },
        body: JSON.stringify(body),
      });
    const auditOf = async ({ receiveSlotId }: Slot) => {
      const filter = encodeURIComponent(`resourceId eq "${receiveSlotId}"`);
      const { data } = await callApi('GET', `/api/space/audit-records?filter=${filter}`);
      const records = (data as { items: { action: string; outcome: string; detail: string }[] }).items;
      return records
        .filter(({ action }) => action === 'confirm-subscription')
        .map(({ outcome, detail }) => `${outcome}: ${detail}`);
    };
    const reasonsOf = async ({ receiveSlotId }: Slot) => {
      const { data } = await callApi('GET', `${api}/receive-slots/${receiveSlotId}/refusals`);
      return (data as { items: { reason: string }[] }).items.map(({ reason }) => reason);
    };

    test('of Event Grid and CloudEvents are answered if the slot says so', async () => {
      const slot = await createSlot({ confirmSubscriptions: true });
      const reply = await validate(slot.primary, validation);
      expect([reply.status, await reply.json()]).toEqual([200, { validationResponse: 'code-1' }]);
      const headers = { 'webhook-request-origin': 'eventemitter.example.com', 'webhook-request-rate': '120' };
      const options = await fetch(slot.secondary, { method: 'OPTIONS', headers });
      expect(options.status).toBe(200);
      expect(options.headers.get('webhook-allowed-origin')).toBe('eventemitter.example.com');
      expect(options.headers.get('webhook-allowed-rate')).toBe('*');
      expect(await auditOf(slot)).toEqual([
        'done: CloudEvents: eventemitter.example.com',
        'done: Azure Event Grid',
      ]);
      expect(await reasonsOf(slot)).toEqual([]);
      expect((await post(slot.primary, '{}')).status).toBe(202);
    });

    test('are messages for other slots', async () => {
      const slot = await createSlot({});
      expect((await validate(slot.primary, validation)).status).toBe(202);
      const headers = { 'webhook-request-origin': 'eventemitter.example.com' };
      const options = await fetch(slot.primary, { method: 'OPTIONS', headers });
      expect([options.status, options.headers.get('webhook-allowed-origin')]).toEqual([204, null]);
      expect(await auditOf(slot)).toEqual([]);
    });

    test('that cannot be confirmed are listed with the slot', async () => {
      const slot = await createSlot({ confirmSubscriptions: true });
      expect((await validate(slot.primary, [{ data: {} }])).status).toBe(400);
      const reply = await fetch(slot.primary, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'x-amz-sns-message-type': 'SubscriptionConfirmation' },
        body: JSON.stringify({ Type: 'SubscriptionConfirmation', SubscribeURL: 'http://127.0.0.1/' }),
      });
      expect(reply.status).toBe(400);
      expect(await reasonsOf(slot)).toEqual(['subscription-refused']);
      expect(await auditOf(slot)).toEqual([
        'refused: MessageId is missing or invalid',
        'refused: the body is not a validation event with data.validationCode',
      ]);
    });

    test('are refused like messages if the slot is disabled', async () => {
      const slot = await createSlot({ confirmSubscriptions: true, disabled: true });
      expect((await validate(slot.primary, validation)).status).toBe(403);
    });
  });

  test.each(['HEAD', 'OPTIONS'])('%s stores nothing', async (method) => {
    const { primary, receiveSlotId } = await createSlot({ allowGet: true });
    const reply = await fetch(primary, { method });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    await server!.settled();
    const filter = encodeURIComponent(`receiveSlotId eq "${receiveSlotId}"`);
    const { data } = await callApi('GET', `${api}/message/list?filter=${filter}`);
    expect(data).toMatchObject({ total: 0 });
    expect((await fetch(`${server!.origin}/receive/webhook/${'A'.repeat(43)}`, { method })).status).toBe(404);
  });

  test.each([
    ['the body', 'message.content.data.incident.id', {}],
    ['a header', 'message.metadata.headers["x-incident"]', { 'x-incident': '7' }],
  ])('the same id in %s is the same delivery', async (_name, deliveryIdPath, headers) => {
    const { primary, secondary } = await createSlot({ deliveryIdPath });
    const first = await idOf(await post(primary, '{"incident":{"id":7},"n":1}', headers));
    expect(await idOf(await post(primary, '{"incident":{"id":7},"n":2}', headers))).toBe(first);
    expect(await idOf(await post(secondary, '{"incident":{"id":7},"n":3}', headers))).toBe(first);
    const other = { 'x-incident': '8' };
    expect(await idOf(await post(primary, '{"incident":{"id":8},"n":2}', other))).not.toBe(first);
  });

  test('messages without an id at the path are not compared by it', async () => {
    const { primary } = await createSlot({ deliveryIdPath: 'message.content.data.id' });
    const ids = await Promise.all(
      ['{"id":null}', '{"n":1}', 'text', '{"id":""}', '{"n":1}'].map(async (body) =>
        idOf(await post(primary, body)),
      ),
    );
    expect(new Set(ids).size).toBe(5);
    const large = JSON.stringify({ id: 1, text: 'x'.repeat(300_000) });
    expect(await idOf(await post(primary, large))).not.toBe(await idOf(await post(primary, large)));
    const packed = gzipSync(large);
    const postPacked = () =>
      fetch(primary, {
        method: 'POST',
        headers: { 'content-encoding': 'gzip' },
        body: new Uint8Array(packed),
      });
    expect(await idOf(await postPacked())).not.toBe(await idOf(await postPacked()));
  });

  test.each([
    'message',
    'message.content',
    '$.message.content.data.id',
    'event.severity',
    'message..a',
    'a b',
  ])('refuses %j as the path of an id', async (deliveryIdPath) => {
    const body = { displayName: 'refused', deliveryIdPath };
    const reply = await callApi('POST', `${api}/receive-slots`, body);
    expect(reply.status).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'deliveryIdPath' }] });
  });

  test('a refused request leaves a record', async () => {
    const { receiveSlotId, primary, secondary } = await createSlot({});
    await fetch(primary, { method: 'DELETE' });
    await fetch(primary, { method: 'DELETE', headers: { 'user-agent': 'probe' } });
    expect((await post(secondary, 'x'.repeat(10 * 1024 * 1024 + 1))).status).toBe(413);
    await callApi('PUT', `${api}/receive-slots/${receiveSlotId}`, {
      displayName: 'refusing',
      disabled: true,
    });
    expect((await post(primary, '{}')).status).toBe(403);
    const list = async () => {
      const { data } = await callApi('GET', `${api}/receive-slots/${receiveSlotId}/refusals`);
      return (data as { items: { reason: string }[] }).items;
    };
    await expect.poll(async () => (await list()).length).toBe(3);
    expect(await list()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'slot-disabled', address: 'primary', method: 'POST', count: 1 }),
        expect.objectContaining({ reason: 'too-large', address: 'secondary' }),
        expect.objectContaining({
          reason: 'method-not-allowed',
          method: 'DELETE',
          count: 2,
          sender: '127.0.0.1',
        }),
      ]),
    );
    expect((await callApi('DELETE', `${api}/receive-slots/${receiveSlotId}`)).status).toBe(200);
    const { rows } = await server!.services.database.query(
      'select * from slot_refusal where receive_slot_id = $1',
      [receiveSlotId],
    );
    expect(rows).toEqual([]);
  });

  test('the record of a slot keeps the latest refusals', async () => {
    const { receiveSlotId } = await createSlot({});
    const { database, clock, log } = server!.services;
    const store = new RefusalStore({ database, clock, log });
    const at = Date.parse('2026-01-01T00:00:00Z');
    const refusal = (index: number): Refusal => ({
      receiveSlotId,
      ...{ address: 'primary', reason: 'too-large', method: 'POST', userAgent: '', count: 1 },
      sender: `192.0.2.${index}`,
      refusedAt: at + index,
    });
    await store.add(Array.from({ length: 30 }, (_, index) => refusal(index)));
    const { data } = await callApi('GET', `${api}/receive-slots/${receiveSlotId}/refusals?limit=2&offset=18`);
    expect(data).toMatchObject({
      total: 20,
      items: [{ sender: '192.0.2.11' }, { sender: '192.0.2.10', refusedAt: '2026-01-01T00:00:00.010Z' }],
    });
  });
});
