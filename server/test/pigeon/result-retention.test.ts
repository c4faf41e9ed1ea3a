// How long call results are kept, on a test clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const dayMs = 86_400_000;
const path = '/api/apps/pigeon/result-retention';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let admin: ApiCall;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) admin = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const database = () => server!.services.database;
  const run = () => server!.services.resultRetention.runNow();

  /** A result with a call, started by an action; ended now, or still in progress. */
  async function addResult(isEnded = true): Promise<{ resultId: string; actionRecordId: string }> {
    const { spaceId, nextId } = server!.services;
    const [resultId, actionRecordId, now] = [nextId(), nextId(), isoTime(clock.now())];
    await database().query(
      `insert into action_record (action_record_id, space_id, action_id, scope_id, trigger_id, event_id, kind, status,
         delivery_id, request, missing, result_id, created_at, updated_at)
       values ($1, $2, $3, $3, $3, $3, 'pigeon', 'succeeded', '', '{}', '[]', $4, $5, $5)`,
      [actionRecordId, spaceId, nextId(), resultId, now],
    );
    await database().query(
      `insert into pigeon_chain (result_id, space_id, status, callflow, guidance, parameters, message, line, source, loop,
         number_of_calls, plan, state, action_record_id, ended_at, created_at, updated_at)
       values ($1, $2, $3, $4, $4, '{}', '', 'simulator', 'action', 1, 1, '{}', '{}', $5, $6, $7, $7)`,
      [
        ...[
          resultId,
          spaceId,
          isEnded ? 'succeeded' : 'processing',
          '{"displayName":"night"}',
          actionRecordId,
        ],
        ...[isEnded ? now : null, now],
      ],
    );
    await database().query(
      `insert into pigeon_call (call_id, space_id, result_id, number, loop, contact, phone_number, status, transfer, readings,
         started_at) values ($1, $2, $3, 1, 1, '{}', '0312345600', 'answered', false, 1, $4)`,
      [nextId(), spaceId, resultId, now],
    );
    return { resultId, actionRecordId };
  }
  const isThere = async ({ resultId }: { resultId: string }) =>
    (await admin('GET', `/api/apps/pigeon/results/${resultId}`)).status === 200;
  const callsOf = async ({ resultId }: { resultId: string }) =>
    (await database().query('select 1 from pigeon_call where result_id = $1', [resultId])).rows.length;
  const linkOf = async ({ actionRecordId }: { actionRecordId: string }) =>
    (
      await database().query('select result_id from action_record where action_record_id = $1', [
        actionRecordId,
      ])
    ).rows[0]!.result_id;

  test('results are kept until a retention is set, and then go with their calls and the links to them', async () => {
    const [old, open] = [await addResult(), await addResult(false)];
    clock.sleep(40 * dayMs);
    const recent = await addResult();
    await run();
    expect(await isThere(old)).toBe(true);

    expect((await admin('PUT', path, { resultDays: 30 })).status).toBe(200);
    await run();
    expect([await isThere(old), await callsOf(old), await linkOf(old)]).toEqual([false, 0, null]);
    for (const kept of [open, recent])
      expect([await isThere(kept), await callsOf(kept), await linkOf(kept)]).toEqual([
        true,
        1,
        kept.resultId,
      ]);
    expect((await admin('GET', path)).data).toMatchObject({
      ...{ resultDays: 30, lastRunAt: isoTime(clock.now()), removedResults: 1 },
    });
    const records = await admin('GET', '/api/space/audit-records?limit=20');
    expect((records.data as { items: object[] }).items).toContainEqual(
      expect.objectContaining({ action: 'remove-expired', resource: 'result-retention', outcome: 'done' }),
    );
  });
});
