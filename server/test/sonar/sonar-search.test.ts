// The SQL search matches core's in-memory search, on random nodes and queries, on both database engines.

import type { Page } from '@yagura/core/http/page';
import { send } from '@yagura/core/http/transport';
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import { parseSearch } from '@yagura/core/query/search';
import { matchesSearch } from '@yagura/core/query/search-match';
import { defaultFields, searchValues } from '@yagura/core/sonar/search-values';
import { seededRandom } from '@yagura/fixtures/samples/seeded-random';
import { siteHosts } from '@yagura/fixtures/testbed/site-hosts';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown> & { managedNodeId: string };

/** The searchable fields of a node as a plain row. */
function rowOf(item: Item, packages: unknown[], hotfixIds: string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {
    networkId: item.networkId,
    managedNodeId: item.managedNodeId,
    state: item.state,
    addresses: item.numberOfAddresses,
    packages: item.numberOfPackages,
    hotfixes: item.numberOfWindowsUpdates,
    firstSeenAt: item.firstSeenAt,
    lastScanSucceededAt: item.lastScanSucceededAt,
    package: packages,
  };
  const values = searchValues({
    displayName: String(item.displayName),
    remarks: String(item.remarks),
    vendor: String(item.vendor),
    inventory: item as unknown as HostInventory,
    tags: item.tags as Record<string, string>,
    hotfixIds,
  });
  for (const [field, value] of values) row[field] = [...((row[field] as string[] | undefined) ?? []), value];
  return row;
}

const terms = [
  'web',
  'WEB',
  'sw001*',
  '10.20.0.1',
  '10.20.0.0/26',
  '10.20.0.1*',
  'mac:00*',
  'addr:10.20.0.7',
  'addr:[10.20.0.3 TO 10.20.0.20]',
  'addr:{10.20.0.3 TO 10.20.0.20}',
  'addr:>10.20.0.15',
  'name:*.example.jp',
  'name:??00*',
  'vendor:"Dell Inc."',
  'vendor:cisco*',
  'family:linux',
  'family:*',
  'serial:*',
  'type:printer',
  'port:>1000',
  'port:[22 TO 80]',
  'service:ssh',
  'state:new',
  'state:stable',
  'packages:>5',
  'packages:0',
  'firstSeenAt:>2020-01-01',
  'lastScanSucceededAt:<2020-01-01',
  'package:openssl',
  'package:openssl<1.2',
  'package:lib*>=2.1.0',
  'package:nginx',
  'tag.env:prod',
  'tag.env:*',
  'tag.owner:"Team É"',
  'hotfix:KB50*',
  'hotfixes:>3',
  'version:*22*',
  'name:>m',
  'ifname:Gi1/0/1',
  'model:c9300*',
  'subnet:10.20.0.0/24',
  'subnet:10.20.0.0/16',
  'subnet:10.20.0.0/25',
  'subnet:"10.20.0.0/24"',
  'route:10.0.0.0/8',
  'route:10.20.0.0/25',
  'route:"0.0.0.0/0"',
  'route:fd00::/8',
  'gateway:10.20.0.1',
  'process:nginx',
  'port:5432',
  'port:9100',
  'openssl',
  '*',
  'name:"100%"',
  'name:a_b',
  'addr:fe80::/10',
  '2001:db8::1',
];

