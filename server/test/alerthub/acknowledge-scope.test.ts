// A user acknowledges the status of a scope: until when that holds, what is recorded, and what is refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { createApiCall } from '../support/api-request.ts';
import type { ScopeItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const now = () => new Date(clock.now()).toISOString();
  const acknowledge = (scopeId: string, body: object = {}, by = caller.callApi) =>
    by('POST', `${api}/scopes/${scopeId}/acknowledge`, body);
  /** A scope with the status warning. */
  async function createWarning() {
    const line = await caller.createAlertPath();
    await line.send(1);
    await line.send(1);
    const raisedAt = now();
    clock.advance(1000);
    expect(await line.scope()).toMatchObject({ status: 'warning', raisedAt, acknowledgedAt: null });
    return { ...line, raisedAt };
  }
  const cleared = { acknowledgedAt: null, acknowledgedBy: null, acknowledgementNote: null };

  test('is recorded on the scope, its latest event and in the audit log, also after a restart', async () => {
    const { scopeId, scope, events, raisedAt } = await createWarning();
    const person = await server!.signedIn(['alerthub:administrator']);
    const { displayName } = (await createApiCall(person)('GET', '/api/internal/profile')).data as {
      displayName: string;
    };
    const acknowledgedAt = now();
    const reply = await acknowledge(scopeId, { note: 'on it', raisedAt }, createApiCall(person));
    expect(reply.status, reply.text).toBe(200);
    const acknowledged = { acknowledgedAt, acknowledgedBy: displayName, acknowledgementNote: 'on it' };
    expect(reply.data).toMatchObject({ scopeId, status: 'warning', severity: 2, raisedAt, ...acknowledged });
    await server!.restart();
    expect(await scope()).toEqual(reply.data);
    const [first, second] = await events();
    const recorded = { userId: person.userId, name: displayName, note: 'on it', acknowledgedAt };
    expect([first!.acknowledgements, second!.acknowledgements]).toEqual([
      [],
      [{ ...recorded, contactId: null, resultId: null, keyInput: null }],
    ]);
    const { items } = (
      await caller.callApi(
        'GET',
        `/api/space/audit-records?filter=${encodeURIComponent(`resource eq "scope" and action eq "acknowledge"`)}`,
      )
    ).data as { items: object[] };
    expect(items[0]).toMatchObject({ actorName: displayName, outcome: 'done', resourceId: scopeId });
  });

  test('holds while the status stays or gets better, and ends when it gets worse or normal', async () => {
    const { scopeId, scope, send, raisedAt } = await createWarning();
    await acknowledge(scopeId);
    const acknowledged = { acknowledgedAt: now(), acknowledgementNote: '' };
    clock.advance(1000);
    await send(1);
    expect(await scope()).toMatchObject({ status: 'warning', severity: 3, raisedAt, ...acknowledged });

    await send(1);
    const worseAt = now();
    expect(await scope()).toMatchObject({ status: 'incident', raisedAt: worseAt, ...cleared });

    clock.advance(1000);
    await acknowledge(scopeId);
    await send(-1);
    expect(await scope()).toMatchObject({ status: 'warning', raisedAt: worseAt, acknowledgedAt: now() });

    await send(-1);
    await send(-1);
    expect(await scope()).toMatchObject({ status: 'normal', raisedAt: null, ...cleared });
  });

  test.each([
    ['recovers and gets worse again', [-2, 2]],
    ['gets worse and better again', [2, -2]],
  ])('ends when one message %s', async (what, deltas) => {
    const { scopeId, scope } = await createWarning();
    const slot = await caller.make<{ receiveSlotId: string; primary: string }>('receive-slots', {
      displayName: what.slice(0, 30),
    });
    for (const delta of deltas)
      await caller.make('rules', {
        displayName: `${delta} ${what}`.slice(0, 30),
        receiveSlotId: slot.receiveSlotId,
        flow: { steps: [] },
        eventParams: [{ scopeId, delta }],
      });
    await acknowledge(scopeId);
    clock.advance(1000);
    await post(slot.primary, '{}');
    await server!.settled();
    expect(await scope()).toMatchObject({ status: 'warning', severity: 2, raisedAt: now(), ...cleared });
  });

  test('follows the thresholds of the scope', async () => {
    const { scopeId, scope } = await createWarning();
    await acknowledge(scopeId);
    const editThresholds = async (warning: number, incident: number) => {
      clock.advance(1000);
      const { displayName, remarks, recoveryTime } = await scope();
      const body = { displayName, remarks, recoveryTime, thresholds: { warning, incident } };
      expect((await caller.callApi('PUT', `${api}/scopes/${scopeId}`, body)).status).toBe(200);
      return scope();
    };
    const before = await scope();
    expect(await editThresholds(1, 4)).toMatchObject({
      raisedAt: before.raisedAt,
      acknowledgedAt: before.acknowledgedAt,
    });
    expect(await editThresholds(1, 2)).toMatchObject({ status: 'incident', raisedAt: now(), ...cleared });
    expect(await editThresholds(5, 9)).toMatchObject({ status: 'normal', raisedAt: null, ...cleared });
    expect(await editThresholds(1, 9)).toMatchObject({ status: 'warning', raisedAt: now(), ...cleared });
  });

  test('is withdrawn from the scope, not from its events; once more changes nothing', async () => {
    const { scopeId, scope, events } = await createWarning();
    await acknowledge(scopeId);
    const before = await events();
    for (let time = 0; time < 2; time += 1) {
      const reply = await caller.callApi('POST', `${api}/scopes/${scopeId}/unacknowledge`);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.data).toMatchObject({ status: 'warning', ...cleared });
    }
    expect(await events()).toEqual(before);
    expect(await scope()).toMatchObject(cleared);
  });

  test('is refused for a normal scope, and for a status that the caller has not seen', async () => {
    const { scopeId, scope, send, events, raisedAt } = await createWarning();
    await send(1);
    await send(1);
    const stale = await acknowledge(scopeId, { raisedAt });
    expect(stale.data).toMatchObject({ status: 409, detail: expect.stringContaining('worse') });
    expect(await scope()).toMatchObject({ status: 'incident', ...cleared });
    await caller.callApi('POST', `${api}/scopes/${scopeId}/severities/reset`, {});
    const normal = await acknowledge(scopeId);
    expect(normal.data).toMatchObject({ status: 409, detail: expect.stringContaining('normal') });
    expect((await events()).flatMap(({ acknowledgements }) => acknowledgements)).toEqual([]);
    const unknown = await acknowledge('01a1fea7-056f-700d-b199-539c2daf013a');
    expect(unknown.status).toBe(404);
    expect((await acknowledge('elsewhere')).status).toBe(404);
  });

  test('needs the permission to change scopes, and a note of at most 500 characters', async () => {
    const { scopeId, scope } = await createWarning();
    const viewer = createApiCall(await server!.signedIn(['alerthub:viewer']));
    expect((await acknowledge(scopeId, {}, viewer)).status).toBe(403);
    const long = await acknowledge(scopeId, { note: 'a'.repeat(501) });
    expect(long.data).toMatchObject({ status: 400, invalidParams: [{ name: 'note' }] });
    expect(await scope()).toMatchObject(cleared);
  });

  test('can be filtered by', async () => {
    const acknowledged = await createWarning();
    const other = await createWarning();
    await acknowledge(acknowledged.scopeId);
    const ids = [acknowledged.scopeId, other.scopeId].map((id) => `scopeId eq "${id}"`).join(' or ');
    const find = async (condition: string) =>
      (await caller.list<ScopeItem>(`scopes?filter=${encodeURIComponent(`(${ids}) and ${condition}`)}`)).map(
        ({ scopeId }) => scopeId,
      );
    expect(await find('acknowledgedAt eq null')).toEqual([other.scopeId]);
    expect(await find('acknowledgedAt ne null')).toEqual([acknowledged.scopeId]);
  });
});
