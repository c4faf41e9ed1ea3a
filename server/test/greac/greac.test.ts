// Remote sessions and gateways: visibility, automatic closing, and secrets that are never exposed.
import { randomUUID } from 'node:crypto';
import type { Page } from '@yagura/core/http/page';
import type { ProblemBody } from '@yagura/core/http/problem';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { Decrypter, Encrypter } from 'age-encryption';
import { compactDecrypt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
const minute = 60_000;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  let inside: ApiCall;
  let user: ApiCall;
  let userId: string;
  let other: ApiCall;
  let auditor: ApiCall;
  let machine: KrokerMachine;
  let destinationId: string;

  const make = async (callApi: ApiCall, path: string, body?: unknown) => {
    const reply = await callApi('POST', path, body);
    expect([200, 201], reply.text).toContain(reply.status);
    return reply.data as Item;
  };
  const destination = async (displayName: string, userIds: string[], more: object = {}) =>
    String(
      (
        await make(admin, '/api/apps/greac/destinations', {
          displayName,
          host: 'web-01',
          members: { userIds },
          ...more,
        })
      ).destinationId,
    );
  const open = async (callApi: ApiCall, at = destinationId) =>
    String((await make(callApi, '/api/apps/greac/sessions', { destinationId: at })).sessionId);
  const show = async (callApi: ApiCall, id: string) => await callApi('GET', `/api/apps/greac/sessions/${id}`);
  const call = (callApi: ApiCall, id: string, name: string) =>
    callApi('POST', `/api/apps/greac/sessions/${id}/${name}`);
  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
    const signedIn = await server.signedIn('privileged');
    inside = createApiCall(signedIn);
    const person = await server.signedIn(['greac:user']);
    user = createApiCall(person);
    userId = person.userId;
    other = createApiCall(server.transportAs(['greac:user', 'sonar:viewer']));
    auditor = createApiCall(await server.signedIn(['greac:auditor']));
    machine = await setUpKroker(signedIn, { displayName: 'Tokyo' });
    destinationId = await destination('shared', [userId]);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  describe('a user of Greac', () => {
    test('sees the destinations that list them and no other', async () => {
      const hidden = await destination('hidden', []);
      const names = async (callApi: ApiCall) =>
        ((await callApi('GET', '/api/apps/greac/destinations')).data as Page<Item>).items.map(
          (item) => item.displayName,
        );
      expect(await names(user)).toEqual(['shared']);
      expect(await names(other)).toEqual([]);
      expect(await names(admin)).toContain('hidden');
      expect((await user('GET', `/api/apps/greac/destinations/${destinationId}`)).status).toBe(200);
      expect((await user('GET', `/api/apps/greac/destinations/${hidden}`)).status).toBe(404);
      const filtered = await user('GET', `/api/apps/greac/destinations?filter=displayName eq "hidden"`);
      expect(filtered.data).toMatchObject({ items: [], total: 0 });
      const refused = await user('POST', '/api/apps/greac/sessions', { destinationId: hidden });
      expect((refused.data as ProblemBody).invalidParams).toMatchObject([{ name: 'destinationId' }]);
      expect((await user('PUT', `/api/apps/greac/destinations/${destinationId}`, {})).status).toBe(403);
    });

    test('sees, joins and closes sessions that include them, and no other', async () => {
      const mine = await open(user);
      const foreign = await open(admin, await destination('theirs', []));
      expect((await show(user, mine)).status).toBe(200);
      expect((await show(other, mine)).status).toBe(404);
      for (const name of ['join', 'leave', 'close']) {
        expect((await call(user, foreign, name)).status, name).toBe(404);
        expect((await call(other, mine, name)).status, name).toBe(404);
      }
      const put = { destinationId, remarks: 'changed' };
      expect((await other('PUT', `/api/apps/greac/sessions/${mine}`, put)).status).toBe(404);
      expect((await user('PUT', `/api/apps/greac/sessions/${mine}`, put)).status).toBe(200);
      expect((await call(user, mine, 'close-force')).status).toBe(403);
      expect((await call(user, mine, 'close')).data).toMatchObject({
        status: 'closed',
        closeReason: 'ended',
      });
      expect((await call(admin, foreign, 'close-force')).data).toMatchObject({ closeReason: 'forced' });
      const listed = (await user('GET', '/api/apps/greac/sessions')).data as Page<Item>;
      expect(listed.items.map((item) => item.sessionId)).toContain(mine);
      expect(listed.items.map((item) => item.sessionId)).not.toContain(foreign);
    });

    test('who is no member any more keeps the history, and neither opens nor joins', async () => {
      const at = await destination('left behind', [userId]);
      const session = await open(user, at);
      await admin('PUT', `/api/apps/greac/destinations/${at}`, {
        displayName: 'left behind',
        host: 'web-01',
        members: { userIds: [] },
      });
      expect((await show(user, session)).status).toBe(200);
      expect((await call(user, session, 'join')).status).toBe(403);
      expect((await user('POST', '/api/apps/greac/sessions', { destinationId: at })).status).toBe(400);
      expect((await user('GET', `/api/apps/greac/destinations/${at}`)).status).toBe(404);
      await admin('POST', `/api/apps/greac/sessions/${session}/close`);
      expect((await show(user, session)).data).toMatchObject({ status: 'closed' });
      const late = await open(admin, at);
      expect((await show(user, late)).status).toBe(404);
    });

    test('reads Krokers, but neither their logs nor their credentials', async () => {
      const path = `/api/apps/kroker/krokers/${machine.krokerId}`;
      expect((await user('GET', path)).data).toMatchObject({ displayName: 'Tokyo' });
      for (const below of ['logs', 'credentials'])
        expect((await user('GET', `${path}/${below}`)).status).toBe(403);
      expect((await user('PUT', path, { displayName: 'mine' })).status).toBe(403);
    });
  });

  describe('a session', () => {
    test('that is closed is not reopened', async () => {
      const id = await open(user);
      await call(user, id, 'close');
      for (const name of ['join', 'close'])
        expect(await call(user, id, name), name).toMatchObject({ status: 409 });
      expect((await call(admin, id, 'close-force')).status).toBe(409);
      expect((await call(user, id, 'leave')).data).toMatchObject({ status: 'closed' });
      const put = await user('PUT', `/api/apps/greac/sessions/${id}`, {
        destinationId,
        status: 'opened',
        remarks: 'x',
      });
      expect(put.data).toMatchObject({ status: 'closed', remarks: 'x' });
    });

    test('keeps the message that it was opened for, which the user must be able to read', async () => {
      const messageId = randomUUID();
      await server!.services.database.query(
        `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url,
           headers, body, size, summary, fingerprint)
         values ($1, $2, $1, 'webhook', 'primary', now(), 'x', '{}', '', 0, '', '\\x00')`,
        [messageId, server!.services.spaceId],
      );
      const path = '/api/apps/greac/sessions';
      const made = (await admin('POST', path, { destinationId, messageId })).data as Item;
      expect(made).toMatchObject({ messageId });
      const id = String(made.sessionId);
      const edit = (change: Item) => admin('PUT', `${path}/${id}`, { destinationId, ...change });
      expect((await edit({ remarks: 'x' })).data).toMatchObject({ messageId, remarks: 'x' });
      const refused = { status: 400, data: { invalidParams: [{ name: 'messageId' }] } };
      expect(await edit({ messageId: randomUUID() })).toMatchObject(refused);
      expect(await user('POST', path, { destinationId, messageId })).toMatchObject(refused);
      // One that was deleted since stays.
      await server!.services.database.query('delete from message where message_id = $1', [messageId]);
      expect((await edit({ messageId })).data).toMatchObject({ messageId });
      expect((await edit({ messageId: null })).data).toMatchObject({ messageId: null });
      const filtered = await admin('GET', `${path}?filter=messageId eq "${messageId}"`);
      expect(filtered.data).toMatchObject({ items: [] });
    });

    test('keeps its destination, whose removal waits for it', async () => {
      const at = await destination('busy', [userId]);
      const id = await open(user, at);
      const moved = await user('PUT', `/api/apps/greac/sessions/${id}`, { destinationId });
      expect((moved.data as ProblemBody).invalidParams).toMatchObject([{ name: 'destinationId' }]);
      expect((await admin('DELETE', `/api/apps/greac/destinations/${at}`)).status).toBe(409);
      await call(user, id, 'close');
      expect((await admin('DELETE', `/api/apps/greac/destinations/${at}`)).status).toBe(200);
      expect((await show(user, id)).data).toMatchObject({ destinationName: 'busy', destinationId: at });
    });

    test('has logs for auditors alone, once it is closed, and files while it is connected', async () => {
      const key = await make(admin, '/api/apps/greac/log-keys/refresh');
      const id = await open(user);
      const path = `/api/internal/apps/greac/sessions/${id}/text-log`;
      expect((await auditor('GET', path)).status).toBe(404);
      const encrypter = new Encrypter();
      encrypter.addRecipient(String(key.publicKey));
      const body = Buffer.from(await encrypter.encrypt('$ uptime\n'));
      await server!.services.database.query(
        `insert into greac_log_chunk (session_id, space_id, kind, part, chunk, key_id, body, created_at) values ($1, $2, 'text', 1, 0, $3, $4, $5)`,
        [id, server!.services.spaceId, key.keyId, body, new Date().toISOString()],
      );
      expect(await auditor('GET', path)).toMatchObject({
        status: 404,
        data: { detail: 'the session is still open; its logs can be read once it has ended' },
      });
      await call(user, id, 'close');
      expect((await show(user, id)).data).toMatchObject({ logs: { text: true, video: false } });
      expect((await user('GET', path)).status).toBe(403);
      expect((await admin('GET', path)).status).toBe(403);
      expect((await auditor('GET', path.replace('text', 'video'))).status).toBe(404);
      const reply = await auditor('GET', path);
      expect(reply.headers.get('content-disposition')).toContain(`session-${id}-text.age`);
      expect(reply.headers.get('x-log-key')).toBe(key.keyId);
      const found = await auditor('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`);
      const decrypter = new Decrypter();
      decrypter.addIdentity(String((found.data as Item).privateKey));
      expect(await decrypter.decrypt(new Uint8Array(body), 'text')).toBe('$ uptime\n');
      const files = `/api/internal/apps/greac/storage/${id}/files`;
      expect((await user('GET', `${files}?path=/tmp`)).status).toBe(404);
      expect((await user('GET', `${files}?path=..\\tmp`)).data).toMatchObject({
        invalidParams: [{ name: 'path' }],
      });
    });
  });

  describe('a destination', () => {
    test.each([
      [{ host: 'a b' }, 'host'],
      [{ port: 70_000 }, 'port'],
      [{ parameters: { fontSize: 13 } }, 'parameters.fontSize'],
      [{ parameters: { colorScheme: 'pink' } }, 'parameters.colorScheme'],
      [{ protocol: 'rdp', parameters: { serverLayout: 'klingon' } }, 'parameters.serverLayout'],
      [{ fileTransfer: { rootDirectory: 'srv' } }, 'fileTransfer.rootDirectory'],
      [{ fileTransfer: { rootDirectory: '/c:\\srv' } }, 'fileTransfer.rootDirectory'],
      [{ members: { userIds: ['0190a0a0-0000-7000-8000-000000000000'] } }, 'members.userIds.0'],
      [{ members: { userGroupIds: ['0190a0a0-0000-7000-8000-000000000000'] } }, 'members.userGroupIds.0'],
      [{ krokerId: '0190a0a0-0000-7000-8000-000000000000' }, 'krokerId'],
    ])('refuses %j by name', async (change, name) => {
      const body = { displayName: 'wrong', host: 'web-01', ...change };
      const reply = await admin('POST', '/api/apps/greac/destinations', body);
      expect(reply).toMatchObject({ status: 400, data: { invalidParams: [{ name }] } });
      expect((reply.data as ProblemBody).invalidParams![0]!.reason).toMatch(/ /);
    });

    test.each([
      ['ssh', 22],
      ['rdp', 3389],
      ['telnet', 23],
    ])(
      'by %s has the port %i when none is given, and the protocol its parameters',
      async (protocol, port) => {
        const made = await make(admin, '/api/apps/greac/destinations', {
          displayName: `usual ${protocol}`,
          protocol,
          host: '2001:db8::1',
          parameters: { disableCopy: true },
        });
        expect(made).toMatchObject({ port, fileTransfer: { enabled: false, rootDirectory: '/' } });
        const parameters = made.parameters as Item;
        expect(parameters.disableCopy).toBe(true);
        expect('ignoreCert' in parameters).toBe(protocol === 'rdp');
        expect('serverAliveInterval' in parameters).toBe(protocol === 'ssh');
      },
    );

    test('takes the credentials of its own Kroker alone', async () => {
      const second = await make(admin, '/api/apps/kroker/krokers', { displayName: 'Osaka' });
      const held = await make(admin, `/api/apps/kroker/krokers/${machine.krokerId}/credentials`, {
        displayName: 'root',
      });
      const given = { displayName: 'crossed', host: 'web-01', credentialId: held.credentialId };
      for (const krokerId of [second.krokerId, null]) {
        const reply = await admin('POST', '/api/apps/greac/destinations', {
          ...given,
          krokerId,
          fileTransfer: { credentialId: held.credentialId },
        });
        expect(reply.data).toMatchObject({
          invalidParams: [{ name: 'credentialId' }, { name: 'fileTransfer.credentialId' }],
        });
      }
      await make(admin, '/api/apps/greac/destinations', { ...given, krokerId: machine.krokerId });
      const removed = await admin('DELETE', `/api/apps/kroker/krokers/${machine.krokerId}`);
      expect(removed).toMatchObject({ status: 409 });
      expect((removed.data as ProblemBody).detail).toContain('crossed');
    });
  });

  describe('a log key', () => {
    test('gives its private key to who may have it, until it is deleted', async () => {
      const key = await make(admin, '/api/apps/greac/log-keys/refresh');
      const path = `/api/apps/greac/log-keys/${key.keyId}`;
      expect((await admin('GET', '/api/apps/greac/log-keys/latest')).data).toEqual(key);
      expect(key.publicKey).toMatch(/^age1[a-z0-9]{58}$/);
      expect(JSON.stringify(key)).not.toContain('SECRET');
      for (const callApi of [user, auditor]) expect((await callApi('GET', path)).status).toBe(403);
      expect((await user('GET', `${path}/private-key`)).status).toBe(403);
      const { rows } = await server!.services.database.query<{ private_key: Buffer }>(
        'select private_key from greac_log_key where key_id = $1',
        [key.keyId],
      );
      expect(Buffer.from(rows[0]!.private_key).toString('latin1')).not.toContain('AGE-SECRET');
      const shown = await auditor('GET', `${path}/private-key`);
      expect((shown.data as Item).privateKey).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]+$/);
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect((await auditor('DELETE', `${path}/private-key`)).status).toBe(403);
      const gone = await admin('DELETE', `${path}/private-key`);
      expect(gone).toMatchObject({ status: 200, type: 'text/plain', text: '' });
      for (const method of ['GET', 'DELETE'])
        expect((await admin(method, `${path}/private-key`)).status).toBe(404);
      expect((await admin('GET', path)).data).toMatchObject({
        hasPrivateKey: false,
        privateKeyDeletedAt: expect.stringMatching(/Z$/),
      });
    });
  });

  describe('a credential', () => {
    const pathOf = (krokerId: string) => `/api/apps/kroker/krokers/${krokerId}/credentials`;
    const secret = { credentialType: 'password', username: 'root', password: 'hidden from all' } as const;

    test('is kept as it was encrypted, opened by the Kroker alone, and in no list', async () => {
      const encryptedData = await encryptCredential(secret, machine);
      const internal = `/api/internal/apps/kroker/krokers/${machine.krokerId}/credentials`;
      const made = await make(inside, internal, { displayName: 'sealed', encryptedData });
      expect(made).toMatchObject({ sealed: true });
      for (const path of [pathOf(machine.krokerId), internal]) {
        const list = await inside('GET', path);
        expect(list.status).toBe(200);
        expect(list.text).not.toContain('encryptedData');
      }
      const shown = (await admin('GET', `${pathOf(machine.krokerId)}/${made.credentialId}`)).data as Item;
      const opened = await compactDecrypt(String(shown.encryptedData), machine.privateKey);
      expect(JSON.parse(Buffer.from(opened.plaintext).toString())).toEqual(secret);
      const renamed = await admin('PUT', `${pathOf(machine.krokerId)}/${made.credentialId}`, {
        displayName: 'renamed',
      });
      expect(renamed.data).toMatchObject({ sealed: true, encryptedData });
      const retyped = await admin('PUT', `${pathOf(machine.krokerId)}/${made.credentialId}`, {
        displayName: 'renamed',
        credentialType: 'private-key',
      });
      expect(retyped.data).toMatchObject({ invalidParams: [{ name: 'encryptedData' }] });
      const again = await encryptCredential({ ...secret, password: 'new' }, machine);
      const resealed = await inside('PUT', `${internal}/${made.credentialId}`, { encryptedData: again });
      expect(resealed.data).toMatchObject({ displayName: 'renamed', encryptedData: again });
      const names = await inside('POST', '/api/internal/apps/kroker/credential-names', {
        credentialIds: [made.credentialId, machine.krokerId],
      });
      expect(names.data).toEqual({
        items: [{ credentialId: made.credentialId, displayName: 'renamed' }],
      });
    });

    test('is refused when it is not encrypted, or to somebody else', async () => {
      const person = await server!.signedIn('privileged');
      const second = await setUpKroker(person, { displayName: 'Nagoya' });
      const moved = await encryptCredential(secret, { ...machine, krokerId: second.krokerId });
      for (const [encryptedData, krokerId] of [
        ['hidden from all', machine.krokerId],
        [await encryptCredential(secret, second), machine.krokerId],
        [moved, machine.krokerId],
        [moved, second.krokerId],
      ] as const) {
        const reply = await admin('POST', pathOf(krokerId), { displayName: 'no', encryptedData });
        expect(reply).toMatchObject({ status: 400, data: { invalidParams: [{ name: 'encryptedData' }] } });
        expect(reply.text).not.toContain('hidden from all');
      }
      const bare = await make(admin, '/api/apps/kroker/krokers', { displayName: 'bare' });
      const early = await admin('POST', pathOf(String(bare.krokerId)), {
        displayName: 'early',
        encryptedData: moved,
      });
      expect(early.status).toBe(409);
      expect((await user('POST', '/api/internal/apps/kroker/credential-names', {})).status).toBe(400);
      expect((await auditor('POST', '/api/internal/apps/kroker/credential-names', {})).status).toBe(403);
    });

    test('has to be entered again after its Kroker was set up with another key', async () => {
      const person = await server!.signedIn('privileged');
      const first = await setUpKroker(person, { displayName: 'Sapporo' });
      const { krokerId } = first;
      const made = await make(admin, pathOf(krokerId), {
        displayName: 'root',
        encryptedData: await encryptCredential(secret, first),
      });
      const second = await setUpKroker(person, { krokerId });
      expect(second.krokerId).toBe(krokerId);
      const shown = (await admin('GET', `${pathOf(krokerId)}/${made.credentialId}`)).data as Item;
      expect(shown).toMatchObject({ sealed: false });
      expect(shown.encryptedData).toBeUndefined();
      const log = (await admin('GET', `/api/apps/kroker/krokers/${krokerId}/logs`)).data as Page<Item>;
      expect(log.items.map(({ event, name }) => [event, name])).toEqual([
        ['set-up-again', 'gateway-01'],
        ['credential-created', 'root'],
        ['set-up', 'gateway-01'],
      ]);
      const check = (token: string) =>
        fetch(`${server!.origin}/receive/kroker-check-ins`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        });
      expect((await check(first.token)).status).toBe(401);
      expect((await admin('GET', `/api/apps/kroker/krokers/${krokerId}`)).data).toMatchObject({
        connectionState: 'unconnected',
      });
      const checked = await check(second.token);
      expect(await checked.json()).toMatchObject({ krokerId, displayName: 'Sapporo' });
      expect((await admin('GET', `/api/apps/kroker/krokers/${krokerId}`)).data).toMatchObject({
        connectionState: 'connected',
        lastConnectedAt: expect.stringMatching(/Z$/),
      });
    });
  });
});

