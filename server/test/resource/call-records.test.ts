// A resource's own call that changes something is stored together with its audit record, or not at all.
import { resources } from '@yagura/core/all';
import { type SetupStarted, setupPaths } from '@yagura/core/kroker/kroker-setup';
import { type AnyResource, type Call, fillPath } from '@yagura/core/resource/define-resource';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { loadNodeHosts } from '../../src/sonar/node-hosts.ts';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { createItem, type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Params = Fixtures['params'];

interface AuditedCall {
  /** `resource.call`, in an order in which each changes something. */
  name: string;
  body?: (params: Params) => unknown;
  /** Makes the item that the call is about; returns path parameters. */
  prepare?: (server: TestServer, params: Params) => Promise<Params>;
  /** Of the audit record; the call's name if absent. */
  action?: string;
}

/** Counts attempts, also those that fail. */
const attempts = 'signin_budget';

const calls: AuditedCall[] = [
  { name: 'user-group.delete-users', body: ({ userId }) => ({ userIds: [userId] }) },
  { name: 'user-group.add-users', body: ({ userId }) => ({ userIds: [userId] }) },
  { name: 'user-access.promote' },
  { name: 'user-access.demote' },
  { name: 'user-access.end-sessions' },
  {
    name: 'ip-restriction.addresses',
    body: () => ({ addresses: [{ address: '192.0.2.0/24', remarks: '' }], force: true }),
  },
  { name: 'invitation.resend' },
  { name: 'receive-slot.regenerate', body: () => ({ address: 'secondary' }) },
  { name: 'action.renew-signing-secret' },
  { name: 'scope.acknowledge', body: () => ({}), prepare: raiseEvent },
  { name: 'scope.unacknowledge', prepare: acknowledge },
  { name: 'severity.reset', body: () => ({}), prepare: raiseSeverity },
  { name: 'session.join' },
  { name: 'session.leave' },
  { name: 'session.close', prepare: openSession },
  { name: 'session.close-force' },
  { name: 'log-key.refresh', body: () => ({}) },
  { name: 'log-key.delete-private-key' },
  { name: 'kroker-setup.deny', prepare: beginSetup },
  { name: 'kroker-setup.approve', body: () => ({ displayName: 'approved' }), prepare: beginSetup },
  { name: 'action-record.resend' },
  { name: 'replay.start', body: () => ({ days: 1, change: null }) },
  { name: 'task.abort', prepare: addWaitingTask },
  { name: 'managed-node.merge', body: ({ otherNodeId }) => ({ otherNodeId }), prepare: findOtherNode },
  {
    name: 'diagram.layout',
    body: ({ managedNodeId }) => ({
      elements: [{ elementId: `node:${managedNodeId}`, posX: '10', posY: '20' }],
    }),
    action: 'move',
  },
  {
    name: 'chain.invoke',
    body: ({ callflowId, guidanceId }) => ({
      params: { callflowId, guidanceId, parameters: { host: 'web' } },
    }),
  },
  { name: 'chain.abort', body: ({ resultId }) => ({ resultId }) },
  { name: 'line.test-call', body: () => ({ phoneNumber: '0312345611', language: 'ja' }) },
  { name: 'runbook-record.rerun', body: ({ stepId }) => ({ stepId }), prepare: failStep },
  { name: 'managed-node.split', body: ({ nodeId }) => ({ nodeId }), prepare: findHost },
  { name: 'passkey.remove', body: () => ({ password }), prepare: addPasskey },
  { name: 'mfa.invalidate-remember-browser' },
  { name: 'space-cancellation.request', body: () => ({ displayName: 'Yagura', password }) },
  { name: 'space-cancellation.withdraw' },
  { name: 'sign-in-session.end', prepare: findLatestSignIn },
  { name: 'sign-in-session.end-all', body: () => ({ password }) },
];

/** Calls that are audited and not listed above, with the reason. */
const untested: Record<string, string> = {
  'audit-record.verify': 'reads',
  'runbook.rehearse': 'stores nothing',
  'replay.abort': 'aborts its task, as task.abort does',
  'session.attach': 'needs a connected gateway; see session-stream.test.ts',
  'sealed-credential.seal': 'is stored like any edit of an item',
  'snapshot.pause': 'needs a scan that goes on; see scans.test.ts',
  'snapshot.resume': 'needs a scan that goes on; see scans.test.ts',
  'scan-notification.notify-example': 'is recorded once the example was sent',
  'guidance.delete-recording': 'needs a recording; see voices.test.ts',
  'mock-phone.act': 'needs a mock phone, which is in memory only',
  'mock-phone.set-scripts': 'needs a mock phone, which is in memory only',
  'profile.change-email': 'needs a mail server',
  'profile.change-password': 'ends the sessions of the caller; see own-password.test.ts',
  'mfa.regenerate-recovery-code': 'needs two-step verification; see mfa-change.test.ts',
  'passkey.register': 'a passkey is made by a browser',
};

async function raiseSeverity(server: TestServer, params: Params): Promise<Params> {
  const path = `/api/apps/alerthub/scopes/${params.scopeId}/severities/disk`;
  await createApiCall(server.transportAs('privileged'))('PUT', path, { severity: 3 });
  return params;
}

async function raiseEvent(server: TestServer, params: Params): Promise<Params> {
  const path = `/api/apps/alerthub/scopes/${params.scopeId}/events`;
  await createApiCall(server.transportAs('privileged'))('POST', path, { delta: 5 });
  return params;
}

async function acknowledge(server: TestServer, params: Params): Promise<Params> {
  await raiseEvent(server, params);
  const path = `/api/apps/alerthub/scopes/${params.scopeId}/acknowledge`;
  await createApiCall(server.transportAs('privileged'))('POST', path, {});
  return params;
}

async function openSession(server: TestServer, params: Params): Promise<Params> {
  const session = resources.find(({ name }) => name === 'session')!;
  const { sessionId } = await createItem(server.transportAs('privileged'), session, 'to close', params);
  return { ...params, sessionId: String(sessionId) };
}

/** The first step of a runbook, as if it and its record had failed. */
async function failStep(server: TestServer, params: Params): Promise<Params> {
  const { database } = server.services;
  const record = [params.runbookRecordId];
  await database.query("update runbook_record set status = 'failed' where runbook_record_id = $1", record);
  const { rows } = await database.query<{ stepId: string }>(
    `update runbook_record_step set status = 'failed' where runbook_record_id = $1 and seq = 1 returning step_id as "stepId"`,
    record,
  );
  return { ...params, stepId: rows[0]!.stepId };
}

/** A host of a node that has several. */
async function findHost(server: TestServer, params: Params): Promise<Params> {
  const hosts = await loadNodeHosts(server.services.database, params.managedNodeId!);
  return { ...params, nodeId: hosts.at(-1)!.nodeId };
}

async function addPasskey(server: TestServer, params: Params): Promise<Params> {
  const { database, nextId, spaceId } = server.services;
  const { userId } = await server.signedIn('privileged');
  const passkeyId = nextId();
  await database.query(
    `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, synced, created_at, updated_at)
     values ($1, $2, $3, 'key', 'key', '\\x03', 0, false, now(), now())`,
    [passkeyId, spaceId, userId],
  );
  return { ...params, passkeyId };
}

/** A machine that waits to become a Kroker. */
async function beginSetup(server: TestServer, params: Params): Promise<Params> {
  const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
  const { kty, crv, x, y } = await exportJWK(publicKey);
  const machine = createApiCall({ fetch, origin: server.origin });
  const body = { publicKey: { kty, crv, x, y }, hostName: 'gateway' };
  const { data } = await machine('POST', setupPaths.begin, body);
  return { ...params, userCode: (data as SetupStarted).userCode };
}

/** A task that no server runs. */
async function addWaitingTask(server: TestServer, params: Params): Promise<Params> {
  const { database, nextId, spaceId } = server.services;
  const taskId = nextId();
  await database.query(
    `insert into task (task_id, space_id, namespace, method, params, requested_by, status, created_at, updated_at)
     values ($1, $2, 'sonar', 'wait', '{}', $3, 'requested', now(), now())`,
    [taskId, spaceId, params.userId],
  );
  return { ...params, taskId };
}

async function findOtherNode(server: TestServer, params: Params): Promise<Params> {
  const path = `/api/apps/sonar/networks/${params.networkId}/managed-nodes`;
  const { data } = await createApiCall(server.transportAs('privileged'))('GET', path);
  const { items } = data as { items: { managedNodeId: string }[] };
  const other = items.find(({ managedNodeId }) => managedNodeId !== params.managedNodeId)!;
  return { ...params, otherNodeId: other.managedNodeId };
}

async function findLatestSignIn(server: TestServer, params: Params): Promise<Params> {
  const { rows } = await server.services.database.query<{ signInSessionId: string }>(
    'select sign_in_session_id as "signInSessionId" from sign_in_session order by created_at desc limit 1',
  );
  return { ...params, signInSessionId: rows[0]!.signInSessionId };
}

test('each audited call of a resource is tested, or has a reason', () => {
  const audited = resources.flatMap(({ name, calls: own }) =>
    Object.entries<Call>(own)
      .filter(([, { audited, method }]) => method !== 'GET' && audited !== false)
      .map(([call]) => `${name}.${call}`),
  );
  // Some are recorded under another action instead.
  const tested = calls.filter(({ action }) => action === undefined).map(({ name }) => name);
  const known = [...tested, ...Object.keys(untested)];
  expect(known.sort()).toEqual(audited.sort());
});

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let fixtures: Fixtures;
  let callApi: ApiCall;

  beforeAll(async () => {
    server = await startTestServer({ engine, clock: new ManualClock() });
    if (!server) return;
    fixtures = await seedFixtures(server);
    const started = server;
    callApi = createApiCall(
      transportForAllCalls(started.transportAs('privileged'), () => started.signedIn('privileged')),
    );
    // Signs in.
    await callApi('GET', '/api/internal/profile/mfa');
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  /** A digest of the rows of each table. */
  async function digests(): Promise<Record<string, string>> {
    const { database } = server!.services;
    const { rows: tables } = await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> $1 order by 1`,
      [attempts],
    );
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await database.query<{ digest: string }>(
        `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from ${name} t`,
      );
      found[name] = rows[0]!.digest;
    }
    return found;
  }

  test.each(calls)('$name', async ({ name, body, prepare, action }) => {
    const { database } = server!.services;
    const [resourceName, callName] = name.split('.') as [string, string];
    const resource = resources.find((one) => one.name === resourceName) as AnyResource;
    const call = resource.calls[callName]!;
    const params = prepare ? await prepare(server!, fixtures.params) : fixtures.params;
    const path = fillPath(call.on === 'item' ? resource.itemPath : resource.path, params) + call.path;
    const run = () => callApi(call.method, path, body?.(params));
    await server!.settled();
    const before = await digests();
    await database.query(
      `alter table audit_record add constraint refused check (action <> '${action ?? callName}') not valid`,
    );
    const refused = await run().finally(() =>
      database.query('alter table audit_record drop constraint refused'),
    );
    expect(refused.status, refused.text).toBe(500);
    await server!.settled();
    const unchanged = await digests();
    expect(changedTables(before, unchanged)).toEqual([]);
    const done = await run();
    expect(done.status, done.text).toBe(200);
    expect(changedTables(before, await digests())).toContain('audit_record');
  });
});

function changedTables(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((name) => before[name] !== after[name]);
}
