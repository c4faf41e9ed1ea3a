// Writes of items that exist, with valid input, by every role: a refused one changes nothing and does not tell whether
// the item exists; one with references to missing items and to those of another space is refused as a whole.
import { can, permissionsOf } from '@yagura/core/access/permissions';
import { type RoleName, roleMap, roleNames } from '@yagura/core/access/role-map';
import { resources } from '@yagura/core/all';
import type { ProblemBody } from '@yagura/core/http/problem';
import {
  type AnyResource,
  editMethods,
  fillPath,
  permissionFor,
} from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isoTime } from '../../src/common/clock.ts';
import { referencesIn } from '../../src/resource/references.ts';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import type { Body } from '../support/fixtures/app-fixtures.ts';
import { listResourceCalls, type ResourceCall, unknownId } from '../support/resource-calls.ts';
import { inputs, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Tables that only calls change. */
const settings = [
  ...[
    'resource',
    'reference',
    'attribute',
    'severity',
    'person',
    'user_group_member',
    'api_token',
    'invitation',
  ],
  ...['ip_restriction', 'passkey', 'task_schedule', 'kroker_setup', 'ksocket_token', 'managed_node'],
  ...[
    'managed_node_tag',
    'guidance_recording',
    'greac_session_member',
    'greac_log_key',
    'greac_log_retention',
  ],
  ...['pigeon_result_retention', 'sonar_snapshot_retention'],
];
/** Tables whose rows calls create, but that also change with the work of the server. */
const records = ['greac_session', 'pigeon_chain', 'snapshot'];

let server: TestServer;
let params: Record<string, string>;
beforeAll(async () => {
  server = (await startTestServer())!;
  ({ params } = await seedFixtures(server));
}, 120_000);
afterAll(() => server?.stop());

async function snapshot(): Promise<[string, unknown][]> {
  const { database, spaceId } = server.services;
  const read = (columns: string, table: string) =>
    database.query(`select ${columns} from ${table} t where space_id = $1 order by 1`, [spaceId]);
  const found: [string, unknown][] = [];
  for (const name of settings)
    found.push([name, (await read(`to_jsonb(t) - 'last_used_at' as row`, name)).rows]);
  for (const name of records) found.push([name, (await read('count(*)::int', name)).rows]);
  return found;
}

const callers = new Map<string, Promise<ApiCall>>();
/** Calls as a user with these roles, who signs in once. */
function callsAs(who: 'privileged' | RoleName[]): Promise<ApiCall> {
  const key = String(who);
  const caller = callers.get(key) ?? server.signedIn(who).then(createApiCall);
  callers.set(key, caller);
  return caller;
}

/** A refusal without the path that it answers. */
const refusalOf = ({ status, data }: ApiReply) => {
  const { instance: _instance, ...problem } = data as ProblemBody;
  return { status, problem };
};

const mayWith = (roles: readonly RoleName[], permission: string) =>
  can(permissionsOf({ privileged: false, roles: [...roles] }, roleMap), permission);
const permissionOf = ({ resource, kind, name }: ResourceCall) => permissionFor(resource, name ?? kind);

test.each([[[]], ...roleNames.map((role) => [[role]])] as RoleName[][][])(
  'with the roles %j, a refused write changes nothing and answers as for an item that does not exist',
  async (roles) => {
    const writes = (harmless: boolean) =>
      [false, true]
        .flatMap((inside) => listResourceCalls(params, { inside, harmless, label: 'refused' }))
        .filter((call) => call.method !== 'GET' && !mayWith(roles, permissionOf(call)));
    const missing = writes(true);
    const callApi = await callsAs(roles);
    const before = await snapshot();
    for (const [at, call] of writes(false).entries()) {
      const label = `${call.resource.name}.${call.name ?? call.kind} ${call.method}`;
      const reply = refusalOf(await callApi(call.method, call.path, call.body));
      expect(reply.status, label).toBe(403);
      const other = missing[at]!;
      expect(refusalOf(await callApi(other.method, other.path, other.body)), label).toEqual(reply);
    }
    expect(await snapshot()).toEqual(before);
  },
  60_000,
);

describe('a reference in a write', () => {
  const otherSpace = '0190a0a0-1111-7000-8000-000000000009';
  const foreignIds = new Map<string, string>();
  let admin: ApiCall;

  /** The id of an item of this kind that only another space has. */
  async function foreignId(kind: string): Promise<string> {
    const known = foreignIds.get(kind);
    if (known) return known;
    const id = `0190a0a0-3333-7000-8000-${String(foreignIds.size).padStart(12, '0')}`;
    foreignIds.set(kind, id);
    const { database, clock } = server.services;
    const row = [otherSpace, id, isoTime(clock.now())];
    if (kind === 'user')
      await database.query(
        `insert into person (user_id, space_id, email, display_name, privileged, roles, disabled, created_at, updated_at)
         values ($2, $1, 'other@example.com', 'Other', false, '{}', false, $3, $3)`,
        row,
      );
    else
      await database.query(
        `insert into resource (space_id, kind, id, unique_key, body, created_at, updated_at)
         values ($1, $4, $2, $5, '{}', $3, $3)`,
        [...row, kind, JSON.stringify([id])],
      );
    return id;
  }

  beforeAll(async () => {
    admin = createApiCall(server.transportAs('privileged'));
    await server.services.database.query(
      `insert into space (space_id, display_name, host, created_at, updated_at)
       values ($1, 'Other', 'other.example', now(), now())`,
      [otherSpace],
    );
  });

  /** The input with the reference at this path replaced by another id, or in a list of them followed by it. */
  function withReference(input: Body, path: string, id: string): Body {
    const copy = structuredClone(input);
    const names = path.split('.');
    const last = names.pop()!;
    const around = names.reduce((value, name) => value[name] as Body, copy);
    if (Array.isArray(around) && around.every((entry) => typeof entry === 'string')) around.push(id);
    else around[last] = id;
    return copy;
  }

  const anyId = new Proxy<Record<string, string>>({}, { get: () => unknownId });
  const withReferences = resources.filter((resource) => {
    const input = inputs[resource.name]?.('any', anyId);
    return resource.verbs.includes('edit') && input && referencesIn(resource, input).length > 0;
  });

  test.each(withReferences.map((resource): [string, AnyResource] => [resource.name, resource]))(
    'of %s is refused alike for missing items and those of another space, by every role, and nothing is changed',
    async (_name, resource) => {
      const item = fillPath(resource.itemPath, params);
      const input = inputs[resource.name]!('changed', params);
      const found = referencesIn(resource, input);
      const allowed = roleNames.filter((role) => mayWith([role], permissionFor(resource, 'edit')));
      const before = (await admin('GET', item)).data;
      for (const role of allowed) {
        const callApi = await callsAs([role]);
        for (const { path, resource: kind } of found)
          for (const method of editMethods(resource)) {
            const replies = [];
            for (const id of [unknownId, await foreignId(kind)]) {
              const body = withReference(input, path, id);
              const reply = await callApi(method, item, body);
              // The item itself may be hidden from the role.
              expect([400, 404], `${role} ${method} ${path}: ${reply.text}`).toContain(reply.status);
              replies.push(refusalOf(reply));
            }
            expect(replies[0], `${role} ${method} ${path}`).toEqual(replies[1]);
          }
      }
      expect((await admin('GET', item)).data).toEqual(before);
    },
    60_000,
  );

  test('of a new member beside those of the space is refused alike, and adds nobody', async () => {
    const userGroup = resources.find((one) => one.name === 'user-group')!;
    const group = fillPath(userGroup.itemPath, params);
    const { userId } = await server.signedIn(['sonar:viewer']);
    const before = (await admin('GET', group)).data;
    const replies = [];
    for (const id of [unknownId, await foreignId('user')])
      replies.push(refusalOf(await admin('POST', `${group}/add-users`, { userIds: [userId, id] })));
    expect(replies[0]).toMatchObject({ status: 400, problem: { invalidParams: [{ name: 'userIds.1' }] } });
    expect(replies[1]).toEqual(replies[0]);
    expect((await admin('GET', group)).data).toEqual(before);
  });
});

test.each(
  resources
    .filter(
      (one) =>
        one.verbs.includes('edit') &&
        one.id.endsWith('Id') &&
        ['list', 'show'].every((verb) => (one.verbs as readonly string[]).includes(verb)) &&
        inputs[one.name],
    )
    .map((resource): [string, AnyResource] => [resource.name, resource]),
)('an id, a parent and a space in the body move no %s', async (_name, resource) => {
  const admin = await callsAs('privileged');
  const { items } = (await admin('GET', fillPath(resource.path, params))).data as { items: Body[] };
  const itemOf = (id: unknown) => fillPath(resource.itemPath, { ...params, [resource.id]: String(id) });
  const item = itemOf(items[0]![resource.id]);
  const before = (await admin('GET', item)).data as Body;
  const parents = [...resource.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, unknownId]);
  const added = {
    ...Object.fromEntries(parents),
    [resource.id]: unknownId,
    spaceId: unknownId,
    space_id: unknownId,
  };
  for (const method of editMethods(resource)) {
    const reply = await admin(method, item, { ...inputs[resource.name]!('moved', params), ...added });
    expect([200, 400], `${method}: ${reply.text}`).toContain(reply.status);
  }
  const after = (await admin('GET', item)).data as Body;
  for (const name of [resource.id, 'createdAt', ...parents.map(([name]) => name!)])
    expect(after[name], name).toEqual(before[name]);
  expect((await admin('GET', itemOf(unknownId))).status).toBe(404);
});
