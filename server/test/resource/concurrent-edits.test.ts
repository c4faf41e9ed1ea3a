// Changes at the same time: of two with the same If-Match one is refused, and the audit records name what each has
// replaced. The row is held until all wait for it.
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/database.ts';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
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
