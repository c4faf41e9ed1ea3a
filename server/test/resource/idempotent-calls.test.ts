// Calls with an Idempotency-Key: a repeat starts nothing again, also when the first reply was lost.
import type { ProblemBody } from '@yagura/core/http/problem';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const pigeon = '/api/apps/pigeon';
const users = '/api/space/users';
let server: TestServer;
let callApi: ApiCall;

beforeAll(async () => {
  server = (await startTestServer())!;
  callApi = createApiCall(server.transportAs('privileged'));
});
afterAll(() => server?.stop());

const withKey = (key: string, path: string, body: object = {}) =>
  callApi('POST', path, body, { headers: { 'idempotency-key': key } });
async function make(path: string, body: object): Promise<Record<string, string>> {
  const reply = await callApi('POST', path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.data as Record<string, string>;
}
const detailOf = (reply: { data: unknown }) => (reply.data as ProblemBody).detail;

async function chainParams(name: string) {
  const phones = [{ phoneNumber: '0300000000' }];
  const { contactId } = await make(`${pigeon}/contacts`, { displayName: name, phones });
  const flow = { displayName: name, loopLimit: 1, contacts: [{ contactId }] };
  const { callflowId } = await make(`${pigeon}/callflows`, flow);
  const guidance = { displayName: name, messageTemplate: 'The disk is full', reactions: {} };
  const { guidanceId } = await make(`${pigeon}/guidances`, guidance);
  return { callflowId, guidanceId };
}

async function countResults(): Promise<number> {
  const { data } = await callApi('GET', `${pigeon}/results`);
  return (data as { total: number }).total;
}

test('a repeated key calls nobody a second time and returns the first result', async () => {
  const params = await chainParams('night');
  const invoke = (key: string) => withKey(key, `${pigeon}/chain/invoke`, { params });
  const first = await invoke('chain 1');
  expect(first).toMatchObject({ status: 200, data: { status: 'requested' } });
  expect(await invoke('chain 1')).toMatchObject({ status: 200, data: first.data });
  const other = await invoke('chain 2');
  const resultOf = (reply: { data: unknown }) => (reply.data as { resultId: string }).resultId;
  expect(resultOf(other)).not.toBe(resultOf(first));
  expect(await countResults()).toBe(2);
});

test('the same key with another body is refused', async () => {
  const params = await chainParams('day');
  expect((await withKey('chain 3', `${pigeon}/chain/invoke`, { params })).status).toBe(200);
  const changed = { params: { ...params, parameters: { host: 'db-1' } } };
  const reply = await withKey('chain 3', `${pigeon}/chain/invoke`, changed);
  expect([reply.status, detailOf(reply)]).toEqual([
    409,
    'this Idempotency-Key was used with another request',
  ]);
});

test('a repeat after a lost reply is told that the call was carried out', async () => {
  const params = await chainParams('lost');
  const invoke = () => withKey('chain 4', `${pigeon}/chain/invoke`, { params });
  const before = await countResults();
  const { database } = server.services;
  const { query } = database;
  const spy = vi.spyOn(database, 'query').mockImplementation(async (statement, values) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text.startsWith('update idempotency')) throw new Error('stopped before the reply was stored');
    return (await query.call(database, statement, values)) as never;
  });
  onTestFinished(() => spy.mockRestore());
  expect((await invoke()).status).toBe(500);
  spy.mockRestore();
  const again = await invoke();
  expect(again.status).toBe(409);
  expect(detailOf(again)).toContain('was carried out, but its reply was lost');
  expect(await countResults()).toBe(before + 1);
});

test('a call that was refused leaves its key free', async () => {
  const lea = await make(users, { displayName: 'Lea', email: 'lea@example.com', roles: [] });
  const group = await make('/api/space/user-groups', { displayName: 'night shift', roles: [] });
  const add = (userId: string | undefined) =>
    withKey('group 1', `/api/space/user-groups/${group.userGroupId}/add-users`, { userIds: [userId] });
  expect((await add('00000000-0000-4000-8000-000000000000')).status).toBe(400);
  expect(await add(lea.userId)).toMatchObject({ status: 200, data: { members: [lea.userId] } });
});

test('a repeat of a call without a result gets the same empty reply', async () => {
  const ken = await make(users, { displayName: 'Ken', email: 'ken@example.com', roles: [] });
  const console = createApiCall(await server.signedIn('privileged'));
  const headers = { 'idempotency-key': 'sessions 1', 'x-requested-with': 'XMLHttpRequest' };
  const end = () =>
    console('POST', `/api/internal/space/users/${ken.userId}/end-sessions`, undefined, { headers });
  const first = await end();
  const again = await end();
  expect([first.status, first.text]).toEqual([200, '']);
  expect([again.status, again.text, again.headers.get('content-type')]).toEqual([
    200,
    '',
    first.headers.get('content-type'),
  ]);
  const { rows } = await server.services.database.query(
    `select 1 from audit_record where action = 'end-sessions' and resource_id = $1`,
    [ken.userId],
  );
  expect(rows).toHaveLength(1);
});
