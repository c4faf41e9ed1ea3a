// A space reports its contents, exports them as a file, and is erased some days after cancellation, which
// requires its name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { tablesOf } from '../../src/space/erase-space.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const path = '/api/internal/space/cancellation';
const day = 86_400_000;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    server = await startTestServer({ engine, clock });
    if (!server) return;
    callApi = createApiCall(await server.signedIn('privileged'));
    const scope = await callApi('POST', '/api/apps/alerthub/scopes', { displayName: 'Core switch' });
    const { scopeId } = scope.data as { scopeId: string };
    await callApi('POST', `/api/apps/alerthub/scopes/${scopeId}/severities`, { name: 'link' });
    await callApi('POST', '/api/space/users', { displayName: 'Ken', email: 'ken@example.com', roles: [] });
  }, 120_000);
  afterAll(() => server?.stop());

  test('counts what it holds', async (context) => {
    if (!server) return context.skip();
    const { data } = await callApi('GET', '/api/internal/space/usage');
    expect(data).toMatchObject({
      maxUsers: null,
      counts: expect.arrayContaining([
        { resource: 'user', count: 2 },
        { resource: 'scope', count: 1 },
      ]),
    });
  });

  test('gives everything away as lines of JSON, noted in the audit log, to privileged users alone', async (context) => {
    if (!server) return context.skip();
    const reply = await callApi('GET', '/api/internal/space/export');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="space-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
    const things = reply.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { resource: string; place?: object; item: Record<string, unknown> });
    const of = (resource: string) => things.filter((one) => one.resource === resource);
    expect(of('user')).toHaveLength(2);
    expect(of('scope')[0]!.item.displayName).toBe('Core switch');
    expect(of('severity')[0]).toMatchObject({ place: { scopeId: of('scope')[0]!.item.scopeId } });
    expect(of('space')).toHaveLength(1);
    expect(reply.text).not.toContain('argon2');
    const { data } = await callApi('GET', '/api/space/audit-records?filter=action%20eq%20%22export%22');
    expect(data).toMatchObject({ total: 1 });
    const other = createApiCall(await server.signedIn(['space:administrator']));
    for (const [method, target] of [
      ['GET', '/api/internal/space/export'],
      ['GET', path],
      ['POST', `${path}/request`],
      ['POST', `${path}/withdraw`],
    ] as const)
      expect((await other(method, target, method === 'POST' ? {} : undefined)).status).toBe(403);
    expect((await other('GET', '/api/internal/space/usage')).status).toBe(200);
  });

  test.each([
    [{ displayName: 'Another', password }, 'displayName'],
    [{ displayName: 'Yagura', password: 'Wrong-horse-7' }, 'password'],
    [{ displayName: 'Yagura' }, 'password'],
    [{ displayName: '', password }, 'displayName'],
  ])('is not cancelled with %j', async (body, name) => {
    if (!server) return;
    const refused = await callApi('POST', `${path}/request`, body);
    expect(refused).toMatchObject({ status: 400, data: { invalidParams: [{ name }] } });
    expect((await callApi('GET', path)).data).toMatchObject({ state: 'none', endsAt: null, waitingDays: 14 });
  });

  test('cancelled by name, tells the privileged, can be taken back, and goes on meanwhile', async (context) => {
    if (!server) return context.skip();
    const done = await callApi('POST', `${path}/request`, { displayName: ' Yagura ', password });
    expect(done.data).toMatchObject({
      state: 'waiting',
      requestedBy: 'Administrator',
      endsAt: new Date(clock.now() + 14 * day).toISOString(),
    });
    const { rows } = await server.services.database.query('select subject from outgoing_mail');
    expect(rows).toEqual([{ subject: 'Cancellation of Yagura' }]);
    expect((await callApi('POST', `${path}/request`, { displayName: 'Yagura', password })).status).toBe(409);
    expect((await callApi('POST', `${path}/withdraw`)).data).toMatchObject({ state: 'none' });
    expect((await callApi('POST', `${path}/withdraw`)).status).toBe(409);
  });

  test('cancelled, is not erased because the clock jumps ahead by years', async (context) => {
    if (!server) return context.skip();
    await callApi('POST', `${path}/request`, { displayName: 'Yagura', password });
    clock.jump(4000 * day);
    await server.spaceErasure.check();
    clock.jump(-4000 * day);
    expect(server.spaceErasure.hasBegun()).toBe(false);
    expect((await callApi('POST', `${path}/withdraw`)).data).toMatchObject({ state: 'none' });
  });

  test('at its end is erased with everything in it, and nothing of it is served', async (context) => {
    if (!server) return context.skip();
    const { database, spaceId } = server.services;
    await database.query(
      `insert into space (space_id, display_name, host, created_at, updated_at)
       values (gen_random_uuid(), 'Neighbour', 'neighbour.example', now(), now())`,
    );
    await callApi('POST', `${path}/request`, { displayName: 'Yagura', password });
    // Two minutes short of two weeks later.
    await database.query('update space set cancel_ends_at = $2 where space_id = $1', [
      spaceId,
      new Date(clock.now() + 120_000).toISOString(),
    ]);
    await server.spaceErasure.check();
    expect(server.spaceErasure.hasBegun()).toBe(false);
    clock.advance(121_000);
    await server.spaceErasure.check();
    expect(server.spaceErasure.hasBegun()).toBe(true);
    for (const table of await tablesOf(database)) {
      const { rows } = await database.query(`select 1 from ${table} where space_id = $1 limit 1`, [spaceId]);
      expect(rows, table).toEqual([]);
    }
    expect((await database.query('select display_name from space')).rows).toEqual([
      { display_name: 'Neighbour' },
    ]);
    const gone = await callApi('GET', '/api/space');
    expect(gone).toMatchObject({ status: 404, data: { detail: 'This space was cancelled and erased' } });
  });

  test('every table that hangs on a table of a space is erased with it', async (context) => {
    if (!server) return context.skip();
    const { database } = server.services;
    const known = await tablesOf(database);
    const { rows } = await database.query<{ child: string; parent: string }>(
      `select c.relname as child, p.relname as parent from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
       where k.contype = 'f' and k.confdeltype <> 'c'`,
    );
    for (const { child, parent } of rows) if (known.includes(parent)) expect(known, child).toContain(child);
  });
});
