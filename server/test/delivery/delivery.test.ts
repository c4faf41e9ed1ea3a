// Deliveries to real targets: retried on the test clock, recorded per attempt, independent of one another.
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const api = '/api/apps/alerthub';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let mail: Awaited<ReturnType<typeof startSmtpSink>>;
  let count = 0;
  const allowed = ['127.0.0.0/8'];

  beforeAll(async () => {
    clock = new ManualClock();
    [sink, mail, server] = await Promise.all([
      startHttpSink(),
      startSmtpSink(),
      startTestServer({ engine, clock, env: { YAGURA_MAIL_FROM: 'yagura@example.com' } }),
    ]);
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(async () => {
    await Promise.all([sink?.close(), mail?.close()]);
    await server?.stop();
  });

  async function make<T = Body>(path: string, body: Body): Promise<T> {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as T;
  }

  /** A slot whose messages are all delivered by this action. */
  async function line(kind: 'webhook' | 'email', parameters: Body) {
    const displayName = `line ${++count}`;
    const slot = await make<{ receiveSlotId: string; primary: string }>('receive-slots', { displayName });
    const scope = await make<{ scopeId: string }>('scopes', { displayName });
    const action = await make<{ actionId: string }>('actions', { displayName, kind, parameters });
    await make('rules', {
      displayName,
      receiveSlotId: slot.receiveSlotId,
      eventParams: [{ scopeId: scope.scopeId, delta: 1 }],
    });
    await make(`scopes/${scope.scopeId}/triggers`, {
      displayName,
      target: { kind: 'action', id: action.actionId },
    });
    return {
      send: async (body: string) => expect((await post(slot.primary, body)).status).toBe(202),
      records: async () =>
        (
          (await callApi('GET', `${api}/action-records?limit=100&filter=actionId eq "${action.actionId}"`))
            .data as {
            items: ActionRecordItem[];
          }
        ).items,
    };
  }

  /** Allows requests to the local sinks, whatever the previous test configured. */
  async function allow(): Promise<void> {
    await server!.restart({ outboundAllow: allowed });
  }

  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await server!.settled();
  }

  test('a private address is refused unless it was allowed, and the record says so', async () => {
    await server!.restart({ outboundAllow: [] });
    const closed = await line('webhook', { url: `${sink.url}/closed` });
    await closed.send('{}');
    await server!.settled();
    expect(await closed.records()).toMatchObject([
      {
        status: 'failed',
        nextAttemptAt: null,
        attempts: [{ outcome: 'failed', statusCode: null, reason: { word: 'delivery.blockedAddress' } }],
      },
    ]);
    expect(sink.requests).toEqual([]);
  });

  test('without a mail server the record says so, with one the mail arrives', async () => {
    const post = await line('email', {
      to: [{ name: 'Operator', email: 'operator@example.com' }],
      subject: 'Severity {{event.severity}}',
      text: 'It says {{message.content.data.title}}',
    });
    await post.send('{"title":"first"}');
    await server!.settled();
    const [silent] = await post.records();
    expect(silent).toMatchObject({
      attempts: [{ outcome: 'failed', reason: { word: 'delivery.noSender' } }],
    });

    await server!.restart({ smtpUrl: mail.url, outboundAllow: allowed });
    await post.send('{"title":"second"}');
    const [arrived] = await mail.waitFor(1);
    expect(arrived).toMatchObject({
      to: ['operator@example.com'],
      headers: expect.objectContaining({ subject: 'Severity 2' }),
    });
    expect(arrived!.text).toContain('It says second');
    await server!.settled();
    const records = await post.records();
    const done = records.find((record) => record.status === 'succeeded')!;
    expect(arrived!.headers['x-yagura-delivery']).toBe(done.deliveryId);
  });

  test('a failing target is tried again with longer waits, under one id, through a restart', async () => {
    await allow();
    const path = `/retry-${engine}`;
    sink.behave(
      {
        kind: 'sequence',
        steps: [
          { kind: 'status', status: 503, body: 'busy' },
          { kind: 'status', status: 429 },
          { kind: 'ok', body: 'at last' },
        ],
      },
      path,
    );
    const target = await line('webhook', {
      url: sink.url + path,
      body: 'severity {{event.severity}} {{nothing}}',
    });
    await target.send('{}');
    await server!.settled();
    const requests = () => sink.requests.filter((request) => request.url === path);
    const tries = async () => {
      await pass(0);
      return requests().length;
    };
    const started = clock.now();
    expect(await target.records()).toMatchObject([
      { status: 'waiting', nextAttemptAt: new Date(started + 2500).toISOString(), missing: ['nothing'] },
    ]);
    await pass(2000);
    expect(requests()).toHaveLength(1);
    await server!.restart();
    await pass(1000);
    await expect.poll(tries).toBe(2);
    await server!.settled();
    await pass(4000);
    expect(requests()).toHaveLength(2);
    await pass(2000);
    await expect.poll(tries).toBe(3);
    await server!.settled();
    const [record] = await target.records();
    expect(record).toMatchObject({
      status: 'succeeded',
      nextAttemptAt: null,
      attempts: [
        { number: 1, outcome: 'failed', statusCode: 503, reply: 'busy' },
        { number: 2, outcome: 'failed', statusCode: 429 },
        { number: 3, outcome: 'succeeded', statusCode: 200, reply: 'at last' },
      ],
    });
    expect(new Set(requests().map((request) => request.headers['webhook-id']))).toEqual(
      new Set([record!.deliveryId]),
    );
    expect(requests().map((request) => request.headers['x-yagura-attempt'])).toEqual(['1', '2', '3']);
    expect(requests().map((request) => request.body)).toEqual(Array(3).fill('severity 1 '));
    await pass(60_000);
    expect(requests()).toHaveLength(3);
  });

  test.each([400, 404, 410])('a %i is final', async (status) => {
    await allow();
    const path = `/final-${status}`;
    sink.behave({ kind: 'status', status }, path);
    const target = await line('webhook', { url: sink.url + path });
    await target.send('{}');
    await server!.settled();
    expect(await target.records()).toMatchObject([
      { status: 'failed', nextAttemptAt: null, attempts: [{ number: 1, statusCode: status }] },
    ]);
    await pass(20_000);
    expect(sink.requests.filter((request) => request.url === path)).toHaveLength(1);
  });

  test('a burst for a target that answers is sent at once, with no time passing', async () => {
    await allow();
    const target = await line('webhook', { url: `${sink.url}/burst` });
    await Promise.all(Array.from({ length: 150 }, (_, turn) => target.send(`{"turn":${turn}}`)));
    await server!.settled();
    expect(sink.requests.filter((request) => request.url === '/burst')).toHaveLength(150);
  });

  test('a target that never answers does not hold up another one', async () => {
    await allow();
    const dead = await startHttpSink({ behaviour: { kind: 'silent' } });
    const stuck = await line('webhook', { url: `${dead.url}/stuck` });
    for (let turn = 0; turn < 30; turn++) await stuck.send(`{"turn":${turn}}`);
    await dead.waitFor(10);
    const alive = await line('webhook', { url: `${sink.url}/alive` });
    await alive.send('{}');
    await sink.waitFor((request) => request.url === '/alive');
    await expect.poll(async () => (await alive.records())[0]?.status).toBe('succeeded');
    expect((await stuck.records()).map((record) => record.status)).toEqual(Array(30).fill('waiting'));
    await dead.close();
    await server!.settled();
    expect((await stuck.records()).every((record) => record.attempts.length === 1)).toBe(true);
  });
});
