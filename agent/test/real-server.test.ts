// The agent and the real server: a scan of loopback addresses from the order to the managed node.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../../server/test/support/api-request.ts';
import { type Item, makeScanSite, type ScanSite } from '../../server/test/support/scan-site.ts';
import { startTestServer, storeKinds, type TestServer } from '../../server/test/support/test-server.ts';
import { startAgentUnderTest } from './agent-under-test.ts';
import { runAgent } from './run-agent.ts';
import { type SshHost, startSshHost } from './ssh-host.ts';
import { testCredential } from './test-credential.ts';
import { writeAgentFiles } from './write-agent-files.ts';

let server: TestServer | null;
let callApi: ApiCall;
let site: ScanSite;
let sshHost: SshHost;
beforeAll(async () => {
  server = await startTestServer({ engine: storeKinds[0]! });
  callApi = createApiCall(server!.transportAs('privileged'));
  site = await makeScanSite(server!, callApi);
  sshHost = await startSshHost();
});
afterAll(async () => {
  await sshHost?.close();
  await server?.stop();
});

/** A scan takes a second alone, and longer beside other tests. */
const within = { timeout: 60_000 };

const get = async (path: string) => (await callApi('GET', path)).data as Item;
async function scanOnce(password: string): Promise<Item> {
  const agent = startAgentUnderTest(server!.origin, {
    allowed: ['127.0.0.0/30'],
    scan: { ports: [sshHost.port] },
    credentials: [testCredential('ssh/linux.toml', sshHost.port, password)],
    readToken: async () => site.token,
  });
  try {
    const slot = () => get(`/api/ksocket/slots/${site.ksocketSlotId}`);
    await expect.poll(slot, within).toMatchObject({ agentState: 'current', agentProtocol: 2 });
    const { snapshotId } = await site.request();
    await expect.poll(() => site.snapshot(String(snapshotId)), within).toMatchObject({ status: 'succeeded' });
    return await site.snapshot(String(snapshotId));
  } finally {
    await agent.stop();
  }
}

test('a scan gives managed nodes, twice the same, and a failed sign-in takes nothing away', {
  timeout: 180_000,
}, async () => {
  const settings = {
    enabled: true,
    seeds: ['127.0.0.1', '10.99.0.0/24'],
    allowed: [],
    forbidden: [],
    perKsocket: [],
  };
  expect((await callApi('PUT', `${site.path}/scan-settings`, settings)).status).toBe(200);
  await scanOnce('right');
  const [node, ...others] = await site.nodes();
  expect(others).toEqual([]);
  const path = `${site.path}/managed-nodes/${node!.managedNodeId}`;
  const read = await get(path);
  expect(read).toMatchObject({
    addresses: [{ addr: '127.0.0.1', services: [{ port: sshHost.port, proto: 'tcp' }] }],
    system: { family: expect.stringMatching(/./) },
    extraFields: { kernel: { name: 'Linux' } },
  });
  const { interfaces, listening, routes } = read;
  expect((listening as Item[]).some(({ port }) => port === sshHost.port)).toBe(true);

  await scanOnce('right');
  expect((await site.nodes()).map(({ managedNodeId }) => managedNodeId)).toEqual([node!.managedNodeId]);

  await scanOnce('wrong');
  const after = (await site.nodes()).filter(({ managedNodeId }) => managedNodeId === node!.managedNodeId);
  expect(after).toHaveLength(1);
  expect(await get(path)).toMatchObject({ interfaces, routes, system: read.system });
});

test('doctor accepts the token without disturbing a running agent', { timeout: 60_000 }, async () => {
  const agent = startAgentUnderTest(server!.origin, { readToken: async () => site.token });
  const files = writeAgentFiles(`url = "${server!.origin}"\n`, site.token);
  try {
    const slot = () => get(`/api/ksocket/slots/${site.ksocketSlotId}/connected`);
    await expect.poll(slot, within).toMatchObject({ connected: true });
    const { code, stdout } = await runAgent(['doctor', '--settings', files.settings, '--json']);
    expect({ code, states: JSON.parse(stdout).map(({ check, state }: Item) => `${check} ${state}`) }).toEqual(
      {
        code: 0,
        states: ['settings good', 'reach good', 'clock good', 'token good'],
      },
    );
    expect(agent.lines.filter(({ message }) => message === 'not connected')).toEqual([]);
    const wrong = writeAgentFiles(`url = "${server!.origin}"\n`, `kst_${'x'.repeat(43)}`);
    const refused = await runAgent(['doctor', '--settings', wrong.settings]);
    wrong.remove();
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('HTTP 401') });
  } finally {
    files.remove();
    await agent.stop();
  }
});
