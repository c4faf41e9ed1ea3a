// A network with an agent for scan tests: the test handles the orders and sends the agent's messages.
import type { AgentMessageInput, ScannedHostInput, ServerMessage } from '@yagura/core/ksocket/agent-protocol';
import { connectAgent, type TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { expect } from 'vitest';
import type { ApiCall } from './api-request.ts';
import type { TestServer } from './test-server.ts';

export type Item = Record<string, unknown>;

/** A host with a unique serial number. */
export function host(serial: string, more: Partial<ScannedHostInput> = {}): ScannedHostInput {
  return {
    addresses: [{ addr: '10.1.0.1', hostnames: [{ hostname: `${serial}.example` }] }],
    system: { family: 'Linux', version: '1', serial },
    ...more,
  } as ScannedHostInput;
}

export interface ScanSite {
  networkId: string;
  ksocketSlotId: string;
  token: string;
  /** Path of the network. */
  path: string;
  /** Connects the agent; `scanning` lists the snapshots it reports as in progress. */
  connect(scanning?: string[], version2?: { capabilities: string[]; clock?: string }): Promise<TestAgent>;
  /** Requests a scan; returns the task, which may have been rejected. */
  request(): Promise<Item>;
  /** Requests a scan and waits until the agent is ordered to run it; returns the snapshot's id. */
  begin(agent: TestAgent): Promise<{ taskId: string; snapshotId: string }>;
  /** Ends a scan as its agent, and waits until the hosts are merged and indexed. */
  finish(agent: TestAgent, snapshotId: string, chunks: number): Promise<void>;
  /** Runs a complete scan that finds these hosts, in chunks of one. */
  scan(agent: TestAgent, hosts: readonly ScannedHostInput[]): Promise<string>;
  snapshot(snapshotId: string): Promise<Item>;
  nodes(): Promise<Item[]>;
}

let count = 0;

/** Sends a message and returns the server's next message. */
export function sendAsAgent(agent: TestAgent, message: AgentMessageInput): Promise<ServerMessage> {
  agent.send(message);
  return agent.nextMessage();
}

/** Creates a slot with its token and a network scanned through it. */
export async function makeScanSite(server: TestServer, callApi: ApiCall): Promise<ScanSite> {
  const displayName = `site ${++count}`;
  const make = async (path: string, body: Item) => {
    const reply = await callApi('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  };
  const { ksocketSlotId } = await make('/api/ksocket/slots', { displayName });
  const { token } = await make(`/api/ksocket/slots/${ksocketSlotId}/tokens`, { displayName });
  const { networkId } = await make('/api/apps/sonar/networks', { displayName, ksocketSlotId });
  const path = `/api/apps/sonar/networks/${networkId}`;
  const site: ScanSite = {
    networkId: networkId!,
    ksocketSlotId: ksocketSlotId!,
    token: token!,
    path,
    async connect(scanning = [], version2 = undefined) {
      const agent = await connectAgent({ origin: server.origin, token: token!, scanning, ...version2 });
      if (version2) expect(await agent.nextMessage()).toMatchObject({ type: 'welcome', protocol: 2 });
      await expect
        .poll(async () => {
          const { rows } = await server.services.database.query(
            'select 1 from ksocket_connection where ksocket_slot_id = $1 and agent_version is not null',
            [ksocketSlotId],
          );
          return rows.length;
        })
        .toBe(1);
      await server.services.ksocket.idle();
      return agent;
    },
    async request() {
      return make('/api/tasks', { namespace: 'sonar', method: 'scan', params: { networkId } } as Item);
    },
    async begin(agent) {
      const { taskId, snapshotId } = (await site.request()) as Record<string, string>;
      expect(await agent.nextMessage()).toMatchObject({ type: 'scan', snapshotId });
      return { taskId: taskId!, snapshotId: snapshotId! };
    },
    async finish(agent, snapshotId, chunks) {
      expect(await sendAsAgent(agent, { type: 'done', snapshotId, chunks })).toEqual({
        type: 'closed',
        snapshotId,
      });
      await server.services.ksocket.idle();
      await server.services.scans.idle();
    },
    async scan(agent, hosts) {
      const { snapshotId } = await site.begin(agent);
      for (const [chunk, one] of hosts.entries())
        expect(await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk, hosts: [one] })).toMatchObject({
          type: 'stored',
          chunk,
        });
      await site.finish(agent, snapshotId, hosts.length);
      return snapshotId;
    },
    async snapshot(snapshotId) {
      const reply = await callApi('GET', `${path}/snapshots/${snapshotId}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.data as Item;
    },
    async nodes() {
      const reply = await callApi('GET', `${path}/managed-nodes?limit=1000&sort=displayName`);
      return (reply.data as { items: Item[] }).items;
    },
  };
  return site;
}
