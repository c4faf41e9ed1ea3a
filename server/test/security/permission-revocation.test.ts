// Revoked permissions take effect on an open stream within five seconds, measured on a test clock (ASVS 5.0,
// 7.4).

import { closeCodes } from '@yagura/core/http/close-codes';
import type { Transport } from '@yagura/core/http/transport';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';
import { connectGateway, createSigningPair } from '@yagura/fixtures/testbed/test-gateway';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const within = 5_000;

describe('an open stream', () => {
  let server: TestServer;
  let clock: ManualClock;
  let admin: ApiCall;
  let scopes = 0;
  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    server = (await startTestServer({ clock }))!;
    admin = createApiCall(server.transportAs('privileged'));
  }, 120_000);
  afterAll(() => server?.stop());

  /** Reads the live change stream; `text` accumulates, `ended` is set when the server closes it. */
  async function open(transport: Transport) {
    const reply = await fetch(`${server.origin}/api/internal/changes`, {
      headers: { 'x-requested-with': 'XMLHttpRequest', ...(await transport.headers?.()) },
    });
    expect(reply.status).toBe(200);
    // The stream is written without the framework.
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const stream = { text: '', ended: false };
    void (async () => {
      const decoder = new TextDecoder();
      const reader = reply.body!.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        stream.text += decoder.decode(piece.value);
      stream.ended = true;
    })().catch(() => {
      stream.ended = true;
    });
    return stream;
  }

  /** Creates a scope, which is announced to everyone who may read scopes; returns its id. */
  async function change(): Promise<string> {
    const { data, status, text } = await admin('POST', '/api/apps/alerthub/scopes', {
      displayName: `scope ${++scopes}`,
    });
    expect(status, text).toBe(201);
    return (data as { scopeId: string }).scopeId;
  }

  test('tells no more of what a role that was taken away let its reader see', async () => {
    const viewer = await server.signedIn(['alerthub:viewer']);
    const stream = await open(viewer);
    const before = await change();
    await vi.waitFor(() => expect(stream.text).toContain(before));
    expect((await admin('PATCH', `/api/space/users/${viewer.userId}`, { roles: [] })).status).toBe(200);
    expect((await createApiCall(viewer)('GET', '/api/apps/alerthub/scopes')).status).toBe(403);
    clock.advance(within);
    const own = await open(await server.signedIn('privileged'));
    await new Promise((resolve) => setImmediate(resolve));
    await vi.waitFor(async () => {
      const after = await change();
      await vi.waitFor(() => expect(own.text).toContain(after));
      expect(stream.text).not.toContain(after);
    });
    expect(stream.ended).toBe(false);
  });

  test.each([
    [
      'is disabled',
      'sonar:viewer' as const,
      (userId: string) => admin('PATCH', `/api/space/users/${userId}`, { disabled: true }),
    ],
    [
      'is deleted',
      'space:administrator' as const,
      (userId: string) => admin('DELETE', `/api/space/users/${userId}`),
    ],
    [
      'has signed out everywhere',
      'pigeon:operator' as const,
      async (userId: string) =>
        server.services.identity.endSessions(userId, server.services.database.transaction),
    ],
  ])('ends when its reader %s', async (_name, other, take) => {
    const viewer = await server.signedIn(['alerthub:viewer', other]);
    const stream = await open(viewer);
    await take(viewer.userId);
    expect((await createApiCall(viewer)('GET', '/api/apps/alerthub/scopes')).status).toBe(401);
    clock.advance(within);
    await vi.waitFor(() => expect(stream.ended).toBe(true));
  });

  test('tells no more once its reader has left the group that gave the role', async () => {
    const person = await server.signedIn(['greac:auditor']);
    const groups = '/api/space/user-groups';
    const made = await admin('POST', groups, {
      displayName: 'watch',
      remarks: '',
      roles: ['alerthub:viewer'],
    });
    const group = `${groups}/${(made.data as { userGroupId: string }).userGroupId}`;
    await admin('POST', `${group}/add-users`, { userIds: [person.userId] });
    const stream = await open(person);
    const before = await change();
    await vi.waitFor(() => expect(stream.text).toContain(before));
    await admin('POST', `${group}/delete-users`, { userIds: [person.userId] });
    expect((await createApiCall(person)('GET', '/api/apps/alerthub/scopes')).status).toBe(403);
    const own = await open(await server.signedIn('privileged'));
    clock.advance(within);
    await vi.waitFor(async () => {
      const after = await change();
      await vi.waitFor(() => expect(own.text).toContain(after));
      expect(stream.text).not.toContain(after);
    });
  });
});

