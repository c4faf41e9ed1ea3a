// How long logs of closed sessions are kept, on a test clock.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { deleteMarkedLogs } from '../../src/greac/log-retention.ts';
import { insertLogChunk, insertLogEnd, insertLogSeal } from '../../src/greac/session-log-store.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const dayMs = 86_400_000;
const path = '/api/apps/greac/log-retention';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let admin: ApiCall;
  let destinationId: string;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
    const body = { displayName: 'web', host: 'web-01' };
    const made = await admin('POST', '/api/apps/greac/destinations', body);
    destinationId = String((made.data as { destinationId: string }).destinationId);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const database = () => server!.services.database;
  const cleanup = () => server!.services.logRetention.runNow();
  const show = async () => (await admin('GET', path)).data as Record<string, unknown>;
  const numberOf = async (table: string, sessionId: string) =>
    (await database().query(`select 1 from ${table} where session_id = $1`, [sessionId])).rows.length;
  const sessionOf = async (sessionId: string) =>
    (await admin('GET', `/api/apps/greac/sessions/${sessionId}`)).data as Record<string, unknown>;

  /** A session with logs; closed unless it is still open. */
  async function recorded({ chunks = 3, isOpen = false } = {}): Promise<string> {
    const made = await admin('POST', '/api/apps/greac/sessions', { destinationId });
    const sessionId = String((made.data as { sessionId: string }).sessionId);
    for (let chunk = 0; chunk < chunks; chunk++) await addChunk(sessionId, chunk);
    await addSeal(sessionId);
    await addEnd(sessionId);
    if (!isOpen)
      expect((await admin('POST', `/api/apps/greac/sessions/${sessionId}/close`)).status).toBeLessThan(300);
    return sessionId;
  }
  const addChunk = (sessionId: string, chunk: number) =>
    insertLogChunk(
      database(),
      server!.services.spaceId,
      { sessionId, kind: 'text', part: 1, chunk, keyId: randomUUID() },
      new Uint8Array(10),
      isoTime(clock.now()),
    );
  const addSeal = (sessionId: string) =>
    insertLogSeal(
      database(),
      server!.services.spaceId,
      {
        ...{ sessionId, kind: 'text', part: 1, chunks: 3, bytes: 30, digest: '', startedAt: '', endedAt: '' },
        ...{ signature: '', signingKey: '' },
      },
      isoTime(clock.now()),
    );
  const addEnd = (sessionId: string) =>
    insertLogEnd(
      database(),
      server!.services.spaceId,
      {
        ...{ sessionId, kind: 'text', parts: 1, bytes: 30, digest: '', reason: 'ended', endedAt: '' },
        ...{ signature: '', signingKey: '' },
      },
      isoTime(clock.now()),
    );

  test.each([0, 3651, 1.5, '7'])('%j days are refused at their field', async (logDays) => {
    const reply = await admin('PUT', path, { logDays });
    expect([reply.status, reply.data]).toMatchObject([400, { invalidParams: [{ name: 'logDays' }] }]);
  });

  test('logs are kept until a retention is set, and then go with the age of their session', async () => {
    const [old, open] = [await recorded(), await recorded({ isOpen: true })];
    clock.sleep(40 * dayMs);
    const recent = await recorded();
    await cleanup();
    expect(await numberOf('greac_log_chunk', old)).toBe(3);
    expect(await show()).toMatchObject({ logDays: null, lastRunAt: null, removedSessions: 0 });

    expect((await admin('PUT', path, { logDays: 30 })).status).toBe(200);
    await cleanup();
    expect(await numberOf('greac_log_chunk', old)).toBe(0);
    expect(await numberOf('greac_log_seal', old)).toBe(0);
    expect(await numberOf('greac_log_end', old)).toBe(0);
    for (const kept of [open, recent]) expect(await numberOf('greac_log_chunk', kept)).toBe(3);
    expect(await sessionOf(old)).toMatchObject({
      ...{ status: 'closed', logs: { text: false, video: false }, logsDeletedAt: isoTime(clock.now()) },
    });
    expect(await sessionOf(recent)).toMatchObject({ logs: { text: true }, logsDeletedAt: null });
    expect(await show()).toMatchObject({ logDays: 30, lastRunAt: isoTime(clock.now()), removedSessions: 1 });
    const records = await admin('GET', '/api/space/audit-records?limit=20');
    expect((records.data as { items: object[] }).items).toContainEqual(
      expect.objectContaining({ action: 'remove-expired', resource: 'log-retention', outcome: 'done' }),
    );
    // A second run finds nothing more to count.
    await cleanup();
    expect(await show()).toMatchObject({ removedSessions: 1 });
    // What a gateway uploads afterwards is dropped.
    await addChunk(old, 7);
    await addSeal(old);
    await addEnd(old);
    expect(await numberOf('greac_log_chunk', old)).toBe(0);
    expect(await numberOf('greac_log_seal', old)).toBe(0);
    expect(await numberOf('greac_log_end', old)).toBe(0);
  });

  test('logs whose deletion was interrupted cannot be read, and the next run goes on', async () => {
    const sessionId = await recorded({ chunks: 250 });
    await database().query(
      'update greac_session set logs_deleted_at = now(), logs_leaving = true where session_id = $1',
      [sessionId],
    );
    let batches = 0;
    await deleteMarkedLogs(database(), sessionId, () => batches++ === 2);
    expect(await numberOf('greac_log_chunk', sessionId)).toBe(50);
    expect(await numberOf('greac_log_seal', sessionId)).toBe(1);
    expect(await sessionOf(sessionId)).toMatchObject({ logs: { text: false } });
    // Signed in now: the clock has gone on.
    const auditor = createApiCall(await server!.signedIn(['greac:auditor']));
    const parts = await auditor('GET', `/api/internal/apps/greac/sessions/${sessionId}/log-parts`);
    expect([parts.status, parts.data]).toEqual([200, { items: [], ends: [], isOpen: false }]);
    expect((await auditor('GET', `/api/internal/apps/greac/sessions/${sessionId}/text-log`)).status).toBe(
      404,
    );
    await cleanup();
    expect(await numberOf('greac_log_chunk', sessionId)).toBe(0);
    expect(await numberOf('greac_log_seal', sessionId)).toBe(0);
    expect(await numberOf('greac_log_end', sessionId)).toBe(0);
  });

  test('a session that the database refuses to change does not hold up the others', async () => {
    const ids = [await recorded(), await recorded(), await recorded()];
    clock.sleep(31 * dayMs);
    await admin('PUT', path, { logDays: 30 });
    await database().query(
      `create function refuse_log() returns trigger language plpgsql as
         $$ begin if old.session_id = '${ids[1]}' then raise exception 'refused'; end if; return old; end $$`,
    );
    await database().query(
      'create trigger refuse_log before delete on greac_log_chunk for each row execute function refuse_log()',
    );
    await cleanup();
    const left = () => Promise.all(ids.map((id) => numberOf('greac_log_chunk', id)));
    expect(await left()).toEqual([0, 3, 0]);
    await database().query('drop trigger refuse_log on greac_log_chunk');
    clock.sleep(dayMs);
    await cleanup();
    expect(await left()).toEqual([0, 0, 0]);
  });
});