describe.each(featureStores)('time on %s', (engine) => {
  let server: TestServer | null;
  const clock = new ManualClock();
  let user: ApiCall;
  let admin: ApiCall;
  let userId: string;
  let destinationId: string;

  const open = async (callApi: ApiCall) =>
    String(((await callApi('POST', '/api/apps/greac/sessions', { destinationId })).data as Item).sessionId);
  const show = (callApi: ApiCall, id: string) => callApi('GET', `/api/apps/greac/sessions/${id}`);
  const call = (callApi: ApiCall, id: string, name: string) =>
    callApi('POST', `/api/apps/greac/sessions/${id}/${name}`);

  beforeAll(async () => {
    server = await startTestServer({ engine, clock });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
    user = createApiCall(server.transportAs(['greac:user']));
    await user('GET', '/api/apps/greac/sessions');
    userId = await idOf(server);
    const made = await admin('POST', '/api/apps/greac/destinations', {
      displayName: 'shared',
      host: 'web-01',
      members: { userIds: [userId] },
    });
    destinationId = String((made.data as Item).destinationId);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  describe('a session', () => {
    test('closes five minutes after the last one left, and not before', async () => {
      const id = await open(user);
      await call(user, id, 'join');
      clock.advance(1000);
      await call(admin, id, 'join');
      expect((await show(user, id)).data).toMatchObject({
        closesAt: null,
        participants: [{ userId }, { joinedAt: new Date(clock.now()).toISOString() }],
      });
      await call(user, id, 'leave');
      expect(((await show(user, id)).data as Item).participants).toHaveLength(1);
      await call(admin, id, 'leave');
      const closesAt = new Date(clock.now() + 5 * minute).toISOString();
      expect((await show(user, id)).data).toMatchObject({ status: 'opened', closesAt });
      clock.advance(5 * minute - 1000);
      expect((await show(user, id)).data).toMatchObject({ status: 'opened' });
      clock.advance(11_000);
      await expect
        .poll(async () => (await show(user, id)).data)
        .toMatchObject({ status: 'closed', closeReason: 'left', participants: [], closesAt: null });
    });

    test('stays open while somebody says that they are there; who falls silent has left', async () => {
      const id = await open(user);
      await call(user, id, 'join');
      for (let at = 0; at < 12; at++) {
        clock.advance(40_000);
        await call(user, id, 'join');
      }
      expect((await show(user, id)).data).toMatchObject({ status: 'opened', closesAt: null });
      clock.advance(70_000);
      await expect.poll(async () => ((await show(user, id)).data as Item).participants).toEqual([]);
      clock.advance(5 * minute + 10_000);
      await expect.poll(async () => (await show(user, id)).data).toMatchObject({ status: 'closed' });
    });

    test('closes on time although the server was down', async () => {
      const id = await open(user);
      clock.advance(4 * minute);
      await server!.restart();
      expect((await show(user, id)).data).toMatchObject({ status: 'opened' });
      clock.advance(2 * minute);
      await expect.poll(async () => (await show(user, id)).data).toMatchObject({ status: 'closed' });
    });
  });

  test('a Kroker counts as connected for two minutes after its last word', async () => {
    const person = await server!.signedIn('privileged');
    const { krokerId, token } = await setUpKroker(person, { displayName: 'Naha' });
    const admin = createApiCall(server!.transportAs('privileged'));
    const state = async () =>
      ((await admin('GET', `/api/apps/kroker/krokers/${krokerId}`)).data as Item).connectionState;
    await fetch(`${server!.origin}/receive/kroker-check-ins`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    clock.advance(2 * minute - 1000);
    expect(await state()).toBe('connected');
    clock.advance(2000);
    expect(await state()).toBe('unconnected');
    const filter = encodeURIComponent('connectionState eq "unconnected"');
    expect((await admin('GET', `/api/apps/kroker/krokers?filter=${filter}`)).data).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ krokerId })]),
    });
  });
});

/** Id of the user with only the role greac:user, who is created by the first call. */
async function idOf({ services }: TestServer): Promise<string> {
  return (await services.identity.findUser({ email: 'greac-user@example.com' }))!.userId;
}
