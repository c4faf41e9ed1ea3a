// Scans from the order to every possible end, through a real agent connection, on a test clock.
import type { TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import type { Change } from '../../src/db/change-bus.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { host, type Item, makeScanSite, type ScanSite, sendAsAgent } from '../support/scan-site.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let site: ScanSite;
  const agents: TestAgent[] = [];

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    site = await makeScanSite(server, callApi);
  });
  afterEach(async () => {
    const filter = encodeURIComponent('status eq "requested" or status eq "started"');
    const { data } = await callApi('GET', `/api/tasks?limit=1000&filter=${filter}`);
    for (const { taskId } of (data as { items: Item[] }).items)
      await callApi('POST', `/api/tasks/${taskId}/abort`);
    for (const agent of agents.splice(0)) await agent.close();
    await server?.services.ksocket.idle();
  });
  afterAll(() => server?.stop());

  const connect = async (of = site, scanning: string[] = []) => {
    const agent = await of.connect(scanning);
    agents.push(agent);
    return agent;
  };
  const task = async (taskId: unknown) => (await callApi('GET', `/api/tasks/${taskId}`)).data as Item;
  /** A task checks its scan when notified of its end, and every two seconds. */
  const taskEnds = (taskId: string, end: Item) =>
    expect
      .poll(async () => {
        clock.advance(2000);
        return task(taskId);
      })
      .toMatchObject(end);
  /** The server pings agents; time is advanced in steps small enough for them to respond. */
  const pass = async (milliseconds: number, agent?: TestAgent, snapshotId?: string) => {
    for (let at = 0; at < milliseconds; at += 15_000) {
      clock.advance(Math.min(15_000, milliseconds - at));
      if (agent && snapshotId) agent.send({ type: 'progress', snapshotId, probed: 1, toProbe: 4 });
      await server!.services.ksocket.idle();
    }
  };

  describe('a scan', () => {
    test('is ordered, tells its progress, and makes managed nodes of what was found', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'requested', startedAt: null });
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('a1'), host('a2')] });
      const progress = { probed: 1, toProbe: 4 };
      agent.send({ type: 'progress', snapshotId, ...progress });
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 1, hosts: [host('a3')] });
      const started = { status: 'started', ...progress, numberOfNodes: 3 };
      expect(await site.snapshot(snapshotId)).toMatchObject(started);
      clock.advance(2000);
      await expect.poll(async () => (await task(taskId)).status).toBe('started');
      expect(await site.nodes()).toEqual([]);
      await site.finish(agent, snapshotId, 2);
      await taskEnds(taskId, { status: 'succeeded', result: { snapshotId } });
      expect(await site.snapshot(snapshotId)).toMatchObject({
        status: 'succeeded',
        probed: 4,
        numberOfNodes: 3,
        numberOfAddresses: 3,
        numberOfCreatedNodes: 3,
        numberOfMergedNodes: 0,
        numberOfUnidentifiedNodes: 0,
      });
      expect((await site.nodes()).map((node) => node.displayName)).toEqual([
        'a1.example',
        'a2.example',
        'a3.example',
      ]);
    });

    test.each([
      [3, 'Results are missing: 2 of 3 messages have arrived'],
      [1, 'Results are missing: 2 of 1 messages have arrived'],
    ])(
      'of which %i chunks were announced and two arrived has failed and leaves no nodes',
      async (chunks, reason) => {
        const agent = await connect();
        const { taskId, snapshotId } = await site.begin(agent);
        for (const chunk of [0, 1])
          await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk, hosts: [host(`b${chunk}`)] });
        expect(await sendAsAgent(agent, { type: 'done', snapshotId, chunks })).toEqual({
          type: 'closed',
          snapshotId,
        });
        expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'failed', reason });
        await taskEnds(taskId, { status: 'failed', errorDescriptor: { detail: reason } });
        expect(await site.nodes()).toEqual([]);
      },
    );

    test('takes a chunk that comes again once, as it came first', async () => {
      const agent = await connect();
      const { snapshotId } = await site.begin(agent);
      for (const serial of ['c1', 'c2'])
        expect(
          await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host(serial)] }),
        ).toEqual({
          type: 'stored',
          snapshotId,
          chunk: 0,
        });
      await site.finish(agent, snapshotId, 1);
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'succeeded', numberOfNodes: 1 });
      expect((await site.nodes()).map((node) => node.displayName)).toEqual(['c1.example']);
    });

    test('is nobody else’s: another slot’s agent neither adds to it nor ends it', async () => {
      const agent = await connect();
      const { snapshotId } = await site.begin(agent);
      const other = await connect(await makeScanSite(server!, callApi));
      const before = await site.snapshot(snapshotId);
      const hosts = [host('d1')];
      for (const message of [
        { type: 'hosts', snapshotId, chunk: 0, hosts },
        { type: 'progress', snapshotId, probed: 7, toProbe: 9 },
        { type: 'done', snapshotId, chunks: 0 },
        { type: 'failed', snapshotId, reason: 'not mine' },
        { type: 'aborted', snapshotId },
      ] as const)
        expect(await sendAsAgent(other, message)).toEqual({ type: 'closed', snapshotId });
      expect(await site.snapshot(snapshotId)).toEqual(before);
      expect(await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts })).toMatchObject({
        type: 'stored',
      });
    });

    test('that has ended takes nothing more', async () => {
      const agent = await connect();
      const snapshotId = await site.scan(agent, [host('e1')]);
      const before = [await site.snapshot(snapshotId), await site.nodes()];
      const hosts = [host('e2')];
      for (const message of [
        { type: 'hosts', snapshotId, chunk: 1, hosts },
        { type: 'done', snapshotId, chunks: 1 },
        { type: 'failed', snapshotId, reason: 'late' },
      ] as const)
        expect(await sendAsAgent(agent, message)).toEqual({ type: 'closed', snapshotId });
      expect([await site.snapshot(snapshotId), await site.nodes()]).toEqual(before);
    });

    test('is removed once it is over, not while it runs', async () => {
      const agent = await connect();
      const { snapshotId } = await site.begin(agent);
      const path = `${site.path}/snapshots/${snapshotId}`;
      const refused = await callApi('DELETE', path);
      expect(refused).toMatchObject({ status: 409 });
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('f1')] });
      expect((await callApi('DELETE', path)).status).toBe(409);
      await site.finish(agent, snapshotId, 1);
      expect((await callApi('DELETE', path)).status).toBe(200);
      expect((await callApi('GET', path)).status).toBe(404);
      expect(await site.nodes()).toHaveLength(1);
    });

    test('is told of to the screens as it moves', async () => {
      const agent = await connect();
      const told: Change[] = [];
      const stop = server!.services.changes.listen((changes) => told.push(...changes));
      const { snapshotId } = await site.begin(agent);
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('g1')] });
      expect(told).toContainEqual(
        expect.objectContaining({ resource: 'snapshot', id: snapshotId, op: 'update' }),
      );
      expect(told.filter(({ resource }) => resource === 'network')).toEqual([]);
      await site.finish(agent, snapshotId, 1);
      await server!.services.ksocket.idle();
      stop();
      expect(told).toContainEqual(
        expect.objectContaining({ resource: 'network', id: site.networkId, op: 'update', state: true }),
      );
    });
  });

  describe('a scan is not begun', () => {
    const rejected = async (detail: string, of = site) => {
      expect(await of.request()).toMatchObject({
        status: 'rejected',
        errorDescriptor: { detail },
        snapshotId: null,
      });
      const { data } = await callApi('GET', `${of.path}/snapshots`);
      expect(data).toMatchObject({ total: 0 });
    };

    test.each(['not-a-uuid', '0190a0a0-0000-7000-8000-000000000000', 7, null])(
      'of the network %j',
      async (networkId) => {
        const made = await callApi('POST', '/api/tasks', {
          namespace: 'sonar',
          method: 'scan',
          params: { networkId },
        });
        expect(made.data).toMatchObject({
          status: 'rejected',
          errorDescriptor: { detail: 'The network does not exist' },
        });
      },
    );

    test('without an agent that is connected', async () => {
      await rejected('The Ksocket of the network is not connected');
      const agent = await connect();
      await agent.close();
      agents.length = 0;
      await server!.services.ksocket.idle();
      await expect
        .poll(async () => (await callApi('GET', `/api/ksocket/slots/${site.ksocketSlotId}/connected`)).data)
        .toMatchObject({ connected: false });
      await rejected('The Ksocket of the network is not connected');
    });

    test('of a network without a Ksocket, one that is disabled, or with too many addresses to begin with', async () => {
      await connect();
      const settings = (body: Item) => callApi('PUT', `${site.path}/scan-settings`, body);
      expect((await settings({ enabled: false })).status).toBe(200);
      await rejected('Scanning is disabled for this network and its Ksocket');
      const { ksocketSlotId } = site;
      await settings({ enabled: true, perKsocket: [{ ksocketSlotId, enabled: false }] });
      await rejected('Scanning is disabled for this network and its Ksocket');
      await settings({ enabled: true, seeds: ['10.0.0.0/16', '10.1.0.0/32'] });
      await rejected('There are more than 65536 starting addresses');
      await settings({ enabled: true, seeds: ['10.0.0.0/16'] });
      const network = { displayName: `without ${engine}`, ksocketSlotId: null };
      const made = (await callApi('POST', '/api/apps/sonar/networks', network)).data as { networkId: string };
      const bare = await callApi('POST', '/api/tasks', {
        namespace: 'sonar',
        method: 'scan',
        params: { networkId: made.networkId },
      });
      expect(bare.data).toMatchObject({ errorDescriptor: { detail: 'The network has no Ksocket' } });
    });

    test('while another one of the network runs', async () => {
      const agent = await connect();
      const { snapshotId } = await site.begin(agent);
      const second = {
        status: 'rejected',
        errorDescriptor: { detail: 'A scan of this network is already running' },
      };
      expect(await site.request()).toMatchObject(second);
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('h1')] });
      expect(await site.request()).toMatchObject(second);
      await site.finish(agent, snapshotId, 1);
      await site.begin(agent);
    });
  });

  describe('a scan fails', () => {
    test('when its agent says so, with its reason', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      expect(
        await sendAsAgent(agent, { type: 'failed', snapshotId, reason: 'no route\u0000 to host' }),
      ).toEqual({
        type: 'closed',
        snapshotId,
      });
      const { reason } = await site.snapshot(snapshotId);
      expect(reason).toContain('no route');
      await taskEnds(taskId, { status: 'failed', errorDescriptor: { detail: reason } });
    });

    test('with the code of its agent, and the reason is told in the language of the reader', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      const failed = { type: 'failed', snapshotId, reason: 'in other words' } as const;
      await sendAsAgent(agent, { ...failed, code: 'STATE_UNWRITABLE', params: { reason: 'ENOSPC' } });
      const reason = 'The state folder of the agent cannot be written: ENOSPC';
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'failed', reason });
      const headers = { 'accept-language': 'ja' };
      const { data } = await callApi('GET', `${site.path}/snapshots?limit=1`, undefined, { headers });
      expect((data as { items: Item[] }).items[0]).toMatchObject({
        snapshotId,
        reason: 'エージェントの状態フォルダーに書き込めません: ENOSPC',
      });
      await taskEnds(taskId, { status: 'failed', errorDescriptor: { detail: reason } });
    });

    test.each(['requested', 'started'])(
      'when its agent was not heard of for ten minutes while it is %s',
      async (status) => {
        const agent = await connect();
        const { taskId, snapshotId } = await site.begin(agent);
        if (status === 'started')
          await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('i1')] });
        await pass(10 * minute);
        expect(await site.snapshot(snapshotId)).toMatchObject({ status, reason: null });
        await pass(minute);
        await expect
          .poll(() => site.snapshot(snapshotId))
          .toMatchObject({ status: 'failed', reason: 'The agent sent nothing for 10 minutes' });
        await taskEnds(taskId, { status: 'failed' });
        expect(await site.nodes()).toEqual([]);
      },
    );

    test('not while its agent goes on telling of it', async () => {
      const agent = await connect();
      const { snapshotId } = await site.begin(agent);
      await pass(25 * minute, agent, snapshotId);
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'started', probed: 1 });
    });

    test('when its agent was restarted and has forgotten it', async () => {
      const restarted = 'The agent was restarted and does not have the scan any more';
      const first = await connect();
      const { taskId, snapshotId } = await site.begin(first);
      await sendAsAgent(first, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('j1')] });
      await first.close();
      agents.length = 0;
      await connect();
      await expect
        .poll(() => site.snapshot(snapshotId))
        .toMatchObject({ status: 'failed', reason: restarted });
      await taskEnds(taskId, { status: 'failed', errorDescriptor: { detail: restarted } });
    });

    test('when more hosts are found than a scan may have', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('k1')] });
      // The maximum number of hosts per scan is inserted directly, because an agent would take minutes to
      // send them.
      await server!.services.database.query(
        `insert into snapshot_node (node_id, space_id, network_id, snapshot_id, chunk, place, display_name, system_family, system_version,
           system_serial, vendor, facts, signatures, packages, windows_updates, number_of_addresses, number_of_packages,
           number_of_windows_updates, created_at)
         select gen_random_uuid(), n.space_id, n.network_id, n.snapshot_id, 1, place_made, '', '', '', '', '', '{}', '[]', '[]', '[]', 0, 0, 0, n.created_at
         from snapshot_node n cross join generate_series(1, 65535) as made(place_made) where n.snapshot_id = $1`,
        [snapshotId],
      );
      expect(
        await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('k1')] }),
      ).toMatchObject({
        type: 'stored',
      });
      expect(await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 2, hosts: [host('k2')] })).toEqual({
        type: 'closed',
        snapshotId,
      });
      expect(await site.snapshot(snapshotId)).toMatchObject({
        status: 'failed',
        reason: 'More than 65536 hosts were found',
      });
      await taskEnds(taskId, { status: 'failed' });
      await server!.services.database.query('delete from snapshot_node where snapshot_id = $1', [snapshotId]);
    });
  });

  describe('an agent that comes back', () => {
    test('gets the order again that it never took up', async () => {
      const first = await connect();
      const { snapshotId } = await site.begin(first);
      await first.close();
      agents.length = 0;
      const second = await connect();
      expect(await second.nextMessage()).toMatchObject({ type: 'scan', snapshotId });
    });

    test('goes on with the scan that it still works on', async () => {
      const first = await connect();
      const { snapshotId } = await site.begin(first);
      await sendAsAgent(first, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('l1')] });
      await first.close();
      agents.length = 0;
      const second = await connect(site, [snapshotId]);
      await sendAsAgent(second, { type: 'hosts', snapshotId, chunk: 1, hosts: [host('l2')] });
      await site.finish(second, snapshotId, 2);
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'succeeded', numberOfNodes: 2 });
    });

    test('is told to stop what nobody waits for, another slot’s scan too', async () => {
      const elsewhere = await makeScanSite(server!, callApi);
      const { snapshotId } = await elsewhere.begin(await connect(elsewhere));
      const unknown = '0190a0a0-0000-7000-8000-000000000000';
      const agent = await connect(site, [unknown, snapshotId]);
      expect([await agent.nextMessage(), await agent.nextMessage()]).toEqual([
        { type: 'abort', snapshotId: unknown },
        { type: 'abort', snapshotId },
      ]);
      expect(await elsewhere.snapshot(snapshotId)).toMatchObject({ status: 'requested' });
    });
  });

  describe('an abort', () => {
    test('of its task reaches the agent, and what was found stays in the snapshot alone', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('m1')] });
      expect((await callApi('POST', `/api/tasks/${taskId}/abort`)).status).toBe(200);
      expect(await agent.nextMessage()).toEqual({ type: 'abort', snapshotId });
      await taskEnds(taskId, { status: 'aborted' });
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'aborted', numberOfNodes: 1 });
      expect(await sendAsAgent(agent, { type: 'done', snapshotId, chunks: 1 })).toEqual({
        type: 'closed',
        snapshotId,
      });
      expect(await site.nodes()).toEqual([]);
    });

    test('comes too late once all hosts have arrived, as do a removal and the next scan', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('k1')] });
      await expect.poll(async () => (await task(taskId)).status).toBe('started');
      const end = await refuseRows(
        () => server!.services.database,
        'job',
        `new.queue = 'sonar-aggregation' and new.locked_by is not null`,
        'update',
      );
      await site.finish(agent, snapshotId, 1);
      expect(await site.snapshot(snapshotId)).toMatchObject({
        status: 'processing',
        numberOfNodes: 1,
        numberOfProcessedNodes: 0,
      });
      const refused = await callApi('POST', `/api/tasks/${taskId}/abort`);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('can no longer be aborted');
      expect((await callApi('DELETE', `${site.path}/snapshots/${snapshotId}`)).status).toBe(409);
      expect(await site.request()).toMatchObject({ status: 'rejected' });
      expect(await sendAsAgent(agent, { type: 'aborted', snapshotId })).toEqual({
        type: 'closed',
        snapshotId,
      });
      await end();
      // A job that could not be claimed is left alone for a minute.
      await pass(2 * minute);
      await server!.services.scans.idle();
      await taskEnds(taskId, { status: 'succeeded' });
      expect(await site.snapshot(snapshotId)).toMatchObject({
        status: 'succeeded',
        numberOfCreatedNodes: 1,
        numberOfProcessedNodes: 1,
      });
    });

    test('at the same time as the last results either wins whole or is refused', async () => {
      const agent = await connect();
      for (let round = 0, succeeded = 0; round < 6; round += 1) {
        const { taskId, snapshotId } = await site.begin(agent);
        await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host(`race${round}`)] });
        await expect.poll(async () => (await task(taskId)).status).toBe('started');
        const done = () => agent.send({ type: 'done', snapshotId, chunks: 1 });
        if (round % 2 === 0) done();
        const aborting = callApi('POST', `/api/tasks/${taskId}/abort`);
        if (round % 2 === 1) done();
        const status = (await aborting).status === 200 ? 'aborted' : 'succeeded';
        await taskEnds(taskId, { status });
        expect(await site.snapshot(snapshotId)).toMatchObject({ status });
        if (status === 'succeeded') succeeded += 1;
        expect(await site.nodes()).toHaveLength(succeeded);
        const answers = Array.from({ length: status === 'aborted' ? 2 : 1 }, () => agent.nextMessage());
        expect(await Promise.all(answers)).toContainEqual({ type: 'closed', snapshotId });
      }
    });

    test('by the agent fails the task', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      agent.send({ type: 'aborted', snapshotId });
      await expect.poll(() => site.snapshot(snapshotId)).toMatchObject({ status: 'aborted' });
      await taskEnds(taskId, { status: 'failed', errorDescriptor: { detail: 'The scan was aborted' } });
    });

    test('comes with the removal of its network', async () => {
      const agent = await connect();
      const { taskId, snapshotId } = await site.begin(agent);
      expect((await callApi('DELETE', site.path)).status).toBe(200);
      expect(await agent.nextMessage()).toEqual({ type: 'abort', snapshotId });
      clock.advance(2000);
      await taskEnds(taskId, {
        status: 'failed',
        errorDescriptor: { detail: 'the snapshot of the scan was removed' },
      });
    });
  });

  describe('managed nodes', () => {
    test('are the same devices in the next scan, by what they carry with them', async () => {
      const agent = await connect();
      await site.scan(agent, [host('n1'), host('n2')]);
      const before = await site.nodes();
      // A request in between lets the agent answer heartbeats.
      for (let step = 0; step < 4; step += 1) {
        clock.advance(minute / 4);
        await site.nodes();
      }
      const again = await site.scan(agent, [
        host('n1', { system: { family: 'Linux', version: '2', serial: 'n1' } }),
        host('n3'),
        host('n/a'),
      ]);
      expect(await site.snapshot(again)).toMatchObject({
        numberOfCreatedNodes: 1,
        numberOfMergedNodes: 1,
        numberOfUnidentifiedNodes: 1,
      });
      const after = await site.nodes();
      expect(after.map((node) => [node.displayName, node.systemVersion])).toEqual([
        ['n1.example', '2'],
        ['n2.example', '1'],
        ['n3.example', '1'],
      ]);
      expect(after.slice(0, 2).map((node) => node.managedNodeId)).toEqual(
        before.map((node) => node.managedNodeId),
      );
      expect(after[1]).toMatchObject({ lastScanSucceededAt: before[1]!.lastScanSucceededAt });
      expect(Date.parse(String(after[0]!.lastScanSucceededAt))).toBe(clock.now());
    });

    test('keep the name that a person gave them', async () => {
      const agent = await connect();
      await site.scan(agent, [host('o1')]);
      const [node] = await site.nodes();
      const path = `${site.path}/managed-nodes/${node!.managedNodeId}`;
      await callApi('PUT', path, { displayName: 'front door', remarks: '' });
      await site.scan(agent, [host('o1', { system: { family: 'BSD', version: '1', serial: 'o1' } })]);
      expect(await site.nodes()).toMatchObject([{ displayName: 'front door', systemFamily: 'BSD' }]);
    });

    test('are new, stable and outdated by the days of their network, and counted so', async () => {
      await callApi('PUT', site.path, {
        displayName: `days ${engine}`,
        configuration: { newDays: 2, outdatedDays: 5 },
      });
      await site.scan(await connect(), [host('p1')]);
      for (const agent of agents.splice(0)) await agent.close();
      const stands = async () => {
        const network = (await callApi('GET', site.path)).data as Item;
        const counted = ['New', 'Stable', 'Outdated'].map((name) => network[`numberOf${name}Nodes`]);
        return [(await site.nodes())[0]!.state, ...counted];
      };
      expect(await stands()).toEqual(['new', 1, 0, 0]);
      clock.sleep(2 * day - 1);
      expect(await stands()).toEqual(['new', 1, 0, 0]);
      clock.sleep(1);
      expect(await stands()).toEqual(['stable', 0, 1, 0]);
      clock.sleep(3 * day - 1);
      expect(await stands()).toEqual(['stable', 0, 1, 0]);
      clock.sleep(1);
      expect(await stands()).toEqual(['outdated', 0, 0, 1]);
    });
  });

  test('what a stopped server had not yet prepared for searches is prepared later', async () => {
    const agent = await connect();
    const snapshotId = await site.scan(agent, [host('q1')]);
    const { database } = server!.services;
    const [node] = await site.nodes();
    const found = async () => {
      const query = { query: `${site.networkId} AND q1*` };
      const { data } = await callApi('POST', '/api/apps/sonar/search/managed-nodes', query);
      return (data as { total: number }).total;
    };
    expect(await found()).toBe(1);
    await database.query('delete from managed_node_value where managed_node_id = $1', [node!.managedNodeId]);
    await database.query('update managed_node set values_hash = null where managed_node_id = $1', [
      node!.managedNodeId,
    ]);
    await database.query(
      `insert into job (queue, payload, run_at) values ('sonar-index', jsonb_build_object('snapshotId', $1::text), $2)`,
      [snapshotId, new Date(clock.now() + minute).toISOString()],
    );
    expect(await found()).toBe(0);
    await pass(30_000);
    expect(await found()).toBe(0);
    await pass(minute);
    await expect.poll(found).toBe(1);
    const jobs = async () => (await database.query(`select 1 from job where queue = 'sonar-index'`)).rows;
    await expect.poll(jobs).toEqual([]);
  });
});
