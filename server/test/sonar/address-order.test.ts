// Lists of hosts are sorted by address as a number, wherever an address is a column.
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import type { TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { type Item, makeScanSite, type ScanSite, sendAsAgent } from '../support/scan-site.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const inOrder = [
  ...['9.255.255.255', '10.0.0.2', '10.0.0.10', '10.0.0.100', '10.0.1.1'],
  ...['::ffff:192.0.2.1', '2001:db8::2', '2001:DB8::10'],
];

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let site: ScanSite;
  let agent: TestAgent | undefined;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    site = await makeScanSite(server, callApi);
  });
  afterEach(() => agent?.close());
  afterAll(() => server?.stop());

  test('nodes, hosts, refusals and differences are in the order of their addresses', async (context) => {
    if (!server) return context.skip();
    agent = await site.connect([], { capabilities: [] });
    const scan = async (addrs: readonly string[]) => {
      const { snapshotId } = await site.begin(agent!);
      const hosts = addrs.map((addr) => ({
        addresses: [{ addr }],
        system: { serial: addr },
      })) as ScannedHostInput[];
      const refusals = addrs.map((addr) => ({ addr, protocol: 'ssh', code: 'TIMEOUT' }));
      await sendAsAgent(agent!, { type: 'hosts', snapshotId, chunk: 0, hosts, refusals });
      await site.finish(agent!, snapshotId, 1);
      return snapshotId;
    };
    const first = await scan(['192.0.2.1']);
    const second = await scan([...inOrder].sort());
    const addrs = async (path: string) => {
      const reply = await callApi('GET', `${site.path}/${path}`);
      expect(reply.status, reply.text).toBe(200);
      return (reply.data as { items: Item[] }).items.map(({ addr }) => addr);
    };
    const snapshot = `snapshots/${second}`;
    const all = [...inOrder.slice(0, 5), '192.0.2.1', ...inOrder.slice(5)];
    expect(await addrs('managed-nodes?sort=addr')).toEqual(all);
    expect(await addrs('managed-nodes?sort=-addr')).toEqual(all.toReversed());
    expect(await addrs('managed-nodes?sort=addr&limit=3&offset=2')).toEqual(all.slice(2, 5));
    expect(await addrs(`${snapshot}/nodes?sort=addr`)).toEqual(inOrder);
    // Nodes without a name of their own are named by their address.
    const isDotted = (addr: unknown) => /^[\d.]+$/.test(String(addr));
    const byName = await addrs('managed-nodes?sort=displayName');
    expect(byName.filter(isDotted)).toEqual(all.filter(isDotted));
    expect(await addrs('managed-nodes?sort=-displayName')).toEqual(byName.toReversed());
    const nodesByName = await addrs(`${snapshot}/nodes?sort=displayName`);
    expect(nodesByName.filter(isDotted)).toEqual(inOrder.filter(isDotted));
    expect(await addrs(`${snapshot}/refusals?sort=addr`)).toEqual(inOrder);
    const differences = await addrs(`${snapshot}/differences?baseSnapshotId=${first}&sort=addr`);
    expect(differences).toEqual(all);
  });
});
