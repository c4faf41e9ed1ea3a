// A schedule, call chain or scan that the database rejects: the others are processed, also after a
// restart, and the bad one gets a reason or a later try.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient } from '../support/alert-client.ts';
import { makeScanSite } from '../support/scan-site.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

// Restarts take seconds when the machine is busy.
vi.setConfig({ testTimeout: 120_000 });

type Body = Record<string, unknown>;
const minute = 60_000;
const hour = 60 * minute;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock, env: { YAGURA_PIGEON_LINES: '1' } });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const database = () => server!.services.database;
  const rowsOf = async <T = Body>(text: string, values: unknown[] = []) =>
    (await database().query<T>(text, values)).rows;
  const make = async (path: string, body: Body) => {
    const reply = await caller.callApi('POST', path, { displayName: `made ${++count}`, ...body });
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  };

  test('schedules', async () => {
    const oneshot = new Date(clock.now() + minute).toISOString();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      const body = { namespace: 'sonar', method: 'resume', params: {}, oneshot };
      ids.push((await make('/api/tasks/schedules', body)).taskScheduleId!);
    }
    const end = await refuseRows(database, 'task', `new.task_schedule_id = '${ids[1]}'`);
    const runs = () =>
      Promise.all(
        ids.map(async (id) => (await rowsOf('select 1 from task where task_schedule_id = $1', [id])).length),
      );
    const troubles = () =>
      rowsOf(`select subject_id, reason->>'word' as word from trouble where kind = 'schedule'`);
    await caller.advanceUntil(runs, [1, 0, 1], minute);
    expect(await troubles()).toEqual([{ subject_id: ids[1], word: 'why.threw' }]);
    await server!.restart();
    await caller.advance(minute);
    expect(await runs()).toEqual([1, 0, 1]);
    await end();
    await caller.advanceUntil(runs, [1, 1, 1], hour);
    expect(await troubles()).toHaveLength(1);
  });

  /** Starts a call chain to a number; the only line is shared. */
  async function startChain(phoneNumber: string): Promise<string> {
    const pigeon = '/api/apps/pigeon';
    const { contactId } = await make(`${pigeon}/contacts`, { phones: [{ phoneNumber }] });
    const { callflowId } = await make(`${pigeon}/callflows`, { loopLimit: 1, contacts: [{ contactId }] });
    const { guidanceId } = await make(`${pigeon}/guidances`, {
      messageTemplate: 'text',
      reactions: { 1: { behavior: 'terminate', messageTemplate: 'Thank you' } },
    });
    const invoked = await caller.callApi('POST', `${pigeon}/chain/invoke`, {
      params: { callflowId, guidanceId },
    });
    expect(invoked.status, invoked.text).toBe(200);
    return (invoked.data as { resultId: string }).resultId;
  }
  const statesOf = async (ids: string[]) =>
    (
      await rowsOf<{ state: string }>(
        `select status || coalesce(' ' || reason, '') as state from pigeon_chain where result_id = any($1::uuid[])
         order by array_position($1::uuid[], result_id)`,
        [ids],
      )
    ).map(({ state }) => state);

  test('chains that cannot continue', async () => {
    const end = await refuseRows(database, 'pigeon_call', `new.phone_number = '0300000661'`);
    const ids = [
      await startChain('0300000001'),
      await startChain('0300000661'),
      await startChain('0300000001'),
    ];
    const ended = ['succeeded terminated', 'failed unforeseen', 'succeeded terminated'];
    await caller.advanceUntil(() => statesOf(ids), ended);
    await end();
    await server!.restart();
    await caller.advance(minute);
    expect(await statesOf(ids)).toEqual(ended);
  });

  test('chains whose state is damaged', async () => {
    const bad = await startChain('0300000001');
    await server!.settled();
    await database().query(
      `update pigeon_chain set state = '{"calls": 5}', plan = '[]' where result_id = $1`,
      [bad],
    );
    await server!.restart();
    const good = await startChain('0300000001');
    await caller.advanceUntil(() => statesOf([bad, good]), ['failed unforeseen', 'succeeded terminated']);
  });

  test('chains that can neither continue nor be failed', async () => {
    const end = await refuseRows(database, 'pigeon_chain', `new.plan::text like '%0300000662%'`, 'update');
    const bad = await startChain('0300000662');
    const good = await startChain('0300000001');
    await caller.advanceUntil(() => statesOf([bad, good]), ['waiting', 'succeeded terminated']);
    await server!.restart();
    const later = await startChain('0300000001');
    await caller.advanceUntil(() => statesOf([bad, later]), ['waiting', 'succeeded terminated']);
    await end();
    await caller.advanceUntil(() => statesOf([bad]), ['succeeded terminated'], minute);
  });

  test('sessions without participants', async () => {
    const labels = ['first', 'refused', 'last'];
    const end = await refuseRows(
      database,
      'greac_session',
      `new.remarks = 'refused' and (new.status = 'closed' or new.empty_since is not null)`,
      'update',
    );
    // Some are empty, and some have a participant who left without a word.
    await database().query(
      `with made as (
         insert into greac_session (session_id, space_id, destination_id, destination_name, protocol, remarks, status,
           opened_at, empty_since, created_at, updated_at)
         select gen_random_uuid(), $1, gen_random_uuid(), '', 'ssh', remarks, 'opened', $2, empty_since, $2, $2
         from unnest($3::text[]) as remarks, unnest(array[$2, null]::timestamptz[]) as empty_since
         returning session_id, space_id, empty_since
       )
       insert into greac_participant (session_id, space_id, user_id, joined_at, seen_at)
       select session_id, space_id, gen_random_uuid(), $2, $2 from made where empty_since is null`,
      [server!.services.spaceId, new Date(clock.now()).toISOString(), labels],
    );
    const states = () =>
      rowsOf<{ remarks: string; states: string }>(
        `select remarks, string_agg(status, ' ') as states from greac_session
         where remarks = any($1::text[]) group by 1
         order by array_position($1::text[], remarks)`,
        [labels],
      );
    const all = (state: string) => `${state} ${state}`;
    const expected = [
      { remarks: 'first', states: all('closed') },
      { remarks: 'refused', states: all('opened') },
      { remarks: 'last', states: all('closed') },
    ];
    const pass = (rows: typeof expected) => caller.advanceUntil(states, rows, minute);
    await pass(expected);
    await server!.restart();
    await caller.advance(minute);
    expect(await states()).toEqual(expected);
    await end();
    await pass(expected.map((row) => ({ ...row, states: all('closed') })));
  });

  test('sessions that no gateway holds any more', async () => {
    const labels = ['first absent', 'refused absent', 'last absent'];
    const end = await refuseRows(
      database,
      'greac_session',
      `new.remarks = 'refused absent' and new.status = 'closed'`,
      'update',
    );
    await database().query(
      `insert into greac_session (session_id, space_id, destination_id, destination_name, protocol, remarks, status,
         opened_at, created_at, updated_at, kroker_id)
       select gen_random_uuid(), $1, gen_random_uuid(), '', 'ssh', remarks, 'opened', $2, $2, $2, gen_random_uuid()
       from unnest($3::text[]) as remarks`,
      [server!.services.spaceId, new Date(clock.now()).toISOString(), labels],
    );
    const states = async () =>
      (
        await rowsOf<{ state: string }>(
          `select status || coalesce(' ' || close_reason, '') as state from greac_session
           where remarks = any($1::text[]) order by array_position($1::text[], remarks)`,
          [labels],
        )
      ).map(({ state }) => state);
    const expected = ['closed disconnected', 'opened', 'closed disconnected'];
    await caller.advanceUntil(states, expected, minute);
    await server!.restart();
    await caller.advance(minute);
    expect(await states()).toEqual(expected);
    await end();
    await caller.advanceUntil(states, expected.fill('closed disconnected'), minute);
  });

  test('scans whose agent is silent', async () => {
    const snapshots: string[] = [];
    for (let index = 0; index < 3; index++) {
      const site = await makeScanSite(server!, caller.callApi);
      const agent = await site.connect();
      snapshots.push((await site.begin(agent)).snapshotId);
      await agent.close();
    }
    const end = await refuseRows(
      database,
      'snapshot',
      `new.snapshot_id = '${snapshots[1]}' and new.status = 'failed'`,
    );
    const statuses = async () =>
      (
        await rowsOf<{ status: string }>(
          'select status from snapshot where snapshot_id = any($1::uuid[]) order by array_position($1::uuid[], snapshot_id)',
          [snapshots],
        )
      ).map(({ status }) => status);
    // The tasks run until their scans have ended, so nothing is settled before.
    const pass = (expected: string[]) =>
      expect
        .poll(
          () => {
            clock.advance(minute);
            return statuses();
          },
          { timeout: 30_000 },
        )
        .toEqual(expected);
    await pass(['failed', 'requested', 'failed']);
    await server!.restart();
    await pass(['failed', 'requested', 'failed']);
    await end();
    await pass(['failed', 'failed', 'failed']);
  });
});
