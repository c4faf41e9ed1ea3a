// More deliveries than the in-memory limit: those for an unresponsive target return to the queue without
// counting an attempt, and are sent later.
import { type HttpSink, startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let alive: HttpSink;
  let dead: HttpSink;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    alive = await startHttpSink();
    server = await startTestServer({ engine, clock, env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    dead = await startHttpSink({ behaviour: { kind: 'silent' } });
  });
  afterEach(() => dead?.close());
  afterAll(async () => {
    await server?.stop();
    await alive?.close();
  });

  async function make(path: string, body: object): Promise<Record<string, string>> {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  }

  /** A slot whose messages are all delivered to this URL. */
  async function line(url: string) {
    const displayName = `line ${++count}`;
    const { actionId } = await make('actions', { displayName, kind: 'webhook', parameters: { url } });
    const { receiveSlotId, primary } = await make('receive-slots', { displayName });
    const { scopeId } = await make('scopes', { displayName });
    await make('rules', { displayName, receiveSlotId, eventParams: [{ scopeId, delta: 1 }] });
    await make(`scopes/${scopeId}/triggers`, { displayName, target: { kind: 'action', id: actionId } });
    return {
      async send(messages: number) {
        const numbers = Array.from({ length: messages }, (_, number) => number);
        await Promise.all(numbers.map((number) => post(primary!, JSON.stringify({ number }))));
      },
      async records() {
        const filter = encodeURIComponent(`actionId eq "${actionId}"`);
        const { data } = await callApi('GET', `${api}/action-records?limit=1000&filter=${filter}`);
        return (data as { items: ActionRecordItem[] }).items;
      },
    };
  }
  /** Delivery jobs by whether they are leased, with the attempts of the free ones. */
  async function jobs() {
    const { rows } = await server!.services.database.query<{ held: boolean; attempts: number }>(
      `select locked_by is not null as held, attempts from job where queue = 'delivery'`,
    );
    const free = rows.filter(({ held }) => !held);
    return {
      held: rows.length - free.length,
      free: free.length,
      counted: Math.max(0, ...free.map(({ attempts }) => attempts)),
    };
  }

  test('a silent target holds a few of many, the others are not counted as tried, and another target goes on', async () => {
    const stuck = await line(`${dead.url}/stuck`);
    await stuck.send(150);
    await server!.services.intake.drained();
    await server!.services.pipeline.idle();
    await expect
      .poll(async () => {
        clock.advance(100);
        return jobs();
      })
      .toMatchObject({ held: 32, free: 118, counted: 0 });
    expect(dead.requests.length).toBeLessThanOrEqual(16);
    const other = await line(`${alive.url}/alive`);
    await other.send(1);
    await alive.waitFor(1);
    await dead.close();
    await expect
      .poll(
        async () => {
          clock.advance(1000);
          return (await stuck.records()).filter((record) => record.attempts.length > 0).length;
        },
        { timeout: 20_000 },
      )
      .toBe(150);
    await server!.settled();
    for (const { attempts } of await stuck.records())
      expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, at) => at + 1));
  });

  test('what a server held when it was stopped is made by the next one without waiting', async () => {
    const stuck = await line(`${dead.url}/stopped`);
    await stuck.send(50);
    await server!.services.intake.drained();
    await server!.services.pipeline.idle();
    await expect.poll(() => dead.requests.length).toBe(16);
    await expect.poll(jobs).toMatchObject({ held: 50 });
    const stopped = server!.restart();
    dead.behave({ kind: 'ok' });
    await stopped;
    // The 16 attempts in progress at the stop were never answered; the others had not been counted, so each
    // is a first attempt.
    const firsts = async () => {
      const records = await stuck.records();
      return records.filter(
        ({ attempts: [one] }) => one !== undefined && one.number === 1 && one.outcome === 'succeeded',
      );
    };
    await expect.poll(async () => (await firsts()).length).toBeGreaterThanOrEqual(34);
    await server!.settled();
    expect((await firsts()).map(({ attempts }) => attempts.length)).toEqual(Array(34).fill(1));
  });
});
