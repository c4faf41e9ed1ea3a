// The IP restriction applies to calls, pages and sign-in, not to receivers; callers cannot lock themselves
// out by accident.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setupPaths } from '@yagura/core/kroker/kroker-setup';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';
import { connectGateway, createSigningPair } from '@yagura/fixtures/testbed/test-gateway';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { post } from '../support/post.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const path = '/api/internal/space/ip-restriction';
const here = { address: '127.0.0.0/8', remarks: 'this machine' };
const elsewhere = { address: '192.0.2.0/24', remarks: '' };

describe('without a trusted proxy', () => {
  let server: TestServer;
  let callApi: ApiCall;
  let primary: string;
  let agentToken: string;
  let machine: KrokerMachine;
  beforeAll(async () => {
    server = (await startTestServer())!;
    callApi = createApiCall(await server.signedIn('privileged'));
    const slot = await callApi('POST', '/api/apps/alerthub/receive-slots', {
      displayName: 'open',
      kind: 'webhook',
    });
    primary = (slot.data as { primary: string }).primary;
    const site = await callApi('POST', '/api/ksocket/slots', { displayName: 'site', remarks: '' });
    const tokens = `/api/ksocket/slots/${(site.data as { ksocketSlotId: string }).ksocketSlotId}/tokens`;
    agentToken = ((await callApi('POST', tokens, { displayName: 'site' })).data as { token: string }).token;
    machine = await setUpKroker(server.transportAs('privileged'), { displayName: 'gateway' });
  });
  afterAll(() => server.stop());

  test('is off at first, and tells the caller their address', async () => {
    expect((await callApi('GET', path)).data).toEqual({ enabled: false, addresses: [], updatedAt: null });
    expect((await callApi('GET', '/api/internal/self-ip-address')).data).toEqual({ ipAddress: '127.0.0.1' });
  });

  test.each([['10.0.0.0/33'], ['10.0.0'], ['::g'], ['2001:db8::/129'], ['example.com'], ['']])(
    'refuses %j and names it',
    async (address) => {
      const addresses = [here, { address, remarks: '' }];
      const reply = await callApi('PUT', path, { enabled: false, addresses });
      expect(reply.data).toMatchObject({ invalidParams: [{ name: 'addresses.1.address' }] });
    },
  );

  test('a change that locks out the caller is refused unless forced, and then holds everywhere', async () => {
    const refused = await callApi('PUT', path, { enabled: true, addresses: [elsewhere] });
    expect(refused.status).toBe(409);
    expect((refused.data as { detail: string }).detail).toContain('127.0.0.1');
    expect((await callApi('PUT', path, { enabled: true, addresses: [here, elsewhere] })).status).toBe(200);
    expect((await callApi('PUT', `${path}/addresses`, { addresses: [elsewhere] })).status).toBe(409);
    const forced = await callApi('PUT', `${path}/addresses`, { addresses: [elsewhere], force: true });
    expect(forced.data).toMatchObject({ enabled: true, addresses: [elsewhere] });

    const blocked = { status: 403, data: { detail: 'Your IP address is not permitted' } };
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    expect(await callApi('GET', path, undefined, { headers })).toMatchObject(blocked);
    expect(
      await createApiCall(server.transportAs('privileged'))('GET', '/api/apps/alerthub/rules'),
    ).toMatchObject(blocked);
    expect(
      await createApiCall(server.transportAs('guest'))('GET', '/oidc/.well-known/openid-configuration'),
    ).toMatchObject(blocked);
    expect((await callApi('GET', '/api/internal/embedded/client-info')).status).toBe(403);
    for (const page of ['/change-password', '/activate-invitation', '/restore-email']) {
      const reply = await fetch(server.origin + page, { redirect: 'manual' });
      expect(reply.headers.get('location'), page).toMatch(/^\/403\?/);
    }
    expect((await fetch(`${server.origin}/oidc/device`)).status).toBe(403);
    expect(await callApi('POST', setupPaths.begin, {})).toMatchObject(blocked);
    expect((await post(primary, '{"title":"still open"}')).status).toBe(202);
    await expect(connectAgent({ origin: server.origin, token: agentToken })).rejects.toThrow('403');
    const gateway = { origin: server.origin, machine, signingPair: createSigningPair() };
    await expect(connectGateway(gateway)).rejects.toThrow('403');
    const stream = `${server.origin.replace(/^http/, 'ws')}/api/apps/greac/sessions/${randomUUID()}/stream`;
    await expect(once(new WebSocket(stream), 'open')).rejects.toThrow('403');

    await server.restart({ ipRestriction: false });
    expect((await callApi('PUT', path, { enabled: false, addresses: [] })).status).toBe(200);
    const query = new URLSearchParams({ filter: 'resource eq "ip-restriction" and outcome eq "refused"' });
    const { items } = (await callApi('GET', `/api/space/audit-records?${query}`)).data as { items: object[] };
    // Rejected requests of an address are audited at most once a minute.
    expect(items).toMatchObject([{ actorKind: 'guest', address: '127.0.0.1', detail: `GET ${path}` }]);
  });
});

test('behind a trusted proxy the address it tells counts, and what a caller adds does not', async () => {
  const server = (await startTestServer({
    env: { YAGURA_TRUSTED_PROXIES: '127.0.0.1' },
  }))!;
  const callApi = createApiCall(await server.signedIn('privileged'));
  const from = (forwarded: string) => ({ headers: { 'x-forwarded-for': forwarded } });
  const own = await callApi(
    'GET',
    '/api/internal/self-ip-address',
    undefined,
    from('192.0.2.9, 203.0.113.5'),
  );
  expect(own.data).toEqual({ ipAddress: '203.0.113.5' });
  const set = await callApi('PUT', path, { enabled: true, addresses: [elsewhere] }, from('192.0.2.9'));
  expect(set.status).toBe(200);
  expect((await callApi('GET', path, undefined, from('192.0.2.77'))).status).toBe(200);
  expect((await callApi('GET', path, undefined, from('192.0.2.9, 203.0.113.5'))).status).toBe(403);
  await server.stop();
});

test('without its ticket it is neither set nor kept', async () => {
  const server = (await startTestServer())!;
  const { database, spaceId } = server.services;
  await database.query(
    `insert into ip_restriction (space_id, enabled, addresses, updated_at) values ($1, true, '[]', now())`,
    [spaceId],
  );
  const { Contract } = await import('../../src/contract/contract.ts');
  await server.restart({ contract: new Contract(null) });
  const callApi = createApiCall(await server.signedIn('privileged'));
  expect((await callApi('GET', path)).status).toBe(200);
  const reply = await callApi('PUT', path, { enabled: false, addresses: [] });
  expect(reply).toMatchObject({ status: 403, data: { detail: 'needs the ticket ipRestriction202507' } });
  await server.stop();
});
