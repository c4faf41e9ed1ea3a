// Calls without a resource, bulk imports and exports above all: nobody learns from a refusal whether the item exists, and
// that of another space is as unknown to every role as one that does not exist.
import { can, permissionsOf } from '@yagura/core/access/permissions';
import { type RoleName, roleMap, roleNames } from '@yagura/core/access/role-map';
import type { ProblemBody } from '@yagura/core/http/problem';
import { fillPath } from '@yagura/core/resource/define-resource';
import { type StandaloneCall, standaloneCalls } from '@yagura/core/standalone-calls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import { unknownId } from '../support/resource-calls.ts';
import { seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const bulk = '/api/apps/alerthub/bulk-operations';
const otherSpace = '0190a0a0-1111-7000-8000-000000000008';
/** The id that each call names, with the table and the kind of its row. */
const named: Record<string, { table: string; column: string }> = {
  importId: { table: 'bulk_import', column: 'import_id' },
  exportId: { table: 'bulk_export', column: 'export_id' },
  eventId: { table: 'event', column: 'event_id' },
  guidanceId: { table: 'resource', column: 'id' },
};

let server: TestServer;
let own: Record<string, string>;
let foreign: Record<string, string>;
beforeAll(async () => {
  server = (await startTestServer())!;
  const { params } = await seedFixtures(server);
  const admin = createApiCall(server.transportAs('privileged'));
  own = {
    kind: 'scopes',
    eventId: params.eventId!,
    guidanceId: params.guidanceId!,
    ...(await makeJobs(admin)),
  };
  const second = await makeJobs(admin);
  const { database } = server.services;
  await database.query(
    `insert into space (space_id, display_name, host, created_at, updated_at)
     values ($1, 'Other', 'other.example', now(), now())`,
    [otherSpace],
  );
  foreign = { ...own, ...second };
  for (const name of ['eventId', 'guidanceId']) foreign[name] = await copyRow(name);
  for (const name of ['importId', 'exportId']) await moveRow(name);
}, 120_000);
afterAll(() => server?.stop());

/** An import that has a plan, and an export that is complete. */
async function makeJobs(admin: ApiCall) {
  const { headers } = server.transportAs('privileged');
  const form = new FormData();
  form.set('file', new Blob(['$key,$delete,displayName\n,,from a file\n']), 'scopes.csv');
  const reply = await fetch(`${server.origin}${bulk}/scopes/imports`, {
    ...{ method: 'POST', headers: await headers!(), body: form },
  });
  const { importId } = (await reply.json()) as { importId: string };
  const { exportId } = (await admin('POST', `${bulk}/scopes/exports`, {})).data as { exportId: string };
  const status = async (path: string) =>
    ((await admin('GET', `${bulk}/scopes/${path}`)).data as { status: string }).status;
  const isDone = async () => expect(await status(`exports/${exportId}`)).toBe('succeeded');
  await vi.waitFor(isDone, { timeout: 20_000 });
  return { importId, exportId };
}

async function moveRow(name: string): Promise<void> {
  const { table, column } = named[name]!;
  await server.services.database.query(`update ${table} set space_id = $1 where ${column} = $2`, [
    ...[otherSpace, foreign[name]],
  ]);
}

/** Copies the row of this id to the other space, under another id, which it returns. */
async function copyRow(name: string): Promise<string> {
  const { table, column } = named[name]!;
  const id = `0190a0a0-4444-7000-8000-${String(Object.keys(named).indexOf(name)).padStart(12, '0')}`;
  await server.services.database.query(
    `insert into ${table} select r.* from ${table} t, jsonb_populate_record(null::${table},
       to_jsonb(t) || jsonb_build_object('space_id', $1::text, '${column}', $2::text)) r where t.${column} = $3`,
    [otherSpace, id, own[name]],
  );
  return id;
}

const calls = Object.entries(standaloneCalls).flatMap(([name, call]: [string, StandaloneCall]) => {
  const id = Object.keys(named).find((one) => call.path.includes(`{${one}}`));
  return id && call.permission ? [{ ...call, name, id, permission: call.permission }] : [];
});

async function rowsOfOther(): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { table } of Object.values(named))
    rows.push(
      (
        await server.services.database.query(`select to_jsonb(t) from ${table} t where space_id = $1`, [
          otherSpace,
        ])
      ).rows,
    );
  return rows;
}

const refusalOf = ({ status, data }: ApiReply) => {
  const { instance: _instance, ...problem } = data as ProblemBody;
  return { status, problem };
};

test.each([[[]], ...roleNames.map((role) => [[role]]), ['privileged']] as [RoleName[] | 'privileged'][])(
  'with the roles %j, items of another space are unknown, and refusals do not tell those of the own one',
  async (who) => {
    const callApi = createApiCall(await server.signedIn(who));
    const before = await rowsOfOther();
    for (const { method, path, name, id, permission, body, upload } of calls) {
      const call = (ids: Record<string, string>) =>
        callApi(method, fillPath(path, ids), body || upload ? {} : undefined).then(refusalOf);
      const may =
        who === 'privileged' || can(permissionsOf({ privileged: false, roles: who }, roleMap), permission);
      const unknown = await call({ ...own, [id]: unknownId });
      expect(unknown.status, name).toBe(may ? (upload ? 415 : 404) : 403);
      expect(await call(foreign), name).toEqual(unknown);
      if (!may) expect(await call(own), name).toEqual(unknown);
    }
    expect(await rowsOfOther()).toEqual(before);
  },
  60_000,
);

test('each of these calls finds the item of its own space', async () => {
  const admin = createApiCall(server.transportAs('privileged'));
  expect(calls.length).toBeGreaterThanOrEqual(8);
  for (const { method, path, name, upload } of calls.filter(({ method }) => method === 'GET')) {
    expect(upload, name).toBeUndefined();
    expect((await admin(method, fillPath(path, own))).status, name).toBe(200);
  }
});
