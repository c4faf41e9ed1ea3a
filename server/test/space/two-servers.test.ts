// Two servers on one PostgreSQL database: they see each other's changes, nothing runs twice, and either
// continues alone.
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import type { Change } from '../../src/db/change-bus.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';
import type { Server } from '../../src/hosting/server.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';

describe.runIf(storeKinds.includes('postgresql'))('two servers', () => {
  let server: TestServer | null;
  let clock: ManualClock;
  let other: Server;
  let first: ApiCall;
  let second: ApiCall;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    sink = await startHttpSink();
    server = await startTestServer({
      engine: 'postgresql',
      clock,
      env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' },
    });
    if (!server) return;
    other = await server.startReplica();
    const headers = server.transportAs('privileged').headers!;
    first = createApiCall({ fetch, origin: server.origin, headers });
    second = createApiCall({ fetch, origin: other.origin, headers });
  });
  beforeEach((context) => {
    if (!server) context.skip();
    sink.behave({ kind: 'ok' });
    sink.clear();
  });
  afterAll(async () => {
    await server?.stop();
    await sink?.close();
  });

  const make = async (path: string, body: object, by = first) => {
    const reply = await by('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  };
  /** A slot whose messages trigger an action; returns its URL on either server. */
  async function line() {
    const displayName = `line ${++count}`;
    const action = await make('actions', {
      displayName,
      kind: 'webhook',
      parameters: { url: `${sink.url}/hook`, method: 'POST', body: '{"n":"{{message.content.data.n}}"}' },
    });
    const slot = await make('receive-slots', { displayName });
    const scope = await make('scopes', { displayName });
    const { receiveSlotId } = slot;
    const eventParams = [{ scopeId: scope.scopeId, delta: 1 }];
    await make('rules', { displayName, receiveSlotId, eventParams });
    const target = { kind: 'action', id: action.actionId };
    await make(`scopes/${scope.scopeId}/triggers`, { displayName, target });
    const path = new URL(slot.primary!).pathname;
    return { scopeId: scope.scopeId!, addresses: [server!.origin + path, other.origin + path] };
  }
  const settled = async () => {
    await other.services.intake.drained();
    await server!.services.intake.drained();
    await server!.settled();
    await other.services.pipeline.idle();
    await other.services.deliveries.idle();
  };
  const told = (server: Pick<Server, 'services'>) => {
    const changes: Change[] = [];
    server.services.changes.listen((list) => changes.push(...list));
    return changes;
  };

  test('a change that one makes is told by the other, once', async () => {
    const [here, there] = [told(server!), told(other)];
    const { scopeId } = await make('scopes', { displayName: 'told' });
    const of = (changes: Change[]) =>
      changes.filter(({ resource, id }) => resource === 'scope' && id === scopeId);
    await expect.poll(() => of(there)).toHaveLength(1);
    await second('PUT', `${api}/scopes/${scopeId}`, { displayName: 'told again' });
    await expect.poll(() => of(here).map(({ op }) => op)).toEqual(['create', 'update']);
    await expect.poll(() => of(there).map(({ op }) => op)).toEqual(['create', 'update']);
  });

  test('what one has made the other decides by at once', async () => {
    const { scopeId, addresses } = await line();
    expect((await post(addresses[1]!, '{"n":1}')).status).toBe(202);
    await settled();
    expect((await second('GET', `${api}/scopes/${scopeId}`)).data).toMatchObject({ severity: 1 });
    expect((await first('GET', `${api}/scopes/${scopeId}`)).data).toMatchObject({ severity: 1 });
    expect(sink.requests.map(({ body }) => body)).toEqual(['{"n":"1"}']);
  });

  test('thresholds that one has written apply to the next event of the other, before it is told of them', async () => {
    const thresholds = { warning: 1, incident: 3 };
    const { scopeId } = await make('scopes', { displayName: 'thresholds', thresholds });
    const raise = () => make(`scopes/${scopeId}/events`, { delta: 1 }, second);
    const shown = async () => (await second('GET', `${api}/scopes/${scopeId}`)).data;
    await raise();
    expect(await shown()).toMatchObject({ severity: 1, status: 'warning' });
    const notify = vi
      .spyOn(server!.services.database, 'notify')
      .mockRejectedValue(new StoreUnavailable('away'));
    const changed = { displayName: 'thresholds', thresholds: { warning: 5, incident: 6 } };
    expect((await first('PUT', `${api}/scopes/${scopeId}`, changed)).status).toBe(200);
    await raise();
    expect(await shown()).toMatchObject({ severity: 2, status: 'normal' });
    notify.mockRestore();
  });

  test('each message that either takes is decided once and each delivery made once', async () => {
    const { scopeId, addresses } = await line();
    const posts = Array.from({ length: 60 }, (_, n) => post(addresses[n % 2]!, JSON.stringify({ n })));
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 202));
    await settled();
    await expect.poll(() => sink.requests.length).toBe(60);
    await settled();
    expect((await first('GET', `${api}/scopes/${scopeId}`)).data).toMatchObject({ severity: 60 });
    const numbers = sink.requests.map(({ body }) => Number((JSON.parse(body) as { n: string }).n));
    expect(numbers.sort((one, two) => one - two)).toEqual(posts.map((_, n) => n));
  });

  test('of two posts of one delivery, one to each, one message is made', async () => {
    const { scopeId, addresses } = await line();
    const headers = { 'idempotency-key': 'sent to both' };
    const replies = await Promise.all(addresses.map((address) => post(address, '{"n":1}', headers)));
    expect(replies.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2]);
    await settled();
    expect((await first('GET', `${api}/scopes/${scopeId}`)).data).toMatchObject({ severity: 1 });
    expect(sink.requests).toHaveLength(1);
  });

  test('a token that one has removed is refused by the other', async () => {
    const made = (await first('POST', '/api/space/api-tokens', { displayName: 'removed' })).data as Record<
      string,
      string
    >;
    const headers = () => ({ 'x-authorization': `Token ${made.token}` });
    const there = createApiCall({ fetch, origin: other.origin, headers });
    expect((await there('GET', `${api}/scopes`)).status).toBe(200);
    expect((await first('DELETE', `/api/space/api-tokens/${made.apiTokenId}`)).status).toBe(200);
    clock.advance(5_000);
    await expect.poll(async () => (await there('GET', `${api}/scopes`)).status).toBe(401);
  });

  test('what waits to be delivered is delivered by the one that is left', async () => {
    const { addresses } = await line();
    sink.behave({ kind: 'status', status: 503 });
    expect((await post(addresses[1]!, '{"n":7}')).status).toBe(202);
    await settled();
    expect(sink.requests).toHaveLength(1);
    await other.close();
    sink.behave({ kind: 'ok' });
    sink.clear();
    clock.advance(60_000);
    await server!.settled();
    expect(sink.requests.map(({ body }) => body)).toEqual(['{"n":"7"}']);
    expect((await post(addresses[0]!, '{"n":8}')).status).toBe(202);
    await server!.settled();
    expect(sink.requests.map(({ body }) => body)).toEqual(['{"n":"7"}', '{"n":"8"}']);
  });
});
