// Sonar and Ksocket, as the tests of every resource need them.
import { send } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { connectAgent } from '@yagura/fixtures/lab/agent';
import { siteHosts } from '@yagura/fixtures/lab/hosts';
import type { Body, Example } from './example.ts';

const read = [
  'network',
  'managed-node',
  'managed-node-package',
  'managed-node-windows-update',
  'managed-node-snapshot',
  'managed-node-tags',
  'managed-node-note',
  'snapshot',
  'node',
  'node-package',
  'node-windows-update',
  'tag-key',
  'tag-value',
];
const everything = [
  ...read,
  'managed-node-search',
  'diagram',
  'layer2-diagram',
  'scan-settings',
  'scan-notification',
  'ksocket-slot',
  'ksocket-token',
];
const ofScans = 'scans make it; its test lays a network of its own';

export const sonar: Example = {
  inputs: {
    network: (label) => ({
      displayName: label,
      remarks: `about ${label}`,
      configuration: { newDays: 7, outdatedDays: 30 },
      ksocketSlotId: null,
    }),
    'managed-node': (label) => ({ displayName: label, remarks: `about ${label}` }),
    'managed-node-tags': (label) => ({ tags: { env: label } }),
    'managed-node-note': (label) => ({ title: label, body: `about ${label}` }),
    'scan-settings': () => ({
      enabled: true,
      seeds: ['10.20.0.0/24'],
      allowed: [],
      forbidden: ['10.20.0.1'],
      perKsocket: [],
    }),
    'scan-notification': (label) => ({
      displayName: label,
      kind: 'webhook',
      disabled: true,
      events: ['scan:succeeded', 'node:found'],
      emails: [],
      webhook: { url: 'http://127.0.0.1:9/hook', headers: {} },
    }),
    'ksocket-slot': (label) => ({ displayName: label, remarks: `about ${label}` }),
    'ksocket-token': (label) => ({ displayName: label, expiresAt: null }),
  },
  /** Three scans of a network of thirty hosts, brought by an agent. */
  async seed(server, label) {
    const transport = server.as('privileged');
    const call = async <T = Body>(method: string, path: string, body?: unknown) =>
      (await send<T>(transport, { method, path, body })).data;
    const create = (path: string, name: string, pathParams: PathParams = {}) =>
      call('POST', path, sonar.inputs[name]!(label, pathParams));
    const slot = await create('/api/ksocket/slots', 'ksocket-slot');
    const pathParams: PathParams = { ksocketSlotId: slot.ksocketSlotId as string };
    const token = await create(`/api/ksocket/slots/${pathParams.ksocketSlotId}/tokens`, 'ksocket-token');
    const network = await call('POST', '/api/apps/sonar/networks', {
      ...sonar.inputs.network!(label, pathParams),
      ksocketSlotId: pathParams.ksocketSlotId,
    });
    const base = `/api/apps/sonar/networks/${network.networkId as string}`;
    const setting = await create(`${base}/notification-settings`, 'scan-notification');
    let scan = 0;
    const agent = await connectAgent({
      origin: server.origin,
      token: token.token as string,
      chunk: 10,
      scan: () => siteHosts({ seed: label, count: 30, scan: scan++ }),
    });
    await server.settled();
    for (let number = 0; number < 3; number++) {
      await call('POST', '/api/tasks', {
        namespace: 'sonar',
        method: 'scan',
        params: { networkId: network.networkId },
      });
      await server.settled();
    }
    await agent.close();
    const first = async (path: string, query = '') =>
      (await call<{ items: Body[] }>('GET', `${base}/${path}${query}`)).items;
    const nodes = await first('managed-nodes', '?limit=100');
    for (const [index, one] of nodes.slice(0, 3).entries()) {
      await call('PUT', `${base}/managed-nodes/${one.managedNodeId as string}/tags`, {
        tags: { env: ['prod', 'test', 'lab'][index]!, owner: `team ${index}`, rack: `r${index}` },
      });
    }
    const linux = nodes.find((one) => (one.numberOfPackages as number) > 2)!;
    const [node] = await first(`managed-nodes/${linux.managedNodeId as string}/snapshots`);
    return {
      ...pathParams,
      ksocketTokenId: token.ksocketTokenId as string,
      networkId: network.networkId as string,
      notificationSettingId: setting.notificationSettingId as string,
      managedNodeId: linux.managedNodeId as string,
      snapshotId: node!.snapshotId as string,
      nodeId: node!.nodeId as string,
      key: 'env',
      value: 'prod',
    };
  },
  permissions: {
    'sonar:viewer': { list: read, show: read, calls: ['managed-node-search', 'diagram', 'layer2-diagram'] },
    'sonar:administrator': {
      list: everything,
      show: everything,
      create: everything,
      edit: everything,
      remove: everything,
      calls: everything,
    },
  },
  tables: ['ksocket_token', 'snapshot', 'snapshot_node', 'managed_node', 'managed_node_tag'],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into ksocket_token (ksocket_token_id, space_id, ksocket_slot_id, display_name, token_hash, created_at, updated_at)
       values ($1, $2, $3, $5, '\\x02', $4, $4)`,
      [ids.ksocketTokenId, spaceId, ids.ksocketSlotId, now, secret],
    );
    await database.query(
      `insert into snapshot (snapshot_id, space_id, network_id, status, reason, settings, heard_at, created_at, updated_at)
       values ($1, $2, $3, 'succeeded', $5, '{}', $4, $4, $4)`,
      [ids.snapshotId, spaceId, ids.networkId, now, secret],
    );
    const described = `display_name, system_family, system_version, system_serial, vendor, facts, number_of_addresses,
      number_of_packages, number_of_windows_updates, windows_updates, created_at`;
    const values = `$5, '', '', '', '', '{}', 0, 0, 0, '[{"hotfixId":"otherwise unseen"}]', $4`;
    await database.query(
      `insert into snapshot_node (node_id, space_id, network_id, ${described}, snapshot_id, chunk, place, signatures, packages)
       values ($1, $2, $3, ${values}, $6, 0, 0, '[]', '[{"name":"otherwise unseen"}]')`,
      [ids.nodeId, spaceId, ids.networkId, now, secret, ids.snapshotId],
    );
    await database.query(
      `insert into managed_node (managed_node_id, space_id, network_id, ${described}, first_seen_at, last_seen_at, updated_at)
       values ($1, $2, $3, ${values}, $4, $4, $4)`,
      [ids.managedNodeId, spaceId, ids.networkId, now, secret],
    );
    await database.query(
      `insert into managed_node_tag (space_id, network_id, managed_node_id, key, value) values ($1, $2, $3, 'default', $4)`,
      [spaceId, ids.networkId, ids.managedNodeId, secret],
    );
  },
  ownTest: {
    'managed-node.edit': ofScans,
    'managed-node.remove': ofScans,
    'managed-node-tags.edit': ofScans,
    'managed-node-note.edit': 'no call shows one note',
    'scan-settings.edit': 'its id is its network',
    'snapshot.remove': ofScans,
    'managed-node-windows-update.list': 'the ground names a Linux host',
    'node-windows-update.list': 'the ground names a Linux host',
    'ksocket-token.list': 'a Ksocket has two tokens at most',
    'ksocket-token.create': 'a Ksocket has two tokens at most',
    'ksocket-token.remove': 'a Ksocket has two tokens at most',
  },
};
