// What is left of deleted users and networks in the items that named them.
import type { ProblemBody } from '@yagura/core/http/problem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../src/db/migrations/all.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { createTestStore } from '../support/test-store.ts';

const destinations = '/api/apps/greac/destinations';
const schedules = '/api/tasks/schedules';
const networks = '/api/apps/sonar/networks';
let server: TestServer;
let callApi: ApiCall;

beforeAll(async () => {
  server = (await startTestServer())!;
  callApi = createApiCall(server.transportAs('privileged'));
});
afterAll(() => server?.stop());

async function make(path: string, body: object): Promise<Record<string, string>> {
  const reply = await callApi('POST', path, body);
  expect(reply.status, reply.text).toBe(201);
  return reply.data as Record<string, string>;
}
const makeUser = (name: string) =>
  make('/api/space/users', { displayName: name, email: `${name}@example.com`, roles: [] });
const makeNetwork = (displayName: string) => make(networks, { displayName });
const schedule = (networkId: string | undefined, displayName: string) => ({
  displayName,
  namespace: 'sonar',
  method: 'scan',
  params: { networkId },
  recurrence: { frequency: 'day', hour: 3, minute: 0, timeZone: 'UTC' },
});

describe('a deleted user', () => {
  test('is no member of a destination any more, which can still be saved', async () => {
    const [ken, lea] = [await makeUser('ken'), await makeUser('lea')];
    const input = { displayName: 'db-1', host: 'db-1', protocol: 'ssh' };
    const members = { userIds: [ken.userId, lea.userId], userGroupIds: [] };
    const { destinationId } = await make(destinations, { ...input, members });
    const { headers } = await callApi('GET', `${destinations}/${destinationId}`);
    const console = createApiCall(await server.signedIn('privileged'));
    const belongings = await console('GET', `/api/internal/space/users/${ken.userId}/belongings`, undefined, {
      headers: { 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(belongings.data).toMatchObject({ destinations: 1 });
    // A space administrator has no permission for destinations.
    const administrator = createApiCall(server.transportAs(['space:administrator']));
    expect((await administrator('DELETE', `/api/space/users/${ken.userId}`)).status).toBe(200);
    const { data } = await callApi('GET', `${destinations}/${destinationId}`);
    expect(data).toMatchObject({ members: { userIds: [lea.userId] } });
    const save = (path: string, ifMatch?: string | null) =>
      callApi('PUT', path, data as object, ifMatch ? { headers: { 'if-match': ifMatch } } : {});
    expect((await save(`${destinations}/${destinationId}`, headers.get('etag'))).status).toBe(412);
    expect((await save(`${destinations}/${destinationId}`)).status).toBe(200);
  });
});

describe('a deleted network', () => {
  test('takes its scan schedules along, and no others', async () => {
    const [gone, kept] = [await makeNetwork('gone'), await makeNetwork('kept')];
    const nightly = await make(schedules, schedule(gone.networkId, 'nightly'));
    const other = await make(schedules, schedule(kept.networkId, 'other'));
    expect((await callApi('DELETE', `${networks}/${gone.networkId}`)).status).toBe(200);
    const { data } = await callApi('GET', schedules);
    expect((data as { items: object[] }).items).toMatchObject([{ taskScheduleId: other.taskScheduleId }]);
    const { rows } = await server.services.database.query('select task_schedule_id from task_schedule');
    expect(rows).toEqual([{ task_schedule_id: other.taskScheduleId }]);
    expect((await callApi('GET', `${schedules}/${nightly.taskScheduleId}`)).status).toBe(404);
  });

  test('and one that never was cannot be scheduled', async () => {
    const network = await makeNetwork('present');
    const made = await make(schedules, schedule(network.networkId, 'edited'));
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const id of [unknown, 'no id', undefined]) {
      for (const [method, path] of [
        ['POST', schedules],
        ['PUT', `${schedules}/${made.taskScheduleId}`],
      ] as const) {
        const reply = await callApi(method, path, schedule(id, 'edited'));
        expect([reply.status, (reply.data as ProblemBody).invalidParams?.[0]?.name]).toEqual([
          400,
          'params.networkId',
        ]);
      }
    }
  });
});

test('references left by an older version are removed', async () => {
  const store = (await createTestStore('embedded'))!;
  try {
    const older = await store.open({ migrations: migrations.filter(({ number }) => number < 77) });
    const id = (last: number) => `0190a0a0-0000-7000-8000-00000000000${last}`;
    const [space, ken, gone, network, destination] = [1, 2, 3, 4, 5].map(id);
    const [dead, live, task] = [6, 7, 8].map(id);
    const at = '2026-01-02T03:04:05.000Z';
    await older.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
      [space, at],
    );
    await older.query(
      `insert into person (space_id, user_id, display_name, email, created_at, updated_at) values ($1, $2, 'Ken', 'k@example.com', $3, $3)`,
      [space, ken, at],
    );
    const insert = (kind: string, itemId: string | undefined, body: object) =>
      older.query(
        `insert into resource (space_id, kind, id, body, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
        [space, kind, itemId, JSON.stringify(body), at],
      );
    const scan = (networkId: string | undefined) => ({
      namespace: 'sonar',
      method: 'scan',
      params: { networkId },
    });
    await insert('network', network, {});
    await insert('destination', destination, { members: { userIds: [gone, ken], userGroupIds: [] } });
    await insert('task-schedule', dead, scan(gone));
    await insert('task-schedule', live, scan(network));
    await insert('task-schedule', task, { ...scan(gone), method: 'resume' });
    for (const scheduleId of [dead, live, task])
      await older.query(
        `insert into task_schedule (task_schedule_id, space_id, namespace) values ($1, $2, 'sonar')`,
        [scheduleId, space],
      );
    for (const userId of [gone, ken])
      await older.query(`insert into reference values ($1, 'destination', $2, 'user', $3)`, [
        space,
        destination,
        userId,
      ]);
    await older.close();

    const newer = await store.open({ migrations });
    const select = async (text: string) => (await newer.query(text)).rows;
    expect(await select(`select body from resource where kind = 'destination'`)).toEqual([
      { body: { members: { userIds: [ken], userGroupIds: [] } } },
    ]);
    expect(await select('select to_id from reference')).toEqual([{ to_id: ken }]);
    expect(await select(`select id from resource where kind = 'task-schedule' order by id`)).toEqual([
      { id: live },
      { id: task },
    ]);
    expect(await select('select task_schedule_id as id from task_schedule order by 1')).toEqual([
      { id: live },
      { id: task },
    ]);
    await newer.close();
  } finally {
    await store.remove();
  }
});
