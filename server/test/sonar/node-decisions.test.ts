// Merges and splits of managed nodes by users: they outlast scans, lose nothing, and can be undone.
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import type { TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { type Item, makeScanSite, type ScanSite, sendAsAgent } from '../support/scan-site.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

/** A host named after its address, such as `5 mac=1 serial=x`. */
function host(text: string): ScannedHostInput {
  const [place, ...parts] = text.split(' ');
  const { mac, serial } = Object.fromEntries(parts.map((part) => part.split('='))) as Record<string, string>;
  return {
    addresses: [
      {
        addr: `10.1.0.${place}`,
        hostnames: [{ hostname: `h${place}` }],
        ...(mac ? { macaddr: `00:11:22:33:44:0${mac}` } : {}),
      },
    ],
    ...(serial ? { system: { family: 'Linux', version: '1', serial } } : {}),
    packages: [{ name: `p${place}`, version: '1', arch: '' }],
  } as ScannedHostInput;
}

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let site: ScanSite;
  let agent: TestAgent;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    site = await makeScanSite(server, callApi);
    agent = await site.connect();
  });
  afterEach(() => agent?.close());
  afterAll(() => server?.stop());

  const scan = async (...texts: string[]) => {
    const { snapshotId } = await site.begin(agent);
    await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: texts.map(host) });
    await site.finish(agent, snapshotId, 1);
    await server!.services.ksocket.idle();
  };
  const nodePath = (node: Item) => `${site.path}/managed-nodes/${node.managedNodeId}`;
  const hostsOf = async (node: Item) =>
    ((await callApi('GET', `${nodePath(node)}/snapshots?limit=1000`)).data as { items: Item[] }).items;
  const decisionsOf = async (node: Item) =>
    ((await callApi('GET', `${nodePath(node)}/decisions`)).data as { items: Item[] }).items;
  const merge = (node: Item, other: Item) =>
    callApi('POST', `${nodePath(node)}/merge`, { otherNodeId: other.managedNodeId });
  const split = async (node: Item, name: string) => {
    const off = (await hostsOf(node)).find((one) => one.displayName === name);
    return callApi('POST', `${nodePath(node)}/split`, { nodeId: off?.nodeId });
  };
  const undo = (node: Item, decisionId: unknown) =>
    callApi('DELETE', `${nodePath(node)}/decisions/${decisionId}`);
  /** Names of the hosts of each node, over all scans. */
  const groups = async () => {
    const nodes = await site.nodes();
    const names = await Promise.all(
      nodes.map(async (node) =>
        [...new Set((await hostsOf(node)).map((one) => one.displayName))].sort().join('+'),
      ),
    );
    return names.sort();
  };
  const named = async (name: string) => (await site.nodes()).find((one) => one.displayName === name)!;

  test('a merge moves hosts, notes and tags, outlasts scans, and is undone', async () => {
    await scan('1 mac=1', '2 mac=2');
    const [first, second] = [await named('h1'), await named('h2')];
    await callApi('PUT', `${nodePath(first)}/tags`, { tags: { env: 'prod' } });
    await callApi('PUT', `${nodePath(second)}/tags`, { tags: { env: 'test', rack: 'r2' } });
    await callApi('POST', `${nodePath(second)}/notes`, { title: 'about the second', body: '' });
    expect(await merge(first, second)).toMatchObject({ status: 200 });
    await scan('1 mac=1', '2 mac=2');
    await scan('2 mac=2');
    expect(await groups()).toEqual(['h1+h2']);
    const [only] = await site.nodes();
    expect(only).toMatchObject({ managedNodeId: first.managedNodeId, tags: { env: 'prod', rack: 'r2' } });
    expect((await hostsOf(only!)).map((one) => [one.displayName, one.matchedBy]).sort()).toEqual([
      ['h1', null],
      ['h1', 'mac'],
      ['h2', 'manual'],
      ['h2', 'manual'],
      ['h2', 'manual'],
    ]);
    const notes = async (node: Item) =>
      ((await callApi('GET', `${nodePath(node)}/notes`)).data as { total: number }).total;
    expect(await notes(first)).toBe(1);
    expect((await callApi('GET', nodePath(second))).status).toBe(404);
    const [decision] = await decisionsOf(first);
    expect(decision).toMatchObject({ kind: 'merge', otherName: 'h2', createdBy: expect.stringMatching(/./) });
    expect(await undo(first, decision!.decisionId)).toMatchObject({ status: 200 });
    expect(await groups()).toEqual(['h1', 'h2']);
    expect(await named('h2')).toMatchObject({
      managedNodeId: second.managedNodeId,
      tags: { env: 'test', rack: 'r2' },
      numberOfPackages: 1,
      firstSeenAt: second.firstSeenAt,
    });
    expect(await named('h1')).toMatchObject({ tags: { env: 'prod' } });
    expect([await notes(first), await notes(second)]).toEqual([0, 1]);
    await scan('1 mac=1', '2 mac=2');
    expect(await groups()).toEqual(['h1', 'h2']);
  });

  test('a split tells apart what shares a MAC address, outlasts scans, and is undone', async () => {
    await scan('1 mac=1', '2 mac=1');
    await scan('1 mac=1', '2 mac=1');
    const [node] = await site.nodes();
    const reply = await split(node!, 'h2');
    expect(reply).toMatchObject({ status: 200 });
    for (let time = 0; time < 2; time++) {
      expect(await groups()).toEqual(['h1', 'h2']);
      await scan('2 mac=1', '1 mac=1');
    }
    const off = await named('h2');
    expect(off).toMatchObject({ managedNodeId: (reply.data as Item).managedNodeId, numberOfPackages: 1 });
    expect((await hostsOf(off)).map((one) => one.matchedBy)).toEqual(Array(4).fill('manual'));
    expect(await decisionsOf(off)).toEqual(await decisionsOf(node!));
    const [decision] = await decisionsOf(off);
    expect(await undo(off, decision!.decisionId)).toMatchObject({ status: 200 });
    expect(await groups()).toEqual(['h1+h2']);
    await scan('1 mac=1', '2 mac=1');
    expect(await groups()).toEqual(['h1+h2']);
  });

  test('a split stays in force when a user has deleted the node that it made', async () => {
    await scan('1 mac=1', '2 mac=1');
    await split((await site.nodes())[0]!, 'h2');
    await callApi('DELETE', nodePath(await named('h2')));
    await scan('1 mac=1', '2 mac=1');
    expect(await groups()).toEqual(['h1', 'h2']);
  });

  test('decisions that make no sense are refused, and change nothing', async () => {
    await scan('1 mac=1', '2 mac=2', '3 mac=3');
    await scan('1 mac=1');
    const [first, second, third] = [await named('h1'), await named('h2'), await named('h3')];
    const other = await makeScanSite(server!, callApi);
    expect(await merge(first, first)).toMatchObject({ status: 400 });
    const unknown = { managedNodeId: other.networkId };
    expect((await merge(first, unknown)).data).toMatchObject({ invalidParams: [{ name: 'otherNodeId' }] });
    expect(await merge(unknown, first)).toMatchObject({ status: 404 });
    expect(await split(first, 'h2')).toMatchObject({ status: 400 });
    expect(await split(first, 'h1')).toMatchObject({ status: 409 });
    const [inSecond] = await hostsOf(second);
    const foreign = await callApi('POST', `${nodePath(first)}/split`, { nodeId: inSecond!.nodeId });
    expect(foreign.data).toMatchObject({ invalidParams: [{ name: 'nodeId' }] });
    await merge(second, third);
    const [early] = await decisionsOf(second);
    await merge(first, second);
    expect(await undo(first, early!.decisionId)).toMatchObject({ status: 404 });
    const viewer = server!.transportAs('guest');
    expect((await createApiCall(viewer)('POST', `${nodePath(first)}/merge`, {})).status).toBe(401);
    expect(await groups()).toEqual(['h1+h2+h3']);
    const [late] = await decisionsOf(first);
    await undo(first, late!.decisionId);
    expect(await groups()).toEqual(['h1', 'h2+h3']);
    await undo(second, early!.decisionId);
    expect(await groups()).toEqual(['h1', 'h2', 'h3']);
  });

  test('deleting a network deletes its decisions', async () => {
    await scan('1 mac=1', '2 mac=2');
    await merge(await named('h1'), await named('h2'));
    expect(await callApi('DELETE', site.path)).toMatchObject({ status: 200 });
    for (const table of ['node_decision', 'managed_node_device', 'managed_node_signature']) {
      const { rows } = await server!.services.database.query(`select 1 from ${table} where network_id = $1`, [
        site.networkId,
      ]);
      expect(rows, table).toEqual([]);
    }
  });

  test('at random: no scan undoes a decision, and no host is in two nodes or in none', async () => {
    const random = seededRandom('decisions');
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const pool = [
      '1 mac=1',
      '2 mac=1',
      '3 mac=2',
      '4 mac=2 serial=x',
      '5 mac=3 serial=x',
      '6 mac=3 serial=y',
    ];
    let found = 0;
    for (let round = 0; round < 12; round++) {
      const seen = pool.filter(() => random() < 0.7);
      await scan(...seen);
      found += seen.length;
      const before = await groups();
      await scan(...seen);
      found += seen.length;
      expect(await groups(), `round ${round}: the same scan again`).toEqual(before);
      const nodes = await site.nodes();
      const node = pick(nodes);
      const roll = random();
      if (roll < 0.4 && nodes.length > 1) {
        const other = pick(nodes.filter((one) => one !== node));
        expect(await merge(node, other)).toMatchObject({ status: 200 });
      } else if (roll < 0.8) {
        const { status } = await split(node, String(pick(await hostsOf(node)).displayName));
        expect([200, 409]).toContain(status);
      } else {
        const [decision] = await decisionsOf(node);
        if (decision) expect([200, 409]).toContain((await undo(node, decision.decisionId)).status);
      }
      const decided = await groups();
      await scan(...pool.filter((text) => decided.join('+').includes(`h${text[0]}`)));
      found += pool.filter((text) => decided.join('+').includes(`h${text[0]}`)).length;
      expect(await groups(), `round ${round}: after the decision`).toEqual(decided);
      const all = await Promise.all((await site.nodes()).map(hostsOf));
      expect(all.flat()).toHaveLength(found);
      expect(all.every((hosts) => hosts.length > 0)).toBe(true);
    }
  });
});
