// Permissions: every API call by every role, for users, groups and tokens, compared with the expected table;
// each denial is audited.
import { type RoleName, roleNames } from '@yagura/core/access/role-map';
import { fillPath } from '@yagura/core/resource/define-resource';
import { type StandaloneCall, standaloneCalls } from '@yagura/core/standalone-calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import { type IdentityServer, password, signIn } from '../support/identity-server.ts';
import { listResourceCalls, unknownId } from '../support/resource-calls.ts';
import { type Fixtures, roleMay, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

interface Call {
  /** `resource.verb`, `resource.call` or the name of a call without a resource. */
  name: string;
  /** Resource name in the audit log. */
  resource: string;
  method: string;
  path: string;
  body?: unknown;
  may(role: RoleName | null): boolean;
}

const diagrams = ['diagram', 'layer2-diagram', 'managed-node-search-page'];
const bulk = Object.keys(standaloneCalls).filter((name) => name.startsWith('bulk-'));

/**
 * Expected permissions for console-only calls and calls without a resource, written by hand so that they are
 * independent of the code.
 */
const insideOf: Partial<Record<RoleName, readonly string[]>> = {
  'space:administrator': [
    'space-usage.show',
    'max-users.show',
    'user-access.roles-from-user-groups',
    'user-access.powers',
    'user-access.belongings',
    'user-access.end-sessions',
  ],
  'greac:user': ['session-storage', 'credential-name'],
  'greac:auditor': ['session-log'],
  'greac:administrator': ['session-log', 'session-storage', 'sealed-credential', 'credential-name'],
  'sonar:viewer': diagrams,
  'sonar:administrator': diagrams,
  'alerthub:viewer': ['event-why'],
  'alerthub:administrator': [...bulk, 'event-why'],
  'pigeon:operator': ['pigeon-calls'],
  'pigeon:administrator': ['pigeon-calls', 'guidance-recording-create'],
};
/** Calls that concern the user's own account, and those needed to render a page. */
const everybody = [
  'profile',
  'mfa',
  'passkey',
  'sign-in-session',
  'self-ip-address',
  'settings',
  'role-map',
  'current-api-token',
  'client-info',
];

const insideMay = (role: RoleName | null, name: string) =>
  (role ? (insideOf[role] ?? []) : everybody).some((one) => one === name || name.startsWith(`${one}.`));

/** All calls; changes address missing items, and the call that ends the caller's sign-ins comes last. */
function everyCall({ params }: Fixtures): Call[] {
  const of = (inside: boolean) =>
    listResourceCalls(params, { inside, harmless: true }).map(({ resource, kind, name, ...call }): Call => {
      const own = `${resource.name}.${name ?? kind}`;
      const may = (role: RoleName | null) =>
        inside ? insideMay(role, own) : roleMay(role, kind, resource, name);
      return { ...call, name: own, resource: resource.name, may };
    });
  const at = {
    kind: 'scopes',
    importId: unknownId,
    exportId: unknownId,
    eventId: unknownId,
    guidanceId: unknownId,
    identityProvider: 'embedded',
  };
  const fixed = Object.entries(standaloneCalls).map(
    ([name, { method, path, permission, body }]: [string, StandaloneCall]): Call => ({
      name,
      resource: permission?.split(':')[1] ?? 'api',
      method,
      path: fillPath(path, at),
      ...(body ? { body: {} } : {}),
      may: (role) => insideMay(role, name),
    }),
  );
  const last = (call: Call) => (call.name === 'sign-in-session.end-all' ? 1 : 0);
  return [...of(false), ...of(true), ...fixed].sort((one, other) => last(one) - last(other));
}

const together = 12;

describe('of every call', () => {
  let server: TestServer;
  let calls: Call[];
  let admin: ApiCall;
  beforeAll(async () => {
    server = (await startTestServer())!;
    calls = everyCall(await seedFixtures(server));
    admin = createApiCall(server.transportAs('privileged'));
  }, 120_000);
  afterAll(() => server?.stop());

  /** Makes the calls; returns each with its reply. */
  async function make(callApi: ApiCall, these: readonly Call[]): Promise<[Call, ApiReply][]> {
    const made: [Call, ApiReply][] = [];
    for (let at = 0; at < these.length; at += together) {
      const batch = these.slice(at, at + together);
      made.push(
        ...(await Promise.all(
          batch.map(
            async (call) => [call, await callApi(call.method, call.path, call.body)] as [Call, ApiReply],
          ),
        )),
      );
    }
    return made;
  }

  function check(made: readonly [Call, ApiReply][], may: (call: Call) => boolean): void {
    for (const [call, reply] of made) {
      const label = `${call.name}: ${reply.text}`;
      if (may(call)) expect(reply.status, label).not.toBe(403);
      else expect(reply, label).toMatchObject({ status: 403, type: 'application/problem+json' });
      expect(reply.status, label).not.toBe(401);
      expect(reply.status, label).toBeLessThan(500);
    }
  }

  const allowed =
    (...roles: RoleName[]) =>
    (call: Call) =>
      [null, ...roles].some((role) => call.may(role));

  /** A subset of the calls by number; together the subsets cover all calls. */
  const partOf = (number: number) => calls.filter((_, at) => at % roleNames.length === number);

  /** Method and path of the audited denials of this user or token. */
  async function refusals(column: 'actor_id' | 'api_token_id', id: string): Promise<string[]> {
    await server.services.audit.flush();
    const { rows } = await server.services.database.query<{ line: string }>(
      `select resource || ' ' || detail as line from audit_record where ${column} = $1 and outcome = 'refused'`,
      [id],
    );
    return rows.map(({ line }) => line).sort();
  }

  const refusedOf = (made: readonly [Call, ApiReply][]) =>
    made
      .filter(([, { status }]) => status === 403)
      .map(([{ resource, method, path }]) => `${resource} ${method} ${path}`)
      .sort();

  test('a privileged person is refused none', async () => {
    const person = await server.signedIn('privileged');
    check(await make(createApiCall(person), calls), () => true);
  }, 60_000);

  test.each([[[]], ...roleNames.map((role) => [[role]])] as RoleName[][][])(
    'a person with the roles %j makes what the specification says and no more, and the audit log has each refusal',
    async (roles) => {
      const person = await server.signedIn(roles);
      const made = await make(createApiCall(person), calls);
      check(made, allowed(...roles));
      const refused = refusedOf(made);
      expect(refused.length).toBeGreaterThan(50);
      expect(await refusals('actor_id', person.userId)).toEqual(refused);
    },
    60_000,
  );

  test('a role from a group counts as one of their own, from the next call on', async () => {
    const { identity } = server.services;
    const email = 'grouped@example.com';
    const { userId } = await identity.createUser({ email, displayName: 'Grouped', roles: [], password });
    const groups = '/api/space/user-groups';
    const made = await admin('POST', groups, { displayName: 'grouped', remarks: '', roles: [] });
    const { userGroupId } = made.data as { userGroupId: string };
    await admin('POST', `${groups}/${userGroupId}/add-users`, { userIds: [userId] });
    const { bearer } = await signIn({ publicUrl: server.origin } as IdentityServer, email);
    const callApi = createApiCall({ fetch, origin: server.origin, headers: () => bearer });
    const all: [Call, ApiReply][] = [];
    for (const [number, role] of roleNames.entries()) {
      const set = await admin('PATCH', `${groups}/${userGroupId}`, { roles: [role] });
      expect(set.status, set.text).toBe(200);
      const part = await make(
        callApi,
        partOf(number).filter(({ name }) => name !== 'sign-in-session.end-all'),
      );
      check(part, allowed(role));
      all.push(...part);
    }
    expect(await refusals('actor_id', userId)).toEqual(refusedOf(all));
  }, 60_000);

  test('an API token has no more than it was narrowed to, and makes no call of the console', async () => {
    const inside = ({ path }: Call) => path.startsWith('/api/internal/') && !path.endsWith('/client-info');
    for (const [number, role] of roleNames.entries()) {
      const token = await admin('POST', '/api/space/api-tokens', {
        displayName: `only ${number}`,
        roles: [role],
      });
      const { token: secret, apiTokenId } = token.data as { token: string; apiTokenId: string };
      const callApi = createApiCall({
        fetch,
        origin: server.origin,
        headers: () => ({ 'x-authorization': `Token ${secret}` }),
      });
      const made = await make(callApi, partOf(number));
      check(made, (call) => !inside(call) && allowed(role)(call));
      expect(await refusals('api_token_id', apiTokenId)).toEqual(refusedOf(made));
    }
    check(await make(admin, calls.filter(inside)), () => false);
  }, 60_000);

  test('a refusal names the permission and the role that gives it', async () => {
    const reply = await createApiCall(server.transportAs(['alerthub:viewer']))(
      'POST',
      '/api/apps/alerthub/scopes',
      {},
    );
    expect(reply.data).toMatchObject({
      detail: 'requires the permission alerthub:scopes:create, which the role alerthub:administrator grants',
    });
  });
});