describe('the connection of an agent', () => {
  let server: TestServer;
  let clock: ManualClock;
  let admin: ApiCall;
  let slots = 0;
  /** Token lifetime in milliseconds, shorter than the allowed silence of an agent. */
  const life = 30_000;
  const restriction = '/api/internal/space/ip-restriction';
  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    server = (await startTestServer({ clock }))!;
    admin = createApiCall(await server.signedIn('privileged'));
  }, 120_000);
  afterAll(() => server?.stop());

  interface Site {
    slot: string;
    token: string;
  }

  test.each<[string, number, (site: Site) => Promise<unknown>]>([
    ['its token is deleted', closeCodes.revoked, ({ token }) => admin('DELETE', token)],
    ['its slot is deleted', closeCodes.revoked, ({ slot }) => admin('DELETE', slot)],
    ['its token has expired', closeCodes.revoked, async () => clock.advance(life - within)],
    [
      'its address is permitted no more',
      closeCodes.blocked,
      () =>
        admin('PUT', restriction, {
          enabled: true,
          addresses: [{ address: '192.0.2.1', remarks: '' }],
          force: true,
        }),
    ],
  ])('ends when %s', async (_name, code, take) => {
    const made = await admin('POST', '/api/ksocket/slots', { displayName: `site ${++slots}`, remarks: '' });
    const slot = `/api/ksocket/slots/${(made.data as { ksocketSlotId: string }).ksocketSlotId}`;
    const expiresAt = new Date(clock.now() + life).toISOString();
    const given = await admin('POST', `${slot}/tokens`, { displayName: 'site', expiresAt });
    const { token, ksocketTokenId } = given.data as { token: string; ksocketTokenId: string };
    const agent = await connectAgent({ origin: server.origin, token });
    await vi.waitFor(async () =>
      expect((await admin('GET', `${slot}/connected`)).data).toMatchObject({ connected: true }),
    );
    await take({ slot, token: `${slot}/tokens/${ksocketTokenId}` });
    clock.advance(within);
    expect(await agent.closed).toBe(code);
    await expect(connectAgent({ origin: server.origin, token })).rejects.toThrow(/40[13]/);
  });
});

test('the connection of a gateway and a live stream end when their address is permitted no more', async () => {
  const clock = new ManualClock(Date.now());
  const server = (await startTestServer({ clock }))!;
  onTestFinished(() => server.stop());
  const machine = await setUpKroker(server.transportAs('privileged'), { displayName: 'site' });
  const gateway = await connectGateway({ origin: server.origin, machine, signingPair: createSigningPair() });
  await server.settled();
  const person = await server.signedIn('privileged');
  const admin = createApiCall(person);
  const live = await fetch(`${server.origin}/api/internal/changes`, {
    headers: { 'x-requested-with': 'XMLHttpRequest', ...(await person.headers?.()) },
  });
  const ended = live.text();
  const restriction = {
    ...{ enabled: true, force: true },
    addresses: [{ address: '192.0.2.1', remarks: '' }],
  };
  expect((await admin('PUT', '/api/internal/space/ip-restriction', restriction)).status).toBe(200);
  clock.advance(within);
  expect(await gateway.closed).toBe(closeCodes.blocked);
  expect(await ended).toContain(': ready');
  await expect(connectGateway({ origin: server.origin, machine })).rejects.toThrow('403');
}, 120_000);
