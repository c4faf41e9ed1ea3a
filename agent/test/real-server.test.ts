// The agent and the real server: a scan of loopback addresses from the order to the managed node.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../../server/test/support/api-request.ts';
import { type Item, makeScanSite, type ScanSite } from '../../server/test/support/scan-site.ts';
import { startTestServer, storeKinds, type TestServer } from '../../server/test/support/test-server.ts';
import { startAgentUnderTest } from './agent-under-test.ts';
import { openCutLink } from './cut-link.ts';
import { runAgent, startAgent } from './run-agent.ts';
import { type SnmpDevice, startSnmpDevice } from './snmp/snmp-device.ts';
import { switchVariables } from './snmp/switch-variables.ts';
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

test('a scan loses nothing, whenever the link is cut, the agent killed or the server restarted', {
  timeout: 180_000,
}, async () => {
  const seed = 'kills';
  const random = seededRandom(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const network = '127.1.0.0/22';
  const killSite = await makeScanSite(server!, callApi);
  const settings = { enabled: true, seeds: [network], allowed: [], forbidden: [], perKsocket: [] };
  expect((await callApi('PUT', `${killSite.path}/scan-settings`, settings)).status).toBe(200);
  // Devices that are recognized; the other addresses only refuse connections.
  const devices: SnmpDevice[] = [];
  for (let block = 0; block < 4; block++)
    for (const half of [0, 128])
      devices.push(
        await startSnmpDevice({
          address: `127.1.${block}.${half + upTo(128)}`,
          ...(devices[0] ? { port: devices[0].port } : {}),
          views: {
            public: switchVariables({
              name: `sw${devices.length}`,
              mac: `00:1a:00:0b:0${devices.length}:00`,
              ports: ['Gi0/1'],
            }),
          },
        }),
      );
  const link = await openCutLink(server!.origin);
  const files = writeAgentFiles(
    `url = "${link.origin}"\ncredentials = "credentials"\n[scan]\nallowed = ["${network}"]\nports = [9]\npacketsPerSecond = 1500\nresolveNames = false\n`,
    killSite.token,
  );
  mkdirSync(join(files.folder, 'credentials/snmp'), { recursive: true, mode: 0o700 });
  const includes = devices.map(({ address }) => `"${address}"`).join(', ');
  writeFileSync(
    join(files.folder, 'credentials/snmp/a.toml'),
    `port = ${devices[0]!.port}\nincludes = [${includes}]\n[authData]\ncommunity = "public"\n`,
    { mode: 0o600 },
  );
  const run = () => startAgent(['run', '--settings', files.settings]);
  let agent = run();
  try {
    const slot = () => get(`/api/ksocket/slots/${killSite.ksocketSlotId}`);
    await expect.poll(slot, within).toMatchObject({ agentState: 'current', agentProtocol: 2 });
    const { snapshotId } = await killSite.request();
    const faults = ['link', 'agent', 'server', 'agent', 'link'] as const;
    for (const fault of [...faults].sort(() => random() - 0.5)) {
      // A message of the scan has up to 30,000 bytes.
      await link.cutAfter(100 + upTo(30_000));
      if (fault === 'agent') {
        agent.kill('SIGKILL');
        await once(agent, 'close');
        agent = run();
      } else if (fault === 'server') await server!.restart();
    }
    const ended = () => killSite.snapshot(String(snapshotId));
    await expect.poll(ended, within).toMatchObject({ status: 'succeeded' });
    const { rows } = await server!.services.database.query<{ addr: string }>(
      'select addr from snapshot_node where snapshot_id = $1',
      [snapshotId],
    );
    const addresses = rows.map(({ addr }) => addr);
    expect({ seed, found: addresses.length, different: new Set(addresses).size }).toEqual({
      ...{ seed, found: 1024, different: 1024 },
    });
    const nodes = (await killSite.nodes()).map(({ addr }) => addr);
    expect(nodes.sort()).toEqual(devices.map(({ address }) => address).sort());
  } finally {
    agent.kill('SIGKILL');
    await link.close();
    for (const device of devices) await device.close();
    files.remove();
  }
});
