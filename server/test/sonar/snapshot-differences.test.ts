// What changed between two snapshots, through the API and a real agent connection.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { host, type Item, makeScanSite, type ScanSite } from '../support/scan-site.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let site: ScanSite;
  const snapshots: string[] = [];

  const packages = (...list: string[]) =>
    list.map((text) => ({ name: text.split('=')[0]!, version: text.split('=')[1]!, arch: '' }));
  const scans = [
    [host('a', { packages: packages('ssl=1') }), host('b'), host('c')],
    [host('a', { packages: packages('ssl=2', 'curl=1') }), host('b'), host('d')],
    [host('a', { packages: packages('ssl=2', 'curl=1') }), host('b'), host('d')],
  ];

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    site = await makeScanSite(server, callApi);
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    if (snapshots.length > 0) return;
    const agent = await site.connect();
    for (const hosts of scans) snapshots.push(await site.scan(agent, hosts));
    await agent.close();
  });
  afterAll(() => server?.stop());

  const list = async (snapshotId: string, query: Record<string, string> = {}) => {
    const reply = await callApi(
      'GET',
      `${site.path}/snapshots/${snapshotId}/differences?${new URLSearchParams({ limit: '100', ...query })}`,
    );
    return { ...reply, page: reply.data as { items: Item[]; total: number } };
  };
  const told = async (...of: Parameters<typeof list>) =>
    (await list(...of)).page.items.map(
      ({ displayName, kind, change, entry, before, after }) =>
        `${displayName} ${kind} ${change} ${entry}: ${before} > ${after}`,
    );

  test('are told against the previous snapshot', async () => {
    expect(await told(snapshots[1]!)).toEqual([
      'a.example package added curl: null > 1',
      'a.example package changed ssl: 1 > 2',
      'c.example host removed 10.1.0.1: 10.1.0.1 > null',
      'd.example host added 10.1.0.1: null > 10.1.0.1',
    ]);
    expect(await told(snapshots[2]!)).toEqual([]);
  });

  test('are told against any other snapshot, in both directions', async () => {
    expect(await told(snapshots[2]!, { baseSnapshotId: snapshots[0]! })).toEqual(await told(snapshots[1]!));
    expect(await told(snapshots[0]!, { baseSnapshotId: snapshots[1]! })).toEqual([
      'a.example package removed curl: 1 > null',
      'a.example package changed ssl: 2 > 1',
      'c.example host added 10.1.0.1: null > 10.1.0.1',
      'd.example host removed 10.1.0.1: 10.1.0.1 > null',
    ]);
  });

  test('name the node, in the snapshot that has it', async () => {
    const { items } = (await list(snapshots[1]!, { filter: 'kind eq "host"' })).page;
    expect(items.map((one) => [one.change, one.nodeSnapshotId])).toEqual([
      ['removed', snapshots[0]],
      ['added', snapshots[1]],
    ]);
    for (const one of items) {
      const path = `${site.path}/snapshots/${one.nodeSnapshotId}/nodes/${one.nodeId}`;
      expect((await callApi('GET', path)).data).toMatchObject({ displayName: one.displayName });
    }
  });

  test('are filtered, sorted and paged', async () => {
    expect((await list(snapshots[1]!, { limit: '1', offset: '1' })).page).toMatchObject({
      total: 4,
      items: [{ entry: 'ssl' }],
    });
    expect(await told(snapshots[1]!, { filter: 'change eq "added"', sort: '-displayName' })).toEqual([
      'd.example host added 10.1.0.1: null > 10.1.0.1',
      'a.example package added curl: null > 1',
    ]);
  });

  test('of the first snapshot are none', async () => {
    expect((await list(snapshots[0]!)).page).toMatchObject({ items: [], total: 0 });
  });

  test('are the same for snapshots that were stored without a hash', async () => {
    const before = await told(snapshots[1]!);
    await server!.services.database.query('update snapshot_node set contents_hash = null');
    expect(await told(snapshots[1]!)).toEqual(before);
    expect(await told(snapshots[2]!)).toEqual([]);
  });

  test.each([
    ['no id', { baseSnapshotId: 'x' }, 400],
    ['an unknown snapshot', { baseSnapshotId: '0190a0a0-0000-7000-8000-000000000000' }, 400],
    ['a field that cannot be sorted', { sort: 'before' }, 400],
  ])('are refused for %s', async (_name, query, status) => {
    expect(await list(snapshots[1]!, query)).toMatchObject({ status });
  });

  test('what a node has is found only under its own snapshot and network', async () => {
    const other = await makeScanSite(server!, callApi);
    const nodes = await callApi('GET', `${site.path}/snapshots/${snapshots[0]}/nodes`);
    const { nodeId } = (nodes.data as { items: { nodeId: string }[] }).items[0]!;
    const statusUnder = async (network: string, snapshotId: string) =>
      (await callApi('GET', `${network}/snapshots/${snapshotId}/nodes/${nodeId}/packages`)).status;
    expect(await statusUnder(site.path, snapshots[0]!)).toBe(200);
    expect(await statusUnder(site.path, snapshots[1]!)).toBe(404);
    expect(await statusUnder(other.path, snapshots[0]!)).toBe(404);
  });

  test('are refused for another network’s snapshot and for one that has no result', async () => {
    const other = await makeScanSite(server!, callApi);
    const agent = await other.connect();
    const foreign = await other.scan(agent, [host('z')]);
    const reply = await list(snapshots[1]!, { baseSnapshotId: foreign });
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'baseSnapshotId' }] });
    expect(await list(foreign)).toMatchObject({ status: 404 });
    const { snapshotId } = await other.begin(agent);
    const differences = `${other.path}/snapshots/${snapshotId}/differences`;
    expect(await callApi('GET', differences)).toMatchObject({ status: 409 });
    agent.send({ type: 'failed', snapshotId, reason: 'end' });
    await agent.nextMessage();
    await agent.close();
  });
});
