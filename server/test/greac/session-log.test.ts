// Recordings: uploaded by a gateway in chunks, sealed with its signature, listed with a verdict for auditors.
import { createHash } from 'node:crypto';
import { judgeLog } from '@yagura/core/greac/log-judgement';
import type { SessionAttachment, SessionLogParts } from '@yagura/core/greac/session';
import { encodeFrame, firstGatewayChannel, readReset, streamLimits } from '@yagura/core/greac/stream/frame';
import {
  type LogEnd,
  type LogSeal,
  partDigestsBytes,
  streamCodes,
} from '@yagura/core/greac/stream/gateway-protocol';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway, createSigningPair, type TestGateway } from '@yagura/fixtures/testbed/test-gateway';
import { openViewer } from '@yagura/fixtures/testbed/test-viewer';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
const sessions = '/api/apps/greac/sessions';
const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:10:00.000Z' };

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  let auditor: ApiCall;
  let machine: KrokerMachine;
  let gateway: TestGateway;
  let destinationId: string;
  let keyId: string;
  let privateKey: string;
  const signingPair = createSigningPair();

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    const owner = await server.signedIn('privileged');
    admin = createApiCall(owner);
    auditor = createApiCall(await server.signedIn(['greac:auditor']));
    machine = await setUpKroker(owner, { displayName: 'Kobe' });
    gateway = await connectGateway({ origin: server.origin, machine, signingPair });
    const stored = await make('/api/apps/greac/destinations', {
      displayName: 'web',
      host: 'web-01',
      krokerId: machine.krokerId,
    });
    destinationId = String(stored.destinationId);
    privateKey = await generateX25519Identity();
    const publicKey = await identityToRecipient(privateKey);
    keyId = String((await make('/api/apps/greac/log-keys/refresh', { publicKey })).keyId);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function make(path: string, body: Item): Promise<Item> {
    const reply = await admin('POST', path, body);
    expect([200, 201], reply.text).toContain(reply.status);
    return reply.data as Item;
  }
  async function recorded(): Promise<string> {
    const sessionId = String((await make(sessions, { destinationId })).sessionId);
    const attachment = (await make(`${sessions}/${sessionId}/attach`, {})) as unknown as SessionAttachment;
    await openViewer({ origin: server!.origin, sessionId, attachment });
    expect((await gateway.next('open')).recording).toMatchObject({ keyId });
    return sessionId;
  }
  const text = async (sessionId: string, chunk: number, body: Uint8Array, part = 1) => {
    gateway.sendChunk({ sessionId, keyId, kind: 'text', part, chunk }, body);
    expect(await gateway.next('stored')).toEqual({ type: 'stored', sessionId, kind: 'text', part, chunk });
  };
  const sealOf = (sessionId: string, bodies: readonly Uint8Array[], part = 1): LogSeal => ({
    ...{ sessionId, kind: 'text', part, chunks: bodies.length },
    bytes: bodies.reduce((sum, { length }) => sum + length, 0),
    digest: createHash('sha256').update(Buffer.concat(bodies)).digest('base64url'),
    ...times,
  });
  const seal = async (of: LogSeal, signature?: string) => {
    gateway.sendSeal(of, signature);
    const { sessionId, part } = of;
    expect(await gateway.next('stored')).toEqual({
      type: 'stored',
      sessionId,
      kind: 'text',
      part,
      chunk: null,
    });
  };
  const endOf = (seals: readonly LogSeal[]): LogEnd => ({
    ...{ sessionId: seals[0]!.sessionId, kind: 'text', parts: seals.length, reason: 'ended' },
    bytes: seals.reduce((sum, { bytes }) => sum + bytes, 0),
    digest: createHash('sha256')
      .update(partDigestsBytes(seals.map(({ digest }) => digest)))
      .digest('base64url'),
    endedAt: times.endedAt,
  });
  const end = async (of: LogEnd, signature?: string) => {
    gateway.sendEnd(of, signature);
    const { sessionId, kind } = of;
    expect(await gateway.next('log-end-stored')).toEqual({ type: 'log-end-stored', sessionId, kind });
  };
  const logOf = async (sessionId: string) => {
    const reply = await auditor('GET', `/api/internal/apps/greac/sessions/${sessionId}/log-parts`);
    expect(reply.status, reply.text).toBe(200);
    return reply.data as SessionLogParts;
  };
  const partsOf = async (sessionId: string) => (await logOf(sessionId)).items;
  /** What an auditor is told of the whole log, as `verdict fault parts`. */
  const judgementOf = async (sessionId: string) => {
    const { verdict, fault, parts } = await judgeLog('text', await logOf(sessionId));
    return `${verdict} ${fault} ${parts}`;
  };
  const verdictOf = async (sessionId: string) => (await partsOf(sessionId)).map(({ verdict }) => verdict);
  const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

  test('a recording of many chunks is read in their order', async () => {
    const sessionId = await recorded();
    const bodies = Array.from({ length: 40 }, (_, index) => bytes(3, index));
    // Uploaded from the last to the first.
    for (const [chunk, body] of [...bodies.entries()].reverse()) await text(sessionId, chunk, body);
    await seal(sealOf(sessionId, bodies));
    await admin('POST', `${sessions}/${sessionId}/close`);
    expect(await verdictOf(sessionId)).toEqual(['complete']);
  });

  test('a recording is uploaded, sealed, and decrypted by the holder of the key alone', async () => {
    const sessionId = await recorded();
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(privateKey));
    const body = await encrypter.encrypt(`$ uptime\n${'x'.repeat(streamLimits.logChunk)}`);
    const chunks = [body.subarray(0, streamLimits.logChunk), body.subarray(streamLimits.logChunk)];
    await text(sessionId, 0, chunks[0]!);
    expect(await verdictOf(sessionId)).toEqual(['open']);
    // Sent again, because the confirmation was lost; the first one stays.
    await text(sessionId, 0, bytes(10, 1));
    await text(sessionId, 1, chunks[1]!);
    await seal(sealOf(sessionId, chunks));
    await admin('POST', `${sessions}/${sessionId}/close`);
    const [part] = await partsOf(sessionId);
    expect(part).toMatchObject({
      ...{ kind: 'text', part: 1, keyId, chunks: 2, bytes: body.length, verdict: 'complete' },
      seal: { ...times, signingKey: gateway.signingKey },
    });
    const path = `${server!.origin}/api/internal/apps/greac/sessions/${sessionId}/text-log`;
    const { accessToken } = await server!.signedIn(['greac:auditor']);
    const reply = await fetch(path, {
      headers: { authorization: `Bearer ${accessToken}`, 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(reply.headers.get('x-log-key')).toBe(keyId);
    const decrypter = new Decrypter();
    decrypter.addIdentity(privateKey);
    const log = await decrypter.decrypt(new Uint8Array(await reply.arrayBuffer()), 'text');
    expect(log.slice(0, 9)).toBe('$ uptime\n');
    const other = await auditor('GET', `/api/internal/apps/greac/sessions/${sessionId}/text-log?part=2`);
    expect(other.status).toBe(404);
  });

  describe('a verdict names a part', () => {
    const change = (sql: string, sessionId: string) => server!.services.database.query(sql, [sessionId]);
    const chunks = [bytes(10, 1), bytes(20, 2), bytes(30, 3)];
    async function sealed(signature?: string): Promise<string> {
      const sessionId = await recorded();
      for (const [chunk, body] of chunks.entries()) await text(sessionId, chunk, body);
      await seal(sealOf(sessionId, chunks), signature);
      return sessionId;
    }

    test.each([
      [
        'altered',
        'with a changed chunk',
        `update greac_log_chunk set body = set_byte(body, 0, 9) where session_id = $1`,
      ],
      ['cut', 'without its last chunk', 'delete from greac_log_chunk where session_id = $1 and chunk = 2'],
      [
        'cut',
        'without a chunk in between',
        'delete from greac_log_chunk where session_id = $1 and chunk = 1',
      ],
      ['cut', 'without any chunk', 'delete from greac_log_chunk where session_id = $1'],
      [
        'altered',
        'with a longer chunk',
        `update greac_log_chunk set body = body || '\\x00' where session_id = $1 and chunk = 1`,
      ],
      [
        'unverified',
        'whose seal was changed',
        'update greac_log_seal set bytes = bytes + 1 where session_id = $1',
      ],
    ])('%s: %s', async (verdict, _what, sql) => {
      const sessionId = await sealed();
      expect(await verdictOf(sessionId)).toEqual(['complete']);
      await change(sql, sessionId);
      expect(await verdictOf(sessionId)).toEqual([verdict]);
    });

    test('unverified: signed by somebody else', async () => {
      expect(await verdictOf(await sealed(Buffer.alloc(64).toString('base64url')))).toEqual(['unverified']);
    });

    test('cut: never sealed, after another part began or the session was closed', async () => {
      const sessionId = await recorded();
      await text(sessionId, 0, chunks[0]!);
      await text(sessionId, 0, chunks[1]!, 2);
      expect(await verdictOf(sessionId)).toEqual(['cut', 'open']);
      await admin('POST', `${sessions}/${sessionId}/close`);
      expect(await verdictOf(sessionId)).toEqual(['cut', 'cut']);
    });
  });

  describe('the verdict on a log covers all of it', () => {
    const change = (sql: string, ...values: unknown[]) => server!.services.database.query(sql, values);
    /** A closed session with a log of three parts and its end. */
    async function ended(signature?: string): Promise<string> {
      const sessionId = await recorded();
      const seals: LogSeal[] = [];
      for (const part of [1, 2, 3]) {
        const body = bytes(10 * part, part);
        await text(sessionId, 0, body, part);
        seals.push(sealOf(sessionId, [body], part));
        await seal(seals.at(-1)!);
      }
      expect(await judgementOf(sessionId)).toBe('open null 1,2,3');
      await end(endOf(seals), signature);
      await admin('POST', `${sessions}/${sessionId}/close`);
      return sessionId;
    }
    const drop = async (sessionId: string, part: number) => {
      for (const table of ['greac_log_chunk', 'greac_log_seal'])
        await change(`delete from ${table} where session_id = $1 and part = $2`, sessionId, part);
    };

    test.each([1, 2, 3])('cut: part %i was dropped', async (part) => {
      const sessionId = await ended();
      expect(await judgementOf(sessionId)).toBe('complete null 1,2,3');
      await drop(sessionId, part);
      expect(await verdictOf(sessionId)).toEqual(['complete', 'complete']);
      expect(await judgementOf(sessionId)).toBe(`cut parts ${part}`);
    });

    test.each([
      ['cut end ', 'its end was removed', 'delete from greac_log_end where session_id = $1'],
      [
        'altered parts 2',
        'a part was altered',
        'update greac_log_chunk set body = set_byte(body, 0, 9) where session_id = $1 and part = 2',
      ],
      [
        'unverified end ',
        'its end was changed to fewer parts',
        'update greac_log_end set parts = 2 where session_id = $1',
      ],
    ])('%s: %s', async (expected, _what, sql) => {
      const sessionId = await ended();
      await change(sql, sessionId);
      expect(await judgementOf(sessionId)).toBe(expected);
    });

    test('unverified: the end was signed by somebody else', async () => {
      expect(await judgementOf(await ended(Buffer.alloc(64).toString('base64url')))).toBe('unverified end ');
    });

    test('unverified: two logs have the ends of each other', async () => {
      const [one, other] = [await ended(), await ended()];
      await change(
        `update greac_log_end e set (parts, bytes, digest, reason, ended_at, signature) =
           (select parts, bytes, digest, reason, ended_at, signature from greac_log_end o where o.session_id =
             case when e.session_id = $1 then $2::uuid else $1::uuid end)
         where session_id in ($1, $2)`,
        ...[one, other],
      );
      for (const sessionId of [one, other]) expect(await judgementOf(sessionId)).toBe('unverified end ');
    });

    test('the first end stays, and a foreign one is not taken', async () => {
      const sessionId = await ended();
      await end({ ...endOf([sealOf(sessionId, [bytes(10, 1)])]), reason: 'failed' });
      expect((await logOf(sessionId)).ends).toMatchObject([{ parts: 3, reason: 'ended', isSigned: true }]);
      const foreign = String((await make(sessions, { destinationId })).sessionId);
      gateway.sendEnd(endOf([sealOf(foreign, [bytes(10, 1)])]));
      const refused = { type: 'log-refused', sessionId: foreign, kind: 'text' };
      expect(await gateway.next('log-refused')).toEqual({ ...refused, part: null });
      gateway.sendSeal(sealOf(foreign, [bytes(10, 1)]));
      expect(await gateway.next('log-refused')).toEqual({ ...refused, part: 1 });
      await end(endOf([sealOf(sessionId, [bytes(10, 1)])]));
      expect((await logOf(foreign)).ends).toEqual([]);
    });
  });

  test('a gateway writes the logs of its own sessions only, in chunks of limited size', async () => {
    const sessionId = String((await make(sessions, { destinationId })).sessionId);
    gateway.sendChunk({ sessionId, keyId, kind: 'text', part: 1, chunk: 0 }, bytes(10, 1));
    const foreign = await gateway.nextFrame();
    expect([foreign.kind, readReset(foreign)]).toEqual(['reset', streamCodes.SESSION_CLOSED]);
    const own = await recorded();
    gateway.sendChunk(
      { sessionId: own, keyId, kind: 'text', part: 1, chunk: 0 },
      bytes(streamLimits.logChunk + 1, 1),
    );
    const tooLong = await gateway.nextFrame();
    expect(readReset(tooLong)).toBe(streamCodes.CREDIT_EXCEEDED);
    const { rows } = await server!.services.database.query(
      'select 1 from greac_log_chunk where session_id = any($1::uuid[])',
      [[sessionId, own]],
    );
    expect(rows).toEqual([]);
  });

  test('a gateway may upload as soon as it is welcomed, while sessions of before are still being ended', async () => {
    const ids: string[] = [];
    // Each is ended by a transaction of its own.
    for (let count = 0; count < 8; count++) ids.push(await recorded());
    await gateway.close();
    gateway = await connectGateway({ origin: server!.origin, machine, signingPair });
    await text(ids[0]!, 0, new TextEncoder().encode('kept by the gateway'));
    for (const id of ids)
      expect((await admin('GET', `${sessions}/${id}`)).data).toMatchObject({ status: 'closed' });
  });

  test('a log key made elsewhere is checked, and has no private key here', async () => {
    const refresh = (publicKey: string) => admin('POST', '/api/apps/greac/log-keys/refresh', { publicKey });
    const recipient = await identityToRecipient(privateKey);
    for (const wrong of [
      'age1',
      `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`,
      privateKey,
    ])
      expect(await refresh(wrong)).toMatchObject({
        status: 400,
        data: { invalidParams: [{ name: 'publicKey' }] },
      });
    const key = (await refresh(recipient)).data as Item;
    expect(key).toMatchObject({ publicKey: recipient, hasPrivateKey: false });
    expect((await auditor('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`)).status).toBe(404);
  });

  test.each([
    ['a frame of an unknown kind', Uint8Array.of(9, 0, 0, 0, 0)],
    ['control on a channel', encodeFrame('control', 1, new TextEncoder().encode('{}'))],
    ['no JSON', encodeFrame('control', 0, new TextEncoder().encode('{'))],
    [
      'a log on a channel of the server',
      encodeFrame(
        'control',
        0,
        new TextEncoder().encode(
          JSON.stringify({
            ...{
              type: 'log',
              sessionId: '0190a0a0-0000-7000-8000-000000000001',
              kind: 'text',
              part: 1,
              chunk: 0,
            },
            ...{ keyId: '0190a0a0-0000-7000-8000-000000000002', channel: firstGatewayChannel - 1 },
          }),
        ),
      ),
    ],
  ])('the connection of a gateway ends after %s', async (_what, frame) => {
    const wrong = await connectGateway({ origin: server!.origin, machine, signingPair });
    wrong.sendFrame(frame);
    expect(await wrong.closed).toBe(4002);
  });

  test('a late notice of an earlier connection leaves the gateway connected', async () => {
    const gateway = await connectGateway({ origin: server!.origin, machine, signingPair });
    const { database, gateways } = server!.services;
    await gateways.idle();
    const earlier = { krokerId: machine.krokerId, connectionId: '0190a0a0-0000-7000-8000-000000000001' };
    let onHeard = () => {};
    const heard = new Promise<void>((resolve) => {
      onHeard = resolve;
    });
    const stop = await database.listen('yagura_gateway', (payload) => {
      if (payload.includes(earlier.connectionId)) onHeard();
    });
    await database.notify('yagura_gateway', JSON.stringify(earlier));
    await heard;
    await stop();
    gateway.sendFrame(Uint8Array.of(9, 0, 0, 0, 0));
    expect(await gateway.closed).toBe(4002);
  });
});
