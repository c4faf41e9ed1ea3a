// Streams of remote sessions between viewers and a gateway, both with the real protocol and encryption.
import type { AddressInfo } from 'node:net';
import type { SessionAttachment } from '@yagura/core/greac/session';
import { encodeFrame, streamHeartbeatMs, streamLimits, viewerChannel } from '@yagura/core/greac/stream/frame';
import { sessionEndMs } from '@yagura/core/greac/stream/gateway-protocol';
import type { ProblemBody } from '@yagura/core/http/problem';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import {
  connectGateway,
  type GatewayStream,
  type OpenOrder,
  type TestGateway,
} from '@yagura/fixtures/testbed/test-gateway';
import { openViewer, type TestViewer } from '@yagura/fixtures/testbed/test-viewer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockSpace } from '../../src/audit/lock-space.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { sessionLimits } from '../../src/greac/session-limits.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
const text = (value: string) => new TextEncoder().encode(value);
const destinations = '/api/apps/greac/destinations';
const sessions = '/api/apps/greac/sessions';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let admin: ApiCall;
  let member: ApiCall;
  let memberId: string;
  let machine: KrokerMachine;
  let gateway: TestGateway;
  let destinationId: string;
  let credential: string;
  let count = 0;
  const viewers: TestViewer[] = [];

  beforeAll(async () => {
    // Stream secrets expire by the time of the machine.
    clock = new ManualClock(Date.now());
    server = await startTestServer({ engine, clock });
    if (!server) return;
    const owner = await server.signedIn('privileged');
    admin = createApiCall(owner);
    const person = await server.signedIn(['greac:user']);
    member = createApiCall(person);
    memberId = person.userId;
    machine = await setUpKroker(owner, { displayName: 'Osaka' });
    credential = await encryptCredential(
      { credentialType: 'password', username: 'ops', password: 'planted-password' },
      machine,
    );
    const stored = await make(`/api/apps/kroker/krokers/${machine.krokerId}/credentials`, {
      displayName: 'ops',
      encryptedData: credential,
    });
    destinationId = String(
      (await makeDestination({ credentialId: stored.credentialId, hostKeyPolicy: 'accept' })).destinationId,
    );
    await make('/api/apps/greac/log-keys/refresh', {});
  });
  beforeEach(async (context) => {
    if (!server) context.skip();
    gateway = await connectGateway({ origin: server!.origin, machine });
  });
  afterEach(async () => {
    for (const viewer of viewers.splice(0)) viewer.close();
    await gateway.close();
    await server!.settled();
    const { rows } = await server!.services.database.query<{ id: string }>(
      `select session_id as id from greac_session where status = 'opened'`,
    );
    for (const { id } of rows) await admin('POST', `${sessions}/${id}/close-force`);
  });
  afterAll(() => server?.stop());

  async function make(path: string, body: Item, callApi = admin): Promise<Item> {
    const reply = await callApi('POST', path, body);
    expect([200, 201], reply.text).toContain(reply.status);
    return reply.data as Item;
  }
  const makeDestination = (more: Item) =>
    make(destinations, {
      displayName: `web ${engine} ${++count}`,
      host: 'web-01.example.com',
      krokerId: machine.krokerId,
      members: { userIds: [memberId] },
      ...more,
    });
  const openSession = async (at = destinationId) =>
    String((await make(sessions, { destinationId: at }, member)).sessionId);
  const attach = async (sessionId: string, callApi = member) =>
    (await make(`${sessions}/${sessionId}/attach`, {}, callApi)) as unknown as SessionAttachment;
  async function view(sessionId: string, callApi = member, replaces?: string): Promise<TestViewer> {
    const attachment = await attach(sessionId, callApi);
    const again = replaces === undefined ? {} : { replaces };
    const viewer = await openViewer({ origin: server!.origin, sessionId, attachment, ...again });
    viewers.push(viewer);
    return viewer;
  }
  /** A session with one viewer, whose stream is open at the gateway. */
  async function connect(at = destinationId): Promise<{
    sessionId: string;
    order: OpenOrder;
    viewer: TestViewer;
    stream: GatewayStream;
    channel: number;
  }> {
    const sessionId = await openSession(at);
    const viewer = await view(sessionId);
    const order = await gateway.next('open');
    const attached = await gateway.next('attach');
    const stream = await gateway.accept(attached);
    return { sessionId, order, viewer, stream, channel: attached.channel };
  }
  /** Runs while the session of a new viewer waits to be assigned to its gateway. */
  async function whileAssigning(sessionId: string, during: (viewer: TestViewer) => Promise<unknown>) {
    const { database } = server!.services;
    await database.transaction(async (tx) => {
      await lockSpace(tx, server!.spaces()[0]!.hosted.spaceId);
      const viewer = await view(sessionId);
      await vi.waitFor(async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect((await tx.query(waiting)).rows).toHaveLength(1);
      }, 20_000);
      await during(viewer);
    });
  }
  const setRoles = (roles: string[]) => admin('PATCH', `/api/space/users/${memberId}`, { roles });
  const show = async (sessionId: string) => (await admin('GET', `${sessions}/${sessionId}`)).data as Item;

  test('a viewer types and sees what the gateway shows, and the server stores none of it', async () => {
    const { sessionId, order, viewer, stream } = await connect();
    expect(order).toMatchObject({
      sessionId,
      protocol: 'ssh',
      host: 'web-01.example.com',
      port: 22,
      credential,
      hostKey: { policy: 'accept', pins: [] },
      recording: { strict: false },
    });
    gateway.send({ type: 'opened', sessionId, hostKey: 'SHA256:first' });
    await viewer.type(text('planted-typed-櫓'));
    expect(await stream.typed()).toEqual(text('planted-typed-櫓'));
    await stream.show(text('planted-shown'));
    expect(await viewer.shown()).toEqual(text('planted-shown'));
    await server!.settled();
    expect(await show(sessionId)).toMatchObject({
      connectedAt: expect.any(String),
      hostKey: 'SHA256:first',
      participants: [{ userId: memberId }],
      closesAt: null,
    });
    const { rows } = await server!.services.database.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    );
    for (const { name } of rows) {
      const found = await server!.services.database.query(
        `select 1 from ${name} t where t::text like '%planted-%'`,
      );
      expect(found.rows, name).toEqual([]);
    }
    expect(JSON.stringify(server!.logLines)).not.toContain('planted-');
  });

  test('the host key of a session is kept for the next ones, until it is deleted', async () => {
    const at = String((await makeDestination({})).destinationId);
    const { sessionId } = await connect(at);
    gateway.send({ type: 'opened', sessionId, hostKey: 'SHA256:kept' });
    await server!.settled();
    const again = await connect(at);
    expect(again.order.hostKey).toEqual({ policy: 'ask', pins: ['SHA256:kept'] });
    const { items } = (await admin('GET', `${destinations}/${at}/host-keys`)).data as { items: Item[] };
    expect(items).toMatchObject([{ fingerprint: 'SHA256:kept', host: 'web-01.example.com', port: 22 }]);
    const item = `${destinations}/${at}/host-keys/${items[0]!.hostKeyId}`;
    expect((await member('DELETE', item)).status).toBe(403);
    expect((await admin('DELETE', item)).status).toBe(200);
    expect((await connect(at)).order.hostKey.pins).toEqual([]);
  });

  describe('a ticket', () => {
    test('opens one stream', async () => {
      const sessionId = await openSession();
      const attachment = await attach(sessionId);
      viewers.push(await openViewer({ origin: server!.origin, sessionId, attachment }));
      await expect(openViewer({ origin: server!.origin, sessionId, attachment })).rejects.toThrow(
        'status 401',
      );
    });

    test('is for its session, its time, and the pages of the space', async () => {
      const [sessionId, other] = [await openSession(), await openSession()];
      const { origin } = server!;
      const attachment = await attach(sessionId);
      await expect(openViewer({ origin, sessionId: other, attachment })).rejects.toThrow('status 401');
      const headers = { origin: 'https://foreign.example' };
      await expect(openViewer({ origin, sessionId, attachment, headers })).rejects.toThrow('status 403');
      clock.advance(31_000);
      await expect(openViewer({ origin, sessionId, attachment })).rejects.toThrow('status 401');
      const own = await attach(sessionId);
      viewers.push(await openViewer({ origin, sessionId, attachment: own, headers: { origin } }));
    });

    test('is given to members of the destination for sessions that a gateway can open', async () => {
      const sessionId = await openSession();
      const stranger = createApiCall(server!.transportAs(['greac:user', 'sonar:viewer']));
      expect((await stranger('POST', `${sessions}/${sessionId}/attach`)).status).toBe(404);
      const desktop = await makeDestination({
        protocol: 'rdp',
        parameters: { serverLayout: 'ja-jp-qwerty' },
      });
      const rdp = await attach(await openSession(String(desktop.destinationId)));
      expect(rdp).toMatchObject({ protocol: 'rdp', parameters: { serverLayout: 'ja-jp-qwerty' } });
      await gateway.close();
      await server!.settled();
      expect(await member('POST', `${sessions}/${sessionId}/attach`)).toMatchObject({
        status: 503,
        data: { title: 'GATEWAY_AWAY' },
      });
    });
  });

  describe('a viewer whose network is gone', () => {
    test('loses its stream within a minute; one that answers keeps it', async () => {
      const { sessionId, viewer } = await connect();
      const other = await view(sessionId, admin);
      const stream = await gateway.accept(await gateway.next('attach'));
      viewer.fallSilent();
      await other.heartbeat();
      for (let beat = 0; beat < 5; beat++) {
        clock.advance(streamHeartbeatMs);
        await other.heartbeat();
      }
      expect(await gateway.next('detach')).toMatchObject({ sessionId, viewerId: viewer.viewerId });
      await other.type(text('still here'));
      expect(await stream.typed()).toEqual(text('still here'));
    });

    test('gives way to its next stream at once, which can have control; that of somebody else does not', async () => {
      const { sessionId, viewer } = await connect();
      viewer.fallSilent();
      await view(sessionId, admin, viewer.viewerId);
      await gateway.next('attach');
      const again = await view(sessionId, member, viewer.viewerId);
      expect(await gateway.next('detach')).toMatchObject({ sessionId, viewerId: viewer.viewerId });
      expect(await gateway.next('attach')).toMatchObject({ viewerId: again.viewerId, mode: 'control' });
    });
  });

  describe('credit', () => {
    const record = new Uint8Array(streamLimits.payload);
    const frames = streamLimits.credit / record.length;

    test('that a viewer overdraws ends its stream', async () => {
      const { viewer } = await connect();
      for (let sent = 0; sent <= frames; sent++) viewer.sendFrame(encodeFrame('data', viewerChannel, record));
      expect(await viewer.ended).toBe('CREDIT_EXCEEDED');
      await gateway.next('detach');
    });

    test('that a gateway overdraws ends the stream of that viewer only', async () => {
      const { sessionId, viewer } = await connect();
      const other = await view(sessionId, admin);
      const stream = await gateway.accept(await gateway.next('attach'));
      for (let sent = 0; sent <= frames; sent++) gateway.sendFrame(encodeFrame('data', 1, record));
      expect(await viewer.ended).toBe('CREDIT_EXCEEDED');
      await stream.show(text('still here'));
      expect(await other.shown()).toEqual(text('still here'));
    });

    test('is renewed by the receiver', async () => {
      const { viewer, stream } = await connect();
      stream.giveCredit(streamLimits.credit);
      for (let sent = 0; sent < 2 * frames - 1; sent++) {
        await viewer.type(new Uint8Array(record.length - 16));
        await stream.typed();
      }
      await viewer.type(text('end'));
      expect(await stream.typed()).toEqual(text('end'));
    });
  });

  describe('a stream ends', () => {
    test.each([
      ['the role is lost', () => setRoles([])],
      [
        'the destination has other members',
        () => admin('PUT', `${destinations}/${destinationId}`, { displayName: 'others', host: 'web-01' }),
      ],
    ])('within 5 seconds when %s', async (_what, take) => {
      const at = destinationId;
      const before = (await admin('GET', `${destinations}/${at}`)).data as Item;
      const { viewer } = await connect();
      expect((await take()).status).toBe(200);
      await viewer.type(text('typing'));
      clock.advance(5_000);
      expect(await viewer.ended).toBe('FORBIDDEN');
      await gateway.next('detach');
      await admin('PUT', `${destinations}/${at}`, before);
      await setRoles(['greac:user']);
    });

    test('when the session is closed or left', async () => {
      const { sessionId, viewer } = await connect();
      const other = await view(sessionId, admin);
      await member('POST', `${sessions}/${sessionId}/leave`);
      expect(await viewer.ended).toBe('SESSION_CLOSED');
      await admin('POST', `${sessions}/${sessionId}/close`);
      expect(await other.ended).toBe('SESSION_CLOSED');
      expect(await gateway.next('close')).toEqual({ type: 'close', sessionId });
    });

    test('by the gateway, after what a session that is over has shown', async () => {
      const { sessionId, viewer, stream, channel } = await connect();
      gateway.send({ type: 'ended', sessionId, reason: 'ended' });
      await server!.settled();
      expect(await show(sessionId)).toMatchObject({ status: 'closed', closeReason: 'remote' });
      // Rights are checked meanwhile.
      clock.advance(5_000);
      await server!.settled();
      await stream.show(text('the last line'));
      expect(await viewer.shown()).toEqual(text('the last line'));
      gateway.sendFrame(encodeFrame('end', channel, new Uint8Array()));
      expect(await viewer.ended).toBe('SESSION_CLOSED');
    });

    test('with the reason of the gateway, which closes the session', async () => {
      const { sessionId, viewer, stream, channel } = await connect();
      gateway.send({ type: 'failed', sessionId, code: 'SIGN_IN_FAILED', params: { user: 'ops' } });
      await stream.show(text('why'));
      gateway.sendFrame(encodeFrame('end', channel, new Uint8Array()));
      expect(await viewer.shown()).toEqual(text('why'));
      expect(await viewer.ended).toBe('SIGN_IN_FAILED');
      await server!.settled();
      expect(await show(sessionId)).toMatchObject({
        closeReason: 'failed',
        failure: { code: 'SIGN_IN_FAILED', params: { user: 'ops' } },
        connectedAt: null,
      });
    });

    test('with the reason of a gateway that refuses to open the session', async () => {
      const sessionId = await openSession();
      const viewer = await view(sessionId);
      await gateway.next('open');
      const { viewerId } = await gateway.next('attach');
      gateway.send({ type: 'failed', sessionId, code: 'LOG_KEY_NOT_ALLOWED' });
      gateway.send({ type: 'detached', sessionId, viewerId, code: 'SESSION_CLOSED' });
      expect(await viewer.ended).toBe('LOG_KEY_NOT_ALLOWED');
    });

    test('by the server, if the gateway does not end the stream of a session that is over', async () => {
      const { sessionId, viewer } = await connect();
      gateway.send({ type: 'ended', sessionId, reason: 'disconnected' });
      await server!.settled();
      clock.advance(sessionEndMs + 5_000);
      expect(await viewer.ended).toBe('SESSION_CLOSED');
    });

    test('when the viewer says something else than the protocol', async () => {
      const { viewer } = await connect();
      viewer.sendFrame(encodeFrame('data', viewerChannel, new Uint8Array()));
      expect(await viewer.ended).toBe('PROTOCOL');
      const second = await connect();
      second.viewer.sendFrame(encodeFrame('control', viewerChannel, text('{}')));
      expect(await second.viewer.ended).toBe('PROTOCOL');
    });
  });

  test('a gateway that connects again keeps its sessions, and viewers attach again', async () => {
    const { sessionId, viewer } = await connect();
    const lost = await connect();
    const unknown = server!.services.nextId();
    const held = [sessionId, unknown].map((id) => ({ sessionId: id, state: 'connected' as const }));
    const before = gateway;
    gateway = await connectGateway({ origin: server!.origin, machine, sessions: held });
    expect(await before.closed).toBe(4009);
    expect([await viewer.ended, await lost.viewer.ended]).toEqual(['GATEWAY_AWAY', 'GATEWAY_AWAY']);
    expect(await gateway.next('close')).toEqual({ type: 'close', sessionId: unknown });
    await server!.settled();
    expect(await show(lost.sessionId)).toMatchObject({ status: 'closed', closeReason: 'disconnected' });
    expect(await show(sessionId)).toMatchObject({ status: 'opened', connectedAt: expect.any(String) });
    const again = await view(sessionId);
    const stream = await gateway.accept(await gateway.next('attach'));
    await stream.show(text('as it was'));
    expect(await again.shown()).toEqual(text('as it was'));
  });

  test('a session whose gateway connects anew before it was ordered is opened by the new connection', async (context) => {
    if (engine === 'embedded') return context.skip();
    const sessionId = await openSession();
    const before = gateway;
    await whileAssigning(sessionId, async (viewer) => {
      gateway = await connectGateway({ origin: server!.origin, machine });
      expect([await before.closed, await viewer.ended]).toEqual([4009, 'GATEWAY_AWAY']);
    });
    await view(sessionId);
    expect(await gateway.next('open')).toMatchObject({ sessionId });
  });

  test('a session is opened with the settings that its destination has when it is ordered', async (context) => {
    if (engine === 'embedded') return context.skip();
    const credentials = `/api/apps/kroker/krokers/${machine.krokerId}/credentials`;
    const store = async (displayName: string, username: string) => {
      const secret = { credentialType: 'password', username, password: 'p' } as const;
      const encryptedData = await encryptCredential(secret, machine);
      return { encryptedData, id: (await make(credentials, { displayName, encryptedData })).credentialId };
    };
    const [old, latest] = [await store('old', 'before'), await store('latest', 'after')];
    const made = await makeDestination({ credentialId: old.id });
    const at = String(made.destinationId);
    const change = async (more: Item) => {
      const { displayName, members } = made;
      const settings = { displayName, members, host: 'web-02.example.com', ...more };
      expect((await admin('PUT', `${destinations}/${at}`, settings)).status).toBe(200);
    };
    await whileAssigning(await openSession(at), async () => {
      await change({ krokerId: machine.krokerId, credentialId: latest.id });
      expect((await admin('DELETE', `${credentials}/${old.id}`)).status).toBe(200);
    });
    expect(await gateway.next('open')).toMatchObject({
      host: 'web-02.example.com',
      credential: latest.encryptedData,
    });
    const other = await setUpKroker(await server!.signedIn('privileged'), { displayName: 'Sendai' });
    let viewer: TestViewer | undefined;
    await whileAssigning(await openSession(at), async (waiting) => {
      viewer = waiting;
      await change({ krokerId: other.krokerId });
    });
    expect(await viewer!.ended).toBe('GATEWAY_AWAY');
  });

  test('a session that its gateway does not hold any more is closed when a viewer attaches', async () => {
    const sessionId = await openSession();
    await server!.services.database.query('update greac_session set kroker_id = $2 where session_id = $1', [
      sessionId,
      machine.krokerId,
    ]);
    expect(await (await view(sessionId)).ended).toBe('SESSION_CLOSED');
    expect(await show(sessionId)).toMatchObject({ status: 'closed', closeReason: 'disconnected' });
  });

  test('a hundred sessions at once: as many as the limit are opened, the others are refused', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 100; made++) ids.push(await openSession());
    const attachments = await Promise.all(ids.map((sessionId) => attach(sessionId)));
    const opened = await Promise.all(
      ids.map((sessionId, at) =>
        openViewer({ origin: server!.origin, sessionId, attachment: attachments[at]! }),
      ),
    );
    viewers.push(...opened);
    let refused = 0;
    for (const viewer of opened)
      void viewer.ended.then((code) => {
        if (code === 'CONNECTION_LIMIT_REACHED') refused++;
      });
    await expect.poll(() => refused, { timeout: 30_000 }).toBe(100 - sessionLimits.perGateway);
    for (let at = 0; at < sessionLimits.perGateway; at++) await gateway.next('open');
    const reply = await member('POST', `${sessions}/${await openSession()}/attach`);
    expect([reply.status, (reply.data as ProblemBody).title]).toEqual([429, 'CONNECTION_LIMIT_REACHED']);
  });

  test('a stream is forwarded to the replica with the connection of the gateway', async (context) => {
    if (engine === 'embedded') return context.skip();
    const replica = await server!.startReplica();
    const sessionId = await openSession();
    // Replicas have the same public origin, and each its own port.
    const { port } = replica.spaces()[0]!.app.server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const person = await server!.signedIn(['greac:user']);
    const there = createApiCall({ ...person, origin });
    expect(await there('POST', `${sessions}/${sessionId}/attach`)).toMatchObject({
      status: 503,
      data: { title: 'GATEWAY_AWAY', detail: expect.stringContaining('YAGURA_REPLICA_URL') },
    });
    await server!.services.database.query('update kroker_connection set replica_url = $1', [server!.origin]);
    const attachment = (await make(
      `${sessions}/${sessionId}/attach`,
      {},
      there,
    )) as unknown as SessionAttachment;
    const viewer = await openViewer({ origin, sessionId, attachment });
    viewers.push(viewer);
    const stream = await gateway.accept(await gateway.next('attach'));
    await viewer.type(text('from afar'));
    expect(await stream.typed()).toEqual(text('from afar'));
    await stream.show(text('櫓'));
    expect(await viewer.shown()).toEqual(text('櫓'));
    await admin('POST', `${sessions}/${sessionId}/close`);
    expect(await viewer.ended).toBe('SESSION_CLOSED');
    // Who reconnects after that learns it by the code.
    expect(await there('POST', `${sessions}/${sessionId}/attach`)).toMatchObject({
      status: 409,
      data: { title: 'SESSION_CLOSED' },
    });
    const used = openViewer({ origin, sessionId: await openSession(), attachment });
    await expect(used).rejects.toThrow('status 401');
  });

  test('a replica that forwards a stream does not answer for a viewer that is gone', async (context) => {
    if (engine === 'embedded') return context.skip();
    const replica = await server!.startReplica();
    await server!.services.database.query('update kroker_connection set replica_url = $1', [server!.origin]);
    const sessionId = await openSession();
    const { port } = replica.spaces()[0]!.app.server.address() as AddressInfo;
    const open = async () => {
      const origin = `http://127.0.0.1:${port}`;
      const opened = await openViewer({ origin, sessionId, attachment: await attach(sessionId) });
      viewers.push(opened);
      await gateway.next('attach');
      return opened;
    };
    const [gone, other] = [await open(), await open()];
    gone.fallSilent();
    await other.heartbeat();
    for (let beat = 0; beat < 5; beat++) {
      clock.advance(streamHeartbeatMs);
      await other.heartbeat();
    }
    expect(await gateway.next('detach')).toMatchObject({ viewerId: gone.viewerId });
  });

  test('a stream with an address that no replica has signed is refused', async () => {
    const sessionId = await openSession();
    const attachment = await attach(sessionId);
    const headers = { 'x-yagura-viewer': `192.0.2.1 ${clock.now() + 1000} AAAA` };
    await expect(openViewer({ origin: server!.origin, sessionId, attachment, headers })).rejects.toThrow(
      'status 403',
    );
  });

  test('files are listed by the gateway', async () => {
    const person = createApiCall(await server!.signedIn(['greac:user']));
    const { sessionId } = await connect();
    const path = `/api/internal/apps/greac/storage/${sessionId}/files?path=/srv`;
    const answered = person('GET', path);
    const { requestId, path: asked } = await gateway.next('list-files');
    expect(asked).toBe('/srv');
    const items = [{ name: '日報.txt', kind: 'file', size: 3, modifiedAt: null }];
    gateway.send({ type: 'files', requestId, items, isTruncated: false });
    expect((await answered).data).toEqual({ items, isTruncated: false });
    const refused = person('GET', path);
    gateway.send({
      type: 'files-failed',
      requestId: (await gateway.next('list-files')).requestId,
      code: 'EACCES',
    });
    expect(await refused).toMatchObject({ status: 404, data: { detail: expect.stringContaining('EACCES') } });
  });
});
