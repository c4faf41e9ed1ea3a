// Changes at the same time: of two with the same If-Match one is refused, and the audit records name what each has
// replaced. The row is held until all wait for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { resourceNamed } from '@yagura/core/all';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/database.ts';
import { resolveAccount } from '../../src/identity/external/resolve-account.ts';
import { deleteNodeRows, moveAnnotations } from '../../src/sonar/node-hosts.ts';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { type Fixtures, inputs, seedFixtures } from '../support/seed-fixtures.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

/** Milliseconds in which the requests reach the row that is held. */
const settleMs = 500;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let fixtures: Fixtures;
  let callApi: ApiCall;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    fixtures = await seedFixtures(server);
    callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function whileHeld(
    lock: (tx: Transaction) => Promise<unknown>,
    requests: (() => Promise<ApiReply>)[],
  ): Promise<ApiReply[]> {
    let replies: Promise<ApiReply[]> | undefined;
    await server!.services.database.transaction(async (tx) => {
      await lock(tx);
      replies = Promise.all(requests.map((request) => request()));
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    });
    return replies!;
  }
  const sorted = (replies: ApiReply[]) => replies.map(({ status }) => status).sort();

  test('of two values for an attribute with the same If-Match the second is refused', async () => {
    const { scopeId = '' } = fixtures.params;
    const path = `/api/apps/alerthub/scopes/${scopeId}/attributes/concurrent`;
    const made = await callApi('PUT', path, { value: 'first' });
    const headers = { 'if-match': made.etag! };
    // The version is a time.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const lock = (tx: Transaction) =>
      tx.query(`select 1 from attribute where scope_id = $1 and name = 'concurrent' for update`, [scopeId]);
    const replies = await whileHeld(lock, [
      () => callApi('PUT', path, { value: 'a' }, { headers }),
      () => callApi('PUT', path, { value: 'b' }, { headers }),
    ]);
    expect(sorted(replies)).toEqual([200, 412]);
    const kept = replies.find(({ status }) => status === 200)!.data as { value: string };
    expect((await callApi('GET', path)).data).toMatchObject({ value: kept.value });
  });

  test('an attribute that was changed meanwhile is not deleted', async () => {
    const { scopeId = '' } = fixtures.params;
    const path = `/api/apps/alerthub/scopes/${scopeId}/attributes/deleted`;
    const { etag } = await callApi('PUT', path, { value: 'first' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const lock = (tx: Transaction) =>
      tx.query(
        `update attribute set value = 'second', updated_at = now() where scope_id = $1 and name = 'deleted'`,
        [scopeId],
      );
    const [deleted] = await whileHeld(lock, [
      () => callApi('DELETE', path, undefined, { headers: { 'if-match': etag! } }),
    ]);
    expect(deleted!.status).toBe(412);
    expect((await callApi('GET', path)).data).toMatchObject({ value: 'second' });
  });

  const lockNode = (tx: Transaction) =>
    tx.query('select 1 from managed_node where managed_node_id = $1 for update', [
      fixtures.params.managedNodeId,
    ]);
  const nodePath = () => {
    const { networkId, managedNodeId } = fixtures.params;
    return `/api/apps/sonar/networks/${networkId}/managed-nodes/${managedNodeId}`;
  };

  test('tags that another edit has replaced are recorded as those before', async () => {
    const path = `${nodePath()}/tags`;
    await callApi('PUT', path, { tags: { env: '0' } });
    const replies = await whileHeld(lockNode, [
      () => callApi('PUT', path, { tags: { env: '1' } }),
      () => callApi('PUT', path, { tags: { env: '2' } }),
    ]);
    expect(sorted(replies)).toEqual([200, 200]);
    const { rows } = await server!.services.database.query<{
      before: { tags: unknown };
      after: { tags: unknown };
    }>(
      `select before, after from audit_record where resource = 'managed-node-tags' and action = 'edit'
       order by number desc limit 2`,
    );
    const [second, first] = rows;
    expect(first!.before).toMatchObject({ tags: { env: '0' } });
    expect(second!.before.tags).toEqual(first!.after.tags);
  });

  test('a managed node that was changed meanwhile is not deleted', async () => {
    const { etag } = await callApi('GET', nodePath());
    const lock = (tx: Transaction) =>
      tx.query('update managed_node set version = version + 1 where managed_node_id = $1', [
        fixtures.params.managedNodeId,
      ]);
    const [deleted] = await whileHeld(lock, [
      () => callApi('DELETE', nodePath(), undefined, { headers: { 'if-match': etag! } }),
    ]);
    expect(deleted!.status).toBe(412);
    expect((await callApi('GET', nodePath())).status).toBe(200);
  });

  describe('a note that is added to a managed node', () => {
    /** A copy of the node of the fixtures. */
    async function addNode(): Promise<string> {
      const { database, nextId } = server!.services;
      const id = nextId();
      await database.query(
        `insert into managed_node select (jsonb_populate_record(m, jsonb_build_object('managed_node_id', $2::text))).*
         from managed_node m where managed_node_id = $1`,
        [fixtures.params.managedNodeId, id],
      );
      return id;
    }
    const notesPath = (id: string) =>
      `/api/apps/sonar/networks/${fixtures.params.networkId}/managed-nodes/${id}/notes`;
    const note = () => inputs['managed-node-note']!('late', fixtures.params);
    async function countNotes(ids: string[]): Promise<number> {
      const { rows } = await server!.services.database.query<{ count: number }>(
        `select count(*)::int as count from resource where kind = 'managed-node-note' and parent_id = any($1::uuid[])`,
        [ids],
      );
      return rows[0]!.count;
    }

    test('is not while the node is deleted', async () => {
      const id = await addNode();
      const remove = (tx: Transaction) =>
        tx.query('delete from managed_node where managed_node_id = $1', [id]);
      const [reply] = await whileHeld(remove, [() => callApi('POST', notesPath(id), note())]);
      expect(reply!.status, reply!.text).toBe(404);
      expect(await countNotes([id])).toBe(0);
    });

    test('goes with it when the node becomes a part of another', async () => {
      const [from, into] = [await addNode(), await addNode()];
      const merge = async (tx: Transaction) => {
        await moveAnnotations(tx, from, into);
        await deleteNodeRows(tx, server!.services.spaceId, from);
      };
      // The note waits for the node and finds it gone, or the node waits for the note.
      const [reply] = await whileHeld(merge, [() => callApi('POST', notesPath(from), note())]);
      expect(reply!.status, reply!.text).toBe(404);
      expect(await countNotes([from])).toBe(0);

      const [second, kept] = [await addNode(), await addNode()];
      const { database, clock, nextId, spaceId } = server!.services;
      const addNote = async (tx: Transaction) => {
        await tx.query('select 1 from managed_node where managed_node_id = $1 for update', [second]);
        await tx.query(
          `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at)
           values ($1, 'managed-node-note', $2, $3, '{}', $4, $4)`,
          [spaceId, nextId(), second, new Date(clock.now()).toISOString()],
        );
      };
      const outside = AsyncLocalStorage.snapshot();
      const move = () => outside(() => database.transaction((tx) => moveAnnotations(tx, second, kept)));
      await whileHeld(addNote, [move as never]);
      expect([await countNotes([second]), await countNotes([kept])]).toEqual([0, 1]);
    });
  });

  describe('while what it belongs to is deleted', () => {
    const apps = '/api/apps';
    /** A new item without children. */
    async function made(path: string, resource: string) {
      const input = inputs[resource]!(`leaving ${resource} ${++count}`, fixtures.params);
      const reply = await callApi('POST', path, input);
      expect(reply.status, reply.text).toBe(201);
      const item = reply.data as Record<string, string>;
      const id = item[resourceNamed(resource).id]!;
      return { id, path: `${path}/${id}` };
    }
    let count = 0;

    test.each([
      ['scope', `${apps}/alerthub/scopes`, 'triggers', 'POST', 'trigger'],
      ['scope', `${apps}/alerthub/scopes`, 'attributes/late', 'PUT', 'attribute'],
      ['kroker', `${apps}/kroker/krokers`, 'credentials', 'POST', 'credential'],
      ['network', `${apps}/sonar/networks`, 'notification-settings', 'POST', 'scan-notification'],
      ['ksocket-slot', '/api/ksocket/slots', 'tokens', 'POST', 'ksocket-token'],
    ])('of a %s at %s, %s are not added', async (parent, path, below, method, child) => {
      const leaving = await made(path, parent);
      const input = inputs[child]!('late', fixtures.params);
      const remove = (tx: Transaction) => tx.query('delete from resource where id = $1', [leaving.id]);
      const [reply] = await whileHeld(remove, [() => callApi(method, `${leaving.path}/${below}`, input)]);
      expect(reply!.status, reply!.text).toBe(404);
      const { rows } = await server!.services.database.query(
        `select 1 from resource where parent_id = $1 union all select 1 from attribute where scope_id = $1
         union all select 1 from ksocket_token where ksocket_slot_id = $1`,
        [leaving.id],
      );
      expect(rows).toEqual([]);
    });
  });

  test('a user is deleted while a destination that names them is edited', async () => {
    const added = await callApi('POST', '/api/space/users', inputs.user!('leaving member', fixtures.params));
    const { userId } = added.data as { userId: string };
    const destination = {
      ...inputs.destination!('with leaving member', fixtures.params),
      members: { userIds: [userId], userGroupIds: [] },
    };
    const made = await callApi('POST', '/api/apps/greac/destinations', destination);
    const { destinationId } = made.data as { destinationId: string };
    const path = `/api/apps/greac/destinations/${destinationId}`;
    const lock = (tx: Transaction) =>
      tx.query('select 1 from resource where id = $1 for update', [destinationId]);
    const replies = await whileHeld(lock, [
      () => callApi('PUT', path, destination),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, settleMs / 2));
        return callApi('DELETE', `/api/space/users/${userId}`);
      },
    ]);
    expect(sorted(replies)).toEqual([200, 200]);
    expect((await callApi('GET', path)).data).toMatchObject({ members: { userIds: [] } });
  });

  test('an invitation is not accepted while a user with its address is added', async () => {
    const { services, origin } = server!;
    const email = 'meanwhile@example.com';
    await callApi('POST', '/api/space/users/invitations', { email, roles: [] });
    const { rows } = await services.database.query<{ mailId: string }>(
      'select mail_id as "mailId" from outgoing_mail where recipient = $1',
      [email],
    );
    const privileged = createApiCall(await server!.signedIn('privileged'));
    const mail = await privileged('GET', `/api/internal/mail-log/${rows[0]!.mailId}`);
    const token = /activate-invitation\?token=([\w-]+)/.exec(mail.text)![1];
    const add = (tx: Transaction) => services.identity.createUser({ email, displayName: 'Meanwhile' }, tx);
    const accept = async () => {
      const reply = await fetch(`${origin}/activate-invitation`, {
        method: 'POST',
        headers: { origin, cookie: `yagura_activate-invitation=${token}` },
        body: new URLSearchParams({ displayName: 'Late', password, repeat: password }),
      });
      return { status: reply.status } as ApiReply;
    };
    expect(sorted(await whileHeld(add, [accept]))).toEqual([410]);
    expect(server!.logLines.filter(({ message }) => message === 'Account page failed')).toEqual([]);
  });

  test('who comes from the external provider while a user with their address is added is that user', async () => {
    const { services } = server!;
    const { database, clock, nextId, spaceId, identity } = services;
    const email = 'arriving@example.com';
    let added = '';
    const add = async (tx: Transaction) => {
      added = (await identity.createUser({ email, displayName: 'Arriving' }, tx)).userId;
    };
    const external = { issuer: 'https://id.example.com', subject: 'arriving', email, emailVerified: true };
    const rest = { displayName: null, privileged: undefined, roles: undefined, methods: [] };
    const context = { database, clock, nextId, spaceId, maxUsers: null } as never;
    const outside = AsyncLocalStorage.snapshot();
    const arrive = async () => {
      const found = await outside(() =>
        resolveAccount(
          context,
          identity as never,
          { ...external, ...rest },
          { createUsers: true, record: () => {} },
        ),
      );
      return { data: found } as unknown as ApiReply;
    };
    const [reply] = await whileHeld(add, [arrive]);
    expect(reply!.data).toEqual({ state: 'in', userId: added, epoch: 0 });
  });

  test('of recovery codes made at the same time only the last ten are valid', async () => {
    const { services } = server!;
    const { totp } = services.identity;
    const { userId } = await server!.signedIn(['pigeon:operator']);
    const { secret } = await totp.prepare(userId, 'codes@example.com');
    const code = new TOTP({ secret }).generate({ timestamp: services.clock.now() });
    await totp.enable(userId, code, 'wrong');
    const made: string[][] = [];
    const regenerate = (waitMs: number) =>
      services.database.transaction(async (tx) => {
        made.push(await totp.regenerate(userId, tx));
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      });
    await Promise.all([regenerate(settleMs), regenerate(0)]);
    expect(await totp.state(userId)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    const checks = [await totp.check(userId, made[0]![0]!), await totp.check(userId, made[1]![0]!)];
    expect(checks).toEqual([null, 'recovery-code']);
  });
});
