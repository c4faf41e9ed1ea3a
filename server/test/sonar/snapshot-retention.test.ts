// How long snapshots are kept, and how deleted ones go, on a test clock.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { deleteRemovedSnapshots } from '../../src/sonar/snapshot-retention.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const dayMs = 86_400_000;
const path = '/api/apps/sonar/snapshot-retention';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let admin: ApiCall;
  let networkId: string;
  let networks = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) admin = createApiCall(server.transportAs('privileged'));
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    await admin('PUT', path, { snapshotDays: null });
    networkId = await addNetwork();
  });
  afterAll(() => server?.stop());

  const database = () => server!.services.database;
  const run = () => server!.services.snapshotRetention.runNow();
  const show = async () => (await admin('GET', path)).data as Record<string, unknown>;
  const base = () => `/api/apps/sonar/networks/${networkId}`;

  async function addNetwork(): Promise<string> {
    const made = await admin('POST', '/api/apps/sonar/networks', {
      displayName: `network ${++networks}`,
    });
    return String((made.data as { networkId: string }).networkId);
  }

  /** A snapshot of now with nodes, of a managed node each, and a refusal. */
  async function addSnapshot({ status = 'succeeded', nodes = 2 } = {}): Promise<string> {
    const { spaceId, nextId } = server!.services;
    const [id, now] = [nextId(), isoTime(clock.now())];
    await database().query(
      `insert into snapshot (snapshot_id, space_id, network_id, status, settings, heard_at, terminated_at, created_at, updated_at)
       values ($1, $2, $3, $4, '{}', $5, $5, $5, $5)`,
      [id, spaceId, networkId, status, now],
    );
    await database().query(
      `insert into snapshot_node (node_id, space_id, network_id, snapshot_id, chunk, place, managed_node_id, display_name,
         system_family, system_version, system_serial, vendor, facts, signatures, packages, windows_updates,
         number_of_addresses, number_of_packages, number_of_windows_updates, created_at)
       select gen_random_uuid(), $2, $3, $1, 0, place, gen_random_uuid(), 'host', 'linux', '', '', '', '{}', '[]', '[]', '[]',
         0, 0, 0, $4 from generate_series(1, $5::int) place`,
      [id, spaceId, networkId, now, nodes],
    );
    await database().query(
      `insert into snapshot_refusal (refusal_id, space_id, network_id, snapshot_id, chunk, place, addr, protocol, code, created_at)
       values (gen_random_uuid(), $2, $3, $1, 0, 0, '192.0.2.1', 'ssh', 'AUTH', $4)`,
      [id, spaceId, networkId, now],
    );
    return id;
  }
  /** Numbers of snapshots, nodes and refusals that are left of it, and whether they are still to be deleted. */
  async function leftOf(id: string): Promise<number[]> {
    const tables = ['snapshot', 'snapshot_node', 'snapshot_refusal', 'removed_snapshot'];
    const counts = tables.map(
      (table) => `(select count(*)::int from ${table} where snapshot_id = $1) as ${table}`,
    );
    const { rows } = await database().query<Record<string, number>>(`select ${counts.join(', ')}`, [id]);
    return tables.map((table) => rows[0]![table]!);
  }
  const gone = [0, 0, 0, 0];
  const whole = [1, 2, 1, 0];

  test.each([0, 3651, 1.5, '7'])('%j days are refused at their field', async (snapshotDays) => {
    const reply = await admin('PUT', path, { snapshotDays });
    expect([reply.status, reply.data]).toMatchObject([400, { invalidParams: [{ name: 'snapshotDays' }] }]);
  });

  test('snapshots are kept until a retention is set, and the latest successful one of a network after it', async () => {
    const old = await addSnapshot();
    clock.sleep(dayMs);
    const latest = await addSnapshot();
    const failed = await addSnapshot({ status: 'failed' });
    const running = await addSnapshot({ status: 'started' });
    clock.sleep(40 * dayMs);
    await run();
    expect(await leftOf(old)).toEqual(whole);
    expect(await show()).toMatchObject({ snapshotDays: null });

    const before = (await show()).removedSnapshots as number;
    await admin('PUT', path, { snapshotDays: 30 });
    await run();
    expect(await leftOf(old)).toEqual(gone);
    expect(await leftOf(failed)).toEqual(gone);
    expect(await leftOf(latest)).toEqual(whole);
    expect(await leftOf(running)).toEqual(whole);
    expect(await show()).toMatchObject({
      ...{ snapshotDays: 30, lastRunAt: isoTime(clock.now()), removedSnapshots: before + 2 },
    });
    const records = await admin('GET', '/api/space/audit-records?limit=20');
    expect((records.data as { items: object[] }).items).toContainEqual(
      expect.objectContaining({ action: 'remove-expired', resource: 'snapshot-retention', outcome: 'done' }),
    );

    const newer = await addSnapshot();
    await run();
    expect([await leftOf(latest), await leftOf(newer)]).toEqual([gone, whole]);
  });

  test('tasks of scans go with their snapshots, except for the last one of a schedule', async () => {
    const { spaceId, nextId } = server!.services;
    const addTask = async (method: string, status: 'failed' | 'started') => {
      const [id, now] = [nextId(), isoTime(clock.now())];
      await database().query(
        `insert into task (task_id, space_id, namespace, method, params, status, created_at, ended_at, updated_at)
         values ($1, $2, 'sonar', $3, '{}', $4, $5, $6, $5)`,
        [id, spaceId, method, status, now, status === 'failed' ? now : null],
      );
      return id;
    };
    const [ofSnapshot, without, last, running, other] = [
      await addTask('scan', 'failed'),
      await addTask('scan', 'failed'),
      await addTask('scan', 'failed'),
      await addTask('scan', 'started'),
      await addTask('other', 'failed'),
    ];
    const snapshotId = await addSnapshot();
    await database().query('update snapshot set task_id = $2 where snapshot_id = $1', [
      snapshotId,
      ofSnapshot,
    ]);
    await database().query(
      `insert into task_schedule (task_schedule_id, space_id, namespace, next_run_at, last_task_id) values ($1, $2, 'sonar', $3, $4)`,
      [nextId(), spaceId, isoTime(clock.now() + 365 * dayMs), last],
    );
    const left = async () =>
      (
        await database().query<{ id: string }>('select task_id as id from task order by created_at, task_id')
      ).rows.map(({ id }) => id);
    clock.sleep(40 * dayMs);
    await run();
    expect(await left()).toEqual([ofSnapshot, without, last, running, other]);
    await admin('PUT', path, { snapshotDays: 30 });
    await run();
    expect(await left()).toEqual([ofSnapshot, last, running, other]);
    await addSnapshot();
    await run();
    expect(await left()).toEqual([last, running, other]);
    await database().query("update task set status = 'failed' where task_id = $1", [running]);
  });

  test('a deleted snapshot is gone at once, and what was in it right afterwards', async () => {
    const [id, other] = [await addSnapshot({ nodes: 1200 }), await addSnapshot()];
    expect((await admin('DELETE', `${base()}/snapshots/${id}`)).status).toBe(200);
    expect((await admin('GET', `${base()}/snapshots/${id}/nodes`)).status).toBe(404);
    await run();
    expect([await leftOf(id), await leftOf(other)]).toEqual([gone, whole]);
  });

  test('the snapshots of a deleted network go with what was in them', async () => {
    const ids = [await addSnapshot(), await addSnapshot({ status: 'failed' })];
    expect((await admin('DELETE', base())).status).toBe(200);
    await run();
    for (const id of ids) expect(await leftOf(id)).toEqual(gone);
  });

  test('a deletion that is interrupted is continued', async () => {
    const id = await addSnapshot({ nodes: 600 });
    const { spaceId } = server!.services;
    await database().query(
      `with gone as (delete from snapshot where snapshot_id = $1)
       insert into removed_snapshot (snapshot_id, space_id) values ($1, $2)`,
      [id, spaceId],
    );
    let calls = 0;
    await deleteRemovedSnapshots(database(), spaceId, () => ++calls > 1);
    expect(await leftOf(id)).toEqual([0, 100, 1, 1]);
    await run();
    expect(await leftOf(id)).toEqual(gone);
  });

  test('a snapshot that the database refuses to delete does not hold up the others', async () => {
    const ids = [await addSnapshot(), await addSnapshot(), await addSnapshot(), await addSnapshot()];
    clock.sleep(31 * dayMs);
    await admin('PUT', path, { snapshotDays: 30 });
    await database().query(
      `create or replace function refuse_snapshot() returns trigger language plpgsql as
         $$ begin if old.snapshot_id = '${ids[1]}' then raise exception 'refused'; end if; return old; end $$`,
    );
    await database().query(
      'create trigger refuse_snapshot before delete on snapshot for each row execute function refuse_snapshot()',
    );
    await run();
    expect(await Promise.all(ids.map(leftOf))).toEqual([gone, whole, gone, whole]);
    await database().query('drop trigger refuse_snapshot on snapshot');
    clock.sleep(dayMs);
    await run();
    expect(await Promise.all(ids.map(leftOf))).toEqual([gone, gone, gone, whole]);
  });
});