function randomQuery(random: () => number, depth = 0): string {
  const pick = random();
  if (depth > 2 || pick < 0.45) return terms[Math.floor(random() * terms.length)]!;
  if (pick < 0.6) return `NOT ${randomQuery(random, depth + 1)}`;
  return `(${randomQuery(random, depth + 1)} ${pick < 0.8 ? 'AND' : 'OR'} ${randomQuery(random, depth + 1)})`;
}

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let networkId: string;
  let rows: Record<string, unknown>[] = [];

  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await send<T>(server!.transportAs('privileged'), { method, path, body })).data;
  const search = async (query: string) => {
    const found: string[] = [];
    for (let offset = 0; ; offset += 50) {
      const page = await call<Page<Item>>('POST', `/api/apps/sonar/search/managed-nodes?offset=${offset}`, {
        query,
      });
      found.push(...page.items.map((item) => item.managedNodeId));
      if (found.length >= page.total) return found.sort();
    }
  };

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    const slot = await call<Item>('POST', '/api/ksocket/slots', { displayName: 'site' });
    const token = await call<Item>('POST', `/api/ksocket/slots/${slot.ksocketSlotId as string}/tokens`, {
      displayName: 'one',
    });
    const network = await call<Item>('POST', '/api/apps/sonar/networks', {
      displayName: 'site',
      ksocketSlotId: slot.ksocketSlotId,
    });
    networkId = network.networkId as string;
    const agent = await connectAgent({
      origin: server.origin,
      token: token.token as string,
      scan: () => siteHosts({ seed: 'search', count: 80 }),
    });
    await server.settled();
    await call('POST', '/api/tasks', { namespace: 'sonar', method: 'scan', params: { networkId } });
    await server.settled();
    await agent.close();
    const base = `/api/apps/sonar/networks/${networkId}/managed-nodes`;
    const { items } = await call<Page<Item>>('GET', `${base}?limit=1000`);
    for (const [index, name] of ['100%', 'a_b', 'axb'].entries()) {
      await call('PUT', `${base}/${items[index]!.managedNodeId}`, { displayName: name, remarks: 'moved' });
      await call('PUT', `${base}/${items[index]!.managedNodeId}/tags`, {
        tags: { env: ['prod', 'Prod', 'test'][index], owner: 'team é' },
      });
    }
    const after = (await call<Page<Item>>('GET', `${base}?limit=1000`)).items;
    rows = await Promise.all(
      after.map(async (item) => {
        const [packages, updates] = await Promise.all([
          call<Page<unknown>>('GET', `${base}/${item.managedNodeId}/packages?limit=1000`),
          call<Page<{ hotfixId: string }>>('GET', `${base}/${item.managedNodeId}/windows-updates?limit=1000`),
        ]);
        return rowOf(
          item,
          packages.items as unknown[],
          updates.items.map((one) => one.hotfixId),
        );
      }),
    );
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const expected = (query: string) => {
    const tree = parseSearch(query);
    return rows
      .filter((row) => matchesSearch(tree, row, defaultFields))
      .map((row) => row.managedNodeId as string)
      .sort();
  };

  test('finds for each kind of term what the match in memory finds', async () => {
    expect(rows.length).toBeGreaterThan(60);
    for (const query of terms) expect(await search(query), query).toEqual(expected(query));
    expect(expected('package:openssl<1.2')).not.toEqual(expected('package:openssl'));
  });

  test('finds for random queries what the match in memory finds', async () => {
    const random = seededRandom('queries');
    for (let number = 0; number < 100; number++) {
      const query = randomQuery(random);
      expect(await search(query), query).toEqual(expected(query));
    }
  });

  test('a network whose scans were set goes with their settings', async () => {
    const made = await call<Item>('POST', '/api/apps/sonar/networks', { displayName: 'gone soon' });
    const path = `/api/apps/sonar/networks/${made.networkId as string}`;
    await call('PUT', `${path}/scan-settings`, { enabled: true, seeds: ['192.0.2.0/28'] });
    const callApi = createApiCall(server!.transportAs('privileged'));
    expect((await callApi('DELETE', path)).status).toBe(200);
    expect((await callApi('GET', `${path}/scan-settings`)).status).toBe(404);
  });

  test('takes the id of a network and a query of the person', async () => {
    expect(await search(`${networkId} AND (web)`)).toEqual(expected('web'));
    expect(await search('0190a0a0-0000-7000-8000-000000000000 AND (web)')).toEqual([]);
  });

  test.each([
    ['addr:', 'character 6'],
    ['(web', 'character 5'],
    ['addr:10.0.0.0/40', 'character 6'],
    ['colour:red', 'colour'],
    ['web \u0000', 'NUL'],
  ])('refuses %j and says where', async (query, told) => {
    const reply = await createApiCall(server!.transportAs('privileged'))(
      'POST',
      '/api/apps/sonar/search/managed-nodes',
      {
        query,
      },
    );
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.data).toMatchObject({
      invalidParams: [{ name: 'query', reason: expect.stringContaining(told) }],
    });
  });
});
