// Pending Kroker enrollments: their limits, expiry, approval, and the response to the machine.

import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import {
  type CollectReply,
  type SetupStarted,
  setupLifetimeMs,
  setupPaths,
} from '@yagura/core/kroker/kroker-setup';
import type { PublicKey } from '@yagura/core/kroker/public-key';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { listenToChanges } from '../support/change-listener.ts';
import { addSpace } from '../support/identity-server.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
const setups = '/api/apps/kroker/setups';
const krokers = '/api/apps/kroker/krokers';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let publicKey: PublicKey;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    // The test supplies the address of each machine like a reverse proxy would.
    server = await startTestServer({ engine, clock, env: { YAGURA_TRUSTED_PROXIES: '127.0.0.1,::1' } });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    publicKey = await newKey();
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterEach(() => clock?.advance(setupLifetimeMs));
  afterAll(() => server?.stop());

  async function newKey(): Promise<PublicKey> {
    const { kty, crv, x, y } = await exportJWK(
      (await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })).publicKey,
    );
    return { kty, crv, x, y } as PublicKey;
  }
  const machineAt = (address: string) =>
    createApiCall({ fetch, origin: server!.origin, headers: () => ({ 'x-forwarded-for': address }) });
  const begin = (address = '192.0.2.1', key = publicKey) =>
    machineAt(address)('POST', setupPaths.begin, { publicKey: key, hostName: 'gateway' });
  const begun = async (address?: string, key?: PublicKey) => {
    const reply = await begin(address, key);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as SetupStarted;
  };
  const collect = (deviceCode: string) => machineAt('192.0.2.1')('POST', setupPaths.collect, { deviceCode });
  const approve = (userCode: string, body: Item = { displayName: `kroker ${engine} ${++count}` }) =>
    callApi('POST', `${setups}/${userCode}/approve`, body);
  const logOf = async (krokerId: string) =>
    ((await callApi('GET', `${krokers}/${krokerId}/logs?limit=100`)).data as { items: Item[] }).items.map(
      ({ event }) => event,
    );

  test('five machines may wait behind one address, and one more once another is decided or gone', async () => {
    const waiting = [];
    for (let at = 0; at < 5; at++) waiting.push(await begun('192.0.2.9'));
    const refused = await begin('192.0.2.9');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await begin('192.0.2.10')).status).toBe(201);
    expect((await approve(waiting[0]!.userCode)).status).toBe(200);
    expect((await begin('192.0.2.9')).status).toBe(429);
    expect((await collect(waiting[0]!.deviceCode)).status).toBe(200);
    expect((await begin('192.0.2.9')).status).toBe(201);
    expect((await begin('192.0.2.9')).status).toBe(429);
    clock.advance(setupLifetimeMs);
    expect((await begin('192.0.2.9')).status).toBe(201);
  });

  test('fifty machines may wait in the space; then the one that has waited longest gives way', async () => {
    const isWaiting = async ({ userCode }: SetupStarted) =>
      (await callApi('GET', `${setups}/${userCode}`)).status === 200;
    const first = await begun('198.51.100.0');
    clock.advance(1);
    for (let at = 1; at < 50; at++) await begun(`198.51.100.${at}`);
    expect(await isWaiting(first)).toBe(true);
    const last = await begun('198.51.100.200');
    expect([await isWaiting(first), await isWaiting(last)]).toEqual([false, true]);
  });

  test('a machine waits for ten minutes and not longer, whatever is decided then', async () => {
    const { userCode, deviceCode, expiresAt } = await begun();
    expect(Date.parse(expiresAt)).toBe(clock.now() + setupLifetimeMs);
    clock.advance(setupLifetimeMs - 1);
    expect((await callApi('GET', `${setups}/${userCode}`)).status).toBe(200);
    expect((await collect(deviceCode)).data).toEqual({ status: 'pending' });
    expect((await approve(userCode)).status).toBe(200);
    clock.advance(1);
    expect((await collect(deviceCode)).status).toBe(404);
    const late = await begun();
    clock.advance(setupLifetimeMs);
    expect((await callApi('GET', `${setups}/${late.userCode}`)).status).toBe(404);
    expect((await approve(late.userCode)).status).toBe(404);
    expect((await callApi('POST', `${setups}/${late.userCode}/deny`)).status).toBe(404);
    expect((await collect(late.deviceCode)).status).toBe(404);
  });

  test.each<[string, (key: PublicKey) => object, string[]]>([
    ['nothing', () => ({}), ['publicKey', 'hostName']],
    ['no key', () => ({ hostName: 'gateway' }), ['publicKey']],
    [
      'a point that is not on the curve',
      (key) => ({ publicKey: { ...key, x: 'A'.repeat(43) }, hostName: 'gateway' }),
      ['publicKey'],
    ],
    [
      'a host name that cannot be stored',
      (key) => ({ publicKey: key, hostName: 'gate\ud800way' }),
      ['hostName'],
    ],
    ['a host name that is too long', (key) => ({ publicKey: key, hostName: 'g'.repeat(256) }), ['hostName']],
  ])('a machine that sends %s does not wait', async (_what, sent, names) => {
    const refused = await machineAt('192.0.2.1')('POST', setupPaths.begin, sent(publicKey));
    expect(refused).toMatchObject({ status: 400, data: { invalidParams: names.map((name) => ({ name })) } });
  });

  test('a machine of another space cannot be seen or decided', async () => {
    const { userCode } = await begun();
    const { database } = server!.services;
    await database.query('update kroker_setup set space_id = $1 where user_code = $2', [
      await addSpace(database, clock),
      userCode,
    ]);
    expect((await callApi('GET', `${setups}/${userCode}`)).status).toBe(404);
    expect((await approve(userCode)).status).toBe(404);
    expect((await callApi('POST', `${setups}/${userCode}/deny`)).status).toBe(404);
  });

  test('pages learn of a Kroker when its machine is approved, and when it is set up again', async () => {
    const listener = await listenToChanges(server!, await server!.signedIn('privileged'));
    const first = await begun();
    const { krokerId } = (await approve(first.userCode)).data as { krokerId: string };
    await listener.until(
      ({ resource, id, op }) => resource === 'kroker' && id === krokerId && op === 'create',
    );
    const second = await begun('192.0.2.2');
    await approve(second.userCode, { krokerId });
    await listener.until(
      ({ resource, id, op }) => resource === 'kroker' && id === krokerId && op === 'update',
    );
    await listener.close();
  });

  test('a decision is about one machine, not about the others that wait', async () => {
    const [approved, denied, waiting] = [await begun(), await begun(), await begun()];
    await approve(approved.userCode);
    await callApi('POST', `${setups}/${denied.userCode}/deny`);
    expect((await collect(waiting.deviceCode)).data).toEqual({ status: 'pending' });
    expect((await callApi('GET', `${setups}/${waiting.userCode}`)).status).toBe(200);
    expect((await collect(denied.deviceCode)).status).toBe(403);
    const collected = await collect(approved.deviceCode);
    expect(collected.data).toMatchObject({ status: 'approved' });
    // The reply has a token.
    expect(collected.headers.get('cache-control')).toBe('no-store');
  });

  test('a machine that was denied learns so, and cannot be approved any more', async () => {
    const { userCode, deviceCode } = await begun();
    expect((await callApi('POST', `${setups}/${userCode}/deny`)).status).toBe(200);
    for (let time = 0; time < 2; time++) expect((await collect(deviceCode)).status).toBe(403);
    expect((await callApi('GET', `${setups}/${userCode}`)).status).toBe(404);
    expect((await approve(userCode)).status).toBe(404);
    expect((await collect(deviceCode)).status).toBe(403);
  });

  test('a machine is decided once: what is approved is neither approved again nor denied', async () => {
    const { userCode, deviceCode } = await begun();
    expect((await approve(userCode)).status).toBe(200);
    expect((await approve(userCode)).status).toBe(404);
    expect((await callApi('POST', `${setups}/${userCode}/deny`)).status).toBe(404);
    const collected = (await collect(deviceCode)).data as Extract<CollectReply, { status: 'approved' }>;
    expect(collected).toMatchObject({ status: 'approved', token: expect.stringMatching(/^ykr_/) });
    // The token is returned only once.
    expect((await collect(deviceCode)).status).toBe(404);
    const { rows } = await server!.services.database.query<{ kept: string }>(
      'select to_jsonb(s)::text as kept from kroker_state s where kroker_id = $1',
      [collected.krokerId],
    );
    expect(rows[0]!.kept).not.toContain(collected.token);
  });

  test('an approval that names no Kroker, or one that is not there, changes nothing', async () => {
    const { userCode, deviceCode } = await begun();
    const nobody = '0190a0a0-0000-7000-8000-000000000000';
    expect(await approve(userCode, {})).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name: 'displayName' }] },
    });
    expect(await approve(userCode, { krokerId: nobody })).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name: 'krokerId' }] },
    });
    const taken = await callApi('POST', krokers, { displayName: `taken ${engine}` });
    expect(taken.status).toBe(201);
    expect((await approve(userCode, { displayName: `taken ${engine}` })).status).toBe(409);
    expect((await collect(deviceCode)).data).toEqual({ status: 'pending' });
  });

  test('a Kroker that was deleted before its machine collected the token gives none', async () => {
    const { userCode, deviceCode } = await begun();
    const { krokerId } = (await approve(userCode)).data as { krokerId: string };
    expect((await callApi('DELETE', `${krokers}/${krokerId}`)).status).toBe(200);
    expect((await collect(deviceCode)).status).toBe(404);
  });

  test('set up again with the key that it has, a Kroker keeps its credentials; with another, they are dropped', async () => {
    const person = await server!.signedIn('privileged');
    const first = await begun(undefined, publicKey);
    const { krokerId } = (await approve(first.userCode)).data as { krokerId: string };
    await collect(first.deviceCode);
    const encryptedData = await encryptCredential(
      { credentialType: 'password', username: 'root', password: 'hidden' },
      { krokerId, publicKey },
    );
    const credentials = `${krokers}/${krokerId}/credentials`;
    const made = await callApi('POST', credentials, { displayName: 'root', encryptedData });
    expect(made.status, made.text).toBe(201);
    const open = await callApi('POST', credentials, { displayName: 'open' });
    const shown = async (of: typeof made) =>
      (await callApi('GET', `${credentials}/${(of.data as Item).credentialId}`)).data as Item;
    const again = await begun(undefined, publicKey);
    await approve(again.userCode, { krokerId });
    await collect(again.deviceCode);
    expect(await shown(made)).toMatchObject({ sealed: true, encryptedData });
    const before = await shown(open);
    await setUpKroker(person, { krokerId });
    expect(await shown(made)).toMatchObject({ sealed: false });
    expect(await shown(made)).not.toHaveProperty('encryptedData');
    // Data that does not depend on the old key is unchanged.
    expect(await shown(open)).toEqual(before);
    expect(await logOf(krokerId)).toEqual([
      'set-up-again',
      'set-up-again',
      ...['credential-created', 'credential-created'],
      'set-up',
    ]);
  });

  test('what is encrypted to the right key for another Kroker is refused', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 2; at++) {
      const { userCode, deviceCode } = await begun(undefined, publicKey);
      ids.push(((await approve(userCode)).data as { krokerId: string }).krokerId);
      await collect(deviceCode);
    }
    const secret = { credentialType: 'password', username: 'root', password: 'hidden' } as const;
    const encryptedData = await encryptCredential(secret, { krokerId: ids[0]!, publicKey });
    const crossed = await callApi('POST', `${krokers}/${ids[1]}/credentials`, {
      displayName: 'crossed',
      encryptedData,
    });
    expect(crossed).toMatchObject({ status: 400, data: { invalidParams: [{ name: 'encryptedData' }] } });
    const right = await callApi('POST', `${krokers}/${ids[0]}/credentials`, {
      displayName: 'right',
      encryptedData,
    });
    expect(right.status).toBe(201);
  });

  test('a check-in is noted once an hour, a token of nobody is refused, and what follows the Kroker goes with it', async () => {
    const { userCode, deviceCode } = await begun();
    const { krokerId } = (await approve(userCode)).data as { krokerId: string };
    const { token } = (await collect(deviceCode)).data as { token: string };
    const check = (bearer: string) =>
      createApiCall({
        fetch,
        origin: server!.origin,
        headers: () => ({ authorization: `Bearer ${bearer}` }),
      })('POST', setupPaths.check);
    const noted = async () => (await logOf(krokerId)).filter((event) => event === 'checked-in').length;
    expect((await check(token)).data).toMatchObject({ krokerId });
    for (const [minutes, notes] of [
      [30, 1],
      [29, 1],
      [1, 2],
      [40, 2],
      [20, 3],
    ] as const) {
      clock.advance(minutes * 60_000);
      expect((await check(token)).status).toBe(200);
      expect(await noted()).toBe(notes);
    }
    for (const wrong of [token.slice(0, -1), token.replace('ykr_', ''), `ykr_${'A'.repeat(43)}`])
      expect((await check(wrong)).status).toBe(401);
    expect((await callApi('DELETE', `${krokers}/${krokerId}`)).status).toBe(200);
    expect((await check(token)).status).toBe(401);
    for (const table of ['kroker_state', 'kroker_log', 'kroker_setup']) {
      const { rows } = await server!.services.database.query(`select 1 from ${table} where kroker_id = $1`, [
        krokerId,
      ]);
      expect(rows, table).toEqual([]);
    }
  });
});
