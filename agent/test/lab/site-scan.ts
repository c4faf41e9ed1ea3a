// A real server, the lab, and a real agent in it: scans are ordered and read through the API.
import { type CredentialFile, writeCredentialFile } from '@yagura/core/ksocket/credential-file';
import { type DaemonSite, openDaemonSite } from '@yagura/fixtures/lab/site/lab-site';
import { expect } from 'vitest';
import { type ApiCall, createApiCall } from '../../../server/test/support/api-request.ts';
import { type Item, makeScanSite, type ScanSite } from '../../../server/test/support/scan-site.ts';
import { startTestServer, storeKinds, type TestServer } from '../../../server/test/support/test-server.ts';
import { openServerLink, type ServerLink } from './server-link.ts';
import { prepareSiteAgent, type SiteAgent } from './site-agent.ts';

/** Everything the routers lead to; the last two are forbidden by the site's own settings. */
const seeds = [
  ...['10.77.1.0/24', '10.77.2.0/28', '10.77.12.0/30', '10.77.23.0/30', '10.77.31.0/30'],
  ...['10.77.3.0/28'],
];

/** A scan of the lab takes a few seconds alone, and longer beside other tests. */
export const within = { timeout: 60_000, interval: 100 };

export interface LabScan {
  site: DaemonSite;
  server: TestServer;
  link: ServerLink;
  agent: SiteAgent;
  scanSite: ScanSite;
  get(path: string): Promise<Item>;
  list(path: string): Promise<Item[]>;
  /** Orders a scan and returns the id of its snapshot. */
  order(): Promise<string>;
  /** Waits for the end of a scan. */
  finish(snapshotId: string): Promise<Item>;
  /** Managed nodes with all their data, by the name of the namespace that has their first address. */
  nodesByName(): Promise<Record<string, Item>>;
  /** Elements of the layer 2 diagram. */
  layer2(): Promise<Item>;
  close(): Promise<void>;
}

export async function openLabScan(): Promise<LabScan> {
  const site = await openDaemonSite();
  try {
    return await connectLab(site);
  } catch (error) {
    site.close();
    throw error;
  }
}

async function connectLab(site: DaemonSite): Promise<LabScan> {
  const server = (await startTestServer({ engine: storeKinds[0]! }))!;
  const callApi: ApiCall = createApiCall(server.transportAs('privileged'));
  const scanSite = await makeScanSite(server, callApi);
  const link = await openServerLink(site, 'agent', server.origin);
  const agent = prepareSiteAgent(site, {
    origin: server.origin,
    token: scanSite.token,
    scan: [
      'allowed = ["10.77.0.0/16"]',
      'forbidden = ["10.77.1.66", "10.77.3.0/28"]',
      'ports = [22, 80]',
      'packetsPerSecond = 2000',
    ].join('\n'),
    credentials: credentialFiles(site),
  });
  const get = async (path: string) => (await callApi('GET', path)).data as Item;
  const list = async (path: string) => (await get(`${path}?limit=1000`)).items as Item[];
  const settings = { enabled: true, seeds, allowed: [], forbidden: [], perKsocket: [] };
  expect((await callApi('PUT', `${scanSite.path}/scan-settings`, settings)).status).toBe(200);
  agent.start();
  const slot = () => get(`/api/ksocket/slots/${scanSite.ksocketSlotId}`);
  return {
    ...{ site, server, link, agent, scanSite, get, list },
    async order() {
      await expect.poll(slot, within).toMatchObject({ agentState: 'current', agentProtocol: 2 });
      const { snapshotId, ...task } = await scanSite.request();
      expect(task).not.toMatchObject({ status: 'rejected' });
      return String(snapshotId);
    },
    async finish(snapshotId) {
      await expect.poll(() => scanSite.snapshot(snapshotId), within).toMatchObject({ status: 'succeeded' });
      return scanSite.snapshot(snapshotId);
    },
    async nodesByName() {
      const found: Record<string, Item> = {};
      for (const { managedNodeId } of await scanSite.nodes()) {
        const node = await get(`${scanSite.path}/managed-nodes/${managedNodeId}`);
        const [first] = node.addresses as Item[];
        const name = Object.keys(site.addresses).find((one) =>
          site.addresses[one]!.includes(String(first?.addr)),
        );
        expect(found, 'one node for each host').not.toHaveProperty([String(name)]);
        found[String(name)] = node;
      }
      return found;
    },
    async layer2() {
      const path = `/api/internal/apps/sonar-scope/networks/${scanSite.networkId}/layer2/elements`;
      const reply = await createApiCall(await server.signedIn('privileged'))('POST', path, {});
      expect(reply.status, reply.text).toBe(200);
      return reply.data as Item;
    },
    async close() {
      agent.remove();
      link.close();
      await server.stop();
      site.close();
    },
  };
}

function credentialFiles({ accounts }: DaemonSite): Record<string, string> {
  const { username, password, keyFile, community, snmpUser } = accounts;
  const empty: CredentialFile = {
    ...{
      protocol: 'ssh',
      name: '',
      includes: ['10.77.0.0/16'],
      port: '',
      method: 'password',
      version: 'v2c',
    },
    ...{ username: '', password: '', keyFile: '', passphrase: '', community: '' },
    ...{ authProtocol: '', authKey: '', privProtocol: '', privKey: '' },
  };
  const files: CredentialFile[] = [
    { ...empty, name: 'by-password', username, password },
    { ...empty, name: 'key', method: 'keyFile', username, keyFile },
    { ...empty, protocol: 'snmp', name: 'community', community },
    {
      ...empty,
      ...{ protocol: 'snmp', name: 'user', version: 'v3', username: snmpUser.username },
      ...{ authProtocol: 'usmHMACSHAAuthProtocol', authKey: snmpUser.authKey },
      ...{ privProtocol: 'usmAesCfb128Protocol', privKey: snmpUser.privKey },
    },
  ];
  return Object.fromEntries(
    files.map((file) => {
      const { path, text } = writeCredentialFile(file);
      return [path, text];
    }),
  );
}
