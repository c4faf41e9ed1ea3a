// Version 2 of the agent protocol: welcome, estimates, pauses, refusals and evidence, through a real connection.
import { closeCodes } from '@yagura/core/http/close-codes';
import type { TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { host, type Item, makeScanSite, type ScanSite, sendAsAgent } from '../support/scan-site.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const version2 = { capabilities: ['pause', 'estimate'] };
const read = (at: string, ...groups: string[]) =>
  groups.map((group) => ({ group, source: 'ssh', at, credential: 'linux' })) as never;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let site: ScanSite;
  let agent: TestAgent | undefined;

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
    await agent?.close();
    agent = undefined;
    await server?.services.ksocket.idle();
  });
  afterAll(() => server?.stop());

  const slot = async () => (await callApi('GET', `/api/ksocket/slots/${site.ksocketSlotId}`)).data as Item;
  const hosts = async (snapshotId: string, chunk: number, more: object) =>
    sendAsAgent(agent!, { type: 'hosts', snapshotId, chunk, hosts: [], ...more });

  describe('the slot', () => {
    test('shows what the agent tells about itself, and how far its clock is off', async () => {
      const ahead = new Date(clock.now() + 3_600_000).toISOString();
      agent = await site.connect([], { capabilities: ['pause', 'collect.ssh', 'pause'], clock: ahead });
      expect(await slot()).toMatchObject({
        agentVersion: 'lab',
        agentState: 'current',
        agentProtocol: 2,
        capabilities: ['collect.ssh', 'pause'],
        clockOffset: 3600,
      });
    });

    test('marks an agent of version 1 as old, and no agent not at all', async () => {
      expect(await slot()).toMatchObject({ agentState: null, agentProtocol: null, capabilities: [] });
      agent = await site.connect();
      expect(await slot()).toMatchObject({ agentState: 'old', agentProtocol: 1, clockOffset: null });
      const { data } = await callApi(
        'GET',
        `/api/ksocket/slots?filter=${encodeURIComponent(`agentState eq "old" and ksocketSlotId eq "${site.ksocketSlotId}"`)}`,
      );
      expect(data).toMatchObject({ total: 1 });
    });
  });

  describe('two agents of one slot', () => {
    const calm = { agentState: 'old', agentWarning: null };
    /** Another agent connects, which ends the connection of the one before. */
    const replace = async () => {
      const replaced = agent!;
      agent = await site.connect();
      expect(await replaced.closed).toBe(closeCodes.replaced);
      const replacedAt = async () =>
        (
          await server!.services.database.query(
            'select replaced_at from ksocket_connection where ksocket_slot_id = $1',
            [site.ksocketSlotId],
          )
        ).rows;
      await expect.poll(replacedAt).toEqual([{ replaced_at: isoTime(clock.now()) }]);
    };
    const change = (column: string, interval: string) =>
      server!.services.database.query(
        `update ksocket_connection set ${column} = ${column} - $1::interval where ksocket_slot_id = $2`,
        [interval, site.ksocketSlotId],
      );

    test('are shown with the address of the one that was replaced, until five minutes have passed', async () => {
      agent = await site.connect();
      await replace();
      expect(await slot()).toMatchObject(calm);
      clock.advance(20_000);
      await replace();
      expect(await slot()).toMatchObject({
        agentState: 'conflict',
        agentWarning: expect.stringMatching(/127\.0\.0\.1\. Stop one of them/),
      });
      const { data } = await callApi('GET', '/api/ksocket/slots?filter=agentState eq "conflict"');
      expect(data).toMatchObject({ total: 1, items: [{ ksocketSlotId: site.ksocketSlotId }] });
      await change('conflict_at', '299.9 seconds');
      expect(await slot()).toMatchObject({ agentState: 'conflict' });
      await change('conflict_at', '0.1 seconds');
      expect(await slot()).toMatchObject(calm);
    });

    test('that were replaced long after each other are none', async () => {
      agent = await site.connect();
      await replace();
      await change('replaced_at', '2 minutes');
      await replace();
      expect(await slot()).toMatchObject(calm);
    });

    test('are not seen in one that comes back after its connection was closed or lost', async () => {
      for (let time = 0; time < 3; time++) {
        agent = await site.connect();
        await agent.close();
      }
      agent = await site.connect();
      for (let time = 0; time < 3; time++) {
        const lost = agent;
        lost.pause();
        agent = await site.connect();
        lost.terminate();
        await lost.closed;
        expect(await slot()).toMatchObject(calm);
      }
    });
  });

  test('a large chunk, which is read in a thread, is stored like any other', async () => {
    agent = await site.connect([], version2);
    const { snapshotId } = await site.begin(agent);
    const packages = Array.from({ length: 2_000 }, (_, at) => ({
      name: `package-${at}`,
      version: '1',
      arch: 'amd64',
    }));
    expect(await hosts(snapshotId, 0, { hosts: [{ ...host('big'), packages }] })).toMatchObject({
      type: 'stored',
      chunk: 0,
    });
    agent.send(JSON.stringify({ type: 'weather', text: 'x'.repeat(100_000) }));
    expect(await hosts(snapshotId, 1, { hosts: [host('small')] })).toMatchObject({
      type: 'stored',
      chunk: 1,
    });
  });

  describe('a message of an unknown type', () => {
    test('is ignored under version 2', async () => {
      agent = await site.connect([], version2);
      agent.send('{"type":"weather"}');
      const { snapshotId } = await site.begin(agent);
      expect(await hosts(snapshotId, 0, { hosts: [host('w1')] })).toMatchObject({ type: 'stored' });
    });

    test('ends the connection under version 1, as an invalid one does under both', async () => {
      agent = await site.connect();
      agent.send('{"type":"weather"}');
      expect(await agent.closed).toBe(4002);
      agent = await site.connect([], version2);
      agent.send('{"type":"progress","snapshotId":"x"}');
      expect(await agent.closed).toBe(4002);
    });
  });

  describe('an estimate', () => {
    const estimate = () => callApi('POST', `${site.path}/estimate`);

    test('is made by the agent from the settings of the network', async () => {
      agent = await site.connect([], version2);
      const pace = { packetsPerSecond: 50, parallelHosts: null };
      const settings = { seeds: ['192.0.2.0/24'], allowed: [], forbidden: ['192.0.2.9'] };
      await callApi('PUT', `${site.path}/scan-settings`, { ...settings, pace });
      const asked = estimate();
      const order = (await agent.nextMessage()) as { type: string; requestId: string };
      expect(order).toMatchObject({
        type: 'estimate',
        settings: { ...settings, pace: { packetsPerSecond: 50 } },
      });
      const result = {
        addresses: 255,
        packets: 510,
        seconds: 11,
        excluded: [{ network: '192.0.2.9', reason: 'FORBIDDEN_BY_SERVER' }],
        limits: { packetsPerSecond: 50 },
      };
      agent.send({ type: 'estimated', requestId: order.requestId, ...result });
      expect(await asked).toMatchObject({ status: 200, data: result });
    });

    test('says why there is none', async () => {
      expect(await estimate()).toMatchObject({ status: 409, text: expect.stringContaining('not connected') });
      agent = await site.connect();
      expect(await estimate()).toMatchObject({ status: 409, text: expect.stringContaining('too old') });
      await agent.close();
      agent = await site.connect([], version2);
      const asked = estimate();
      const { requestId } = (await agent.nextMessage()) as { requestId: string };
      agent.send({ type: 'unanswered', requestId, code: 'NO_NETWORK' });
      expect(await asked).toMatchObject({ status: 409, text: expect.stringContaining('NO_NETWORK') });
    });

    test('is not waited for without end', async () => {
      agent = await site.connect([], version2);
      const asked = estimate();
      await agent.nextMessage();
      clock.advance(15_000);
      expect(await asked).toMatchObject({ status: 409, text: expect.stringContaining('did not respond') });
    });

    test('needs the permission to start scans', async () => {
      const viewer = createApiCall(server!.transportAs(['sonar:viewer']));
      expect(await viewer('POST', `${site.path}/estimate`)).toMatchObject({ status: 403 });
    });
  });

  describe('a running scan', () => {
    const call = (snapshotId: string, name: string) =>
      callApi('POST', `${site.path}/snapshots/${snapshotId}/${name}`);

    test('is paused and resumed, and says so once its agent does', async () => {
      agent = await site.connect([], version2);
      const { snapshotId } = await site.begin(agent);
      const progress = { type: 'progress', snapshotId, probed: 5, toProbe: 10 } as const;
      agent.send({ ...progress, phase: 'collect', found: 3, perSecond: 12.5, secondsLeft: 40 });
      await expect
        .poll(() => site.snapshot(snapshotId))
        .toMatchObject({
          ...{ phase: 'collect', numberOfFoundHosts: 3, perSecond: 12.5, secondsLeft: 40, paused: false },
        });
      expect(await call(snapshotId, 'pause')).toMatchObject({
        status: 200,
        data: { snapshotId, paused: false },
      });
      expect(await agent.nextMessage()).toEqual({ type: 'pause', snapshotId });
      agent.send({ ...progress, paused: true });
      await expect.poll(async () => (await site.snapshot(snapshotId)).paused).toBe(true);
      expect(await call(snapshotId, 'resume')).toMatchObject({ status: 200 });
      expect(await agent.nextMessage()).toEqual({ type: 'resume', snapshotId });
      await sendAsAgent(agent, { type: 'failed', snapshotId, reason: 'enough' });
      expect(await site.snapshot(snapshotId)).toMatchObject({
        paused: false,
        phase: null,
        secondsLeft: null,
      });
      expect(await call(snapshotId, 'pause')).toMatchObject({ status: 409 });
    });

    test('of an old agent cannot be paused', async () => {
      agent = await site.connect();
      const { snapshotId } = await site.begin(agent);
      expect(await call(snapshotId, 'pause')).toMatchObject({ status: 409 });
    });

    test('may be paused for long while its agent is connected, not when it is away', async () => {
      agent = await site.connect([], version2);
      const { snapshotId } = await site.begin(agent);
      agent.send({ type: 'progress', snapshotId, probed: 1, toProbe: 2, paused: true });
      const pass = async () => {
        for (let at = 0; at < 11 * 60; at += 15) {
          clock.advance(15_000);
          await server!.services.ksocket.idle();
        }
      };
      await pass();
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'started', paused: true });
      await agent.close();
      await pass();
      await expect.poll(async () => (await site.snapshot(snapshotId)).status).toBe('failed');
    });
  });

  describe('refusals', () => {
    const refusal = { addr: '10.1.0.9', protocol: 'ssh', code: 'SIGN_IN_FAILED', credential: 'linux' };

    test('are stored once, counted as chunks, and listed with their reason', async () => {
      agent = await site.connect([], version2);
      const { snapshotId } = await site.begin(agent);
      await hosts(snapshotId, 0, { hosts: [host('r1')] });
      const strange = { addr: '10.1.0.8', protocol: 'winrm', code: 'KERBEROS_ONLY' };
      for (const refusals of [
        [refusal, strange],
        [refusal, strange, refusal],
      ])
        expect(await hosts(snapshotId, 1, { refusals })).toEqual({ type: 'stored', snapshotId, chunk: 1 });
      await site.finish(agent, snapshotId, 2);
      expect(await site.snapshot(snapshotId)).toMatchObject({ status: 'succeeded', numberOfRefusals: 2 });
      const { data } = await callApi('GET', `${site.path}/snapshots/${snapshotId}/refusals`);
      expect((data as { items: Item[] }).items).toMatchObject([
        {
          addr: '10.1.0.8',
          protocol: 'winrm',
          reason: 'OTHER',
          errorCode: 'KERBEROS_ONLY',
          credential: null,
        },
        { addr: '10.1.0.9', reason: 'SIGN_IN_FAILED', errorCode: 'SIGN_IN_FAILED', credential: 'linux' },
      ]);
      expect(await callApi('DELETE', `${site.path}/snapshots/${snapshotId}`)).toMatchObject({ status: 200 });
      // What is in a snapshot is deleted after it.
      await server!.services.snapshotRetention.runNow();
      const { rows } = await server!.services.database.query(
        'select 1 from snapshot_refusal where snapshot_id = $1',
        [snapshotId],
      );
      expect(rows).toEqual([]);
    });
  });

  describe('a node', () => {
    test('keeps what a later scan could not read, and tells when each group was read', async () => {
      agent = await site.connect([], version2);
      const first = new Date(clock.now()).toISOString();
      const routes = [{ destination: '0.0.0.0/0', gateway: '10.1.0.254' }];
      const listening = [{ protocol: 'tcp' as const, address: '0.0.0.0', port: 22, process: 'sshd' }];
      await site.scan(agent, [
        host('k1', {
          routes,
          listening,
          evidence: read(first, 'addresses', 'system', 'routes', 'listening'),
        }),
      ]);
      clock.advance(1000);
      const second = new Date(clock.now()).toISOString();
      const seen = { group: 'addresses' as const, source: 'arp' as const, at: second };
      await site.scan(agent, [host('k1', { addresses: [{ addr: '10.1.0.1' }], evidence: [seen] })]);
      const [node] = await site.nodes();
      expect(node).toMatchObject({
        displayName: 'k1.example',
        systemFamily: 'Linux',
        routes,
        listening,
        evidence: [seen, ...(read(first, 'system', 'routes', 'listening') as object[])],
      });
      const { data } = await callApi('GET', `${site.path}/managed-nodes/${node!.managedNodeId}/snapshots`);
      expect((data as { items: Item[] }).items.map((one) => one.matchedBy)).toEqual(['serial', null]);
    });

    test('is recognized by its SSH host key when nothing stronger is known', async () => {
      agent = await site.connect([], version2);
      const found = () => ({
        addresses: [{ addr: '10.1.0.5' }],
        signatures: { sshHostKey: 'SHA256:AbC' },
      });
      await site.scan(agent, [found()]);
      await site.scan(agent, [{ ...found(), addresses: [{ addr: '10.1.0.6' }] }]);
      expect(await site.nodes()).toMatchObject([{ addr: '10.1.0.6' }]);
    });

    test('loses an address that a scan sees at another node only, whether it is seen itself or not', async () => {
      agent = await site.connect([], version2);
      const at = new Date(clock.now()).toISOString();
      const seen = { group: 'addresses' as const, source: 'arp' as const, at };
      const machine = (number: number, address: number, more: object = {}) => ({
        addresses: [{ addr: `10.1.0.${address}`, macaddr: `02:00:00:00:00:0${number}` }],
        evidence: [seen],
        ...more,
      });
      /** What was read on it, which stays while it cannot be read. */
      const ownAddress = (number: number, address: number) => ({
        interfaces: [
          {
            ifname: 'eth0',
            macaddr: `02:00:00:00:00:0${number}`,
            addr: `10.1.0.${address}`,
            linkState: 'up',
          },
        ],
        evidence: [seen, ...(read(at, 'interfaces') as (typeof seen)[])],
      });
      const known = async () =>
        Object.fromEntries(
          (await site.nodes()).map((node) => [
            node.macaddr,
            [node.addr, ...(node.addresses as Item[]).map(({ addr }) => addr)],
          ]),
        );
      const [one, two, three] = ['02:00:00:00:00:01', '02:00:00:00:00:02', '02:00:00:00:00:03'];
      await site.scan(agent, [machine(1, 1, ownAddress(1, 1)), machine(2, 2, ownAddress(2, 2))]);
      await site.scan(agent, [machine(1, 2), machine(2, 1)]);
      expect(await known()).toEqual({
        [one!]: ['10.1.0.2', '10.1.0.2'],
        [two!]: ['10.1.0.1', '10.1.0.1'],
      });
      const [{ displayName, managedNodeId }] = (await site.nodes()).filter(
        ({ macaddr }) => macaddr === one,
      ) as [Item];
      await site.scan(agent, [machine(3, 2)]);
      expect(await known()).toEqual({
        [one!]: [null],
        [two!]: ['10.1.0.1', '10.1.0.1'],
        [three!]: ['10.1.0.2', '10.1.0.2'],
      });
      expect((await site.nodes()).find((node) => node.managedNodeId === managedNodeId)).toMatchObject({
        displayName,
      });
      // Both are at one address at the same time: neither loses it.
      await site.scan(agent, [machine(1, 2), machine(3, 2)]);
      expect(await known()).toMatchObject({
        [one!]: ['10.1.0.2', '10.1.0.2'],
        [three!]: ['10.1.0.2', '10.1.0.2'],
      });
    });

    test('is not taken for its clone, in this scan and in later ones', async () => {
      agent = await site.connect([], version2);
      const clone = (number: number) => ({
        addresses: [{ addr: `10.1.0.${number}`, macaddr: `02:00:00:00:00:0${number}` }],
        signatures: { footprint: 'copied', engineId: '80001f88copied' },
      });
      await site.scan(agent, [clone(1)]);
      await site.scan(agent, [clone(1), clone(2)]);
      await site.scan(agent, [clone(2)]);
      await site.scan(agent, [clone(3)]);
      expect((await site.nodes()).map((node) => node.addr)).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.3']);
    });

    test('is told from its clone by whatever kind both have', async () => {
      agent = await site.connect([], version2);
      const clone = (number: number) => ({
        addresses: [{ addr: `10.1.0.${number}` }],
        signatures: { footprint: `machine ${number}`, sshHostKey: 'SHA256:copied' },
      });
      await site.scan(agent, [clone(1), clone(2)]);
      await site.scan(agent, [
        { addresses: [{ addr: '10.1.0.3' }], signatures: { sshHostKey: 'SHA256:copied' } },
      ]);
      expect((await site.nodes()).map((node) => node.addr)).toEqual(['10.1.0.1', '10.1.0.2']);
    });

    test('is one node when all that its addresses show is the same SSH host key', async () => {
      agent = await site.connect([], version2);
      const at = (addr: string, more: object = {}) => ({
        addresses: [{ addr, ...more }],
        signatures: { sshHostKey: 'SHA256:Router' },
      });
      await site.scan(agent, [at('10.1.0.1')]);
      const [node] = await site.nodes();
      await site.scan(agent, [at('10.1.0.1'), at('10.1.1.1')]);
      await site.scan(agent, [at('10.1.0.1', { macaddr: '02:00:00:00:00:0a' }), at('10.1.1.1')]);
      expect(await site.nodes()).toMatchObject([
        { managedNodeId: node!.managedNodeId, numberOfAddresses: 2 },
      ]);
    });

    test('that was reported twice in one scan is no clone of itself', async () => {
      agent = await site.connect([], version2);
      const twice = (addr: string) => ({
        addresses: [{ addr, macaddr: '02:00:00:00:00:0a' }],
        signatures: { footprint: 'own' },
      });
      await site.scan(agent, [twice('10.1.0.1'), twice('10.1.1.1')]);
      expect(await site.nodes()).toMatchObject([{ numberOfAddresses: 2 }]);
      const { rows } = await server!.services.database.query(
        'select value from cloned_signature where network_id = $1',
        [site.networkId],
      );
      expect(rows).toEqual([]);
    });
  });
});
