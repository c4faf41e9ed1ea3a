// The loader of a managed node's page: destinations that have the address of the node.
import { expect, test } from 'vitest';
import { signedInArgs } from '../../signin/test/signed-in-args.ts';
import { loader } from './managed-node.tsx';

const networkId = '01a1fea7-056f-700d-b199-539c2daf0001';
const managedNodeId = '01a1fea7-056f-700d-b199-539c2daf0002';
const destinationId = '01a1fea7-056f-700d-b199-539c2daf0003';
const network = `/api/apps/sonar/networks/${networkId}`;
const destinations = '/api/apps/greac/destinations';
const node = { managedNodeId, networkId, displayName: 'db & backup', addr: '192.0.2.1' as string | null };
const found = { destinationId, displayName: 'Database', host: '192.0.2.1' };
const toDestination = {
  name: 'Database',
  to: `/apps/greac/destinations/${destinationId}?remarks=Opened+for+node+db+%26+backup`,
};

interface Visit {
  permissions?: string[];
  addr?: string | null;
  listed?: object[];
  destinationStatus?: number;
}

/** What the page offers, and the requests for destinations that it has made. */
async function visit({
  permissions = ['sonar:*:*', 'greac:destinations:list', 'greac:sessions:create'],
  addr = node.addr,
  listed = [found],
  destinationStatus = 200,
}: Visit = {}) {
  const asked: URL[] = [];
  const replies: Record<string, unknown> = {
    [network]: { networkId, displayName: 'Office' },
    [`${network}/managed-nodes/${managedNodeId}`]: { ...node, addr },
    '/api/internal/profile': { privileged: false, roles: ['visitor'] },
    '/api/internal/apps/policy/role-map': { visitor: permissions },
  };
  const fetch = async (address: string) => {
    const url = new URL(address);
    if (url.pathname === destinations) {
      asked.push(url);
      if (destinationStatus !== 200)
        return Response.json({ title: 'Forbidden' }, { status: destinationStatus });
      return Response.json({ items: listed, total: listed.length, limit: 50, offset: 0 });
    }
    const reply = replies[url.pathname];
    return reply ? Response.json(reply) : Response.json({ title: 'Not found' }, { status: 404 });
  };
  const address = `/apps/sonar/networks/${networkId}/managed-nodes/${managedNodeId}`;
  const data = await loader(await signedInArgs({ fetch, address, params: { networkId, managedNodeId } }));
  expect(data.item.displayName).toBe('db & backup');
  return { offered: data.destinations, asked };
}

test('a destination with the address of the node is offered, with the node as remarks', async () => {
  const { offered, asked } = await visit();
  expect(offered).toEqual([toDestination]);
  expect(asked).toHaveLength(1);
  expect(asked[0]!.searchParams.get('filter')).toContain('192.0.2.1');
});

test('a destination that only contains the address is not offered', async () => {
  const others = ['192.0.2.1.192.0.2.1', '192.0.2.1x192.0.2.1'].map((host) => ({ ...found, host }));
  expect((await visit({ listed: others })).offered).toEqual([]);
});

test('a node without an address has no destination', async () => {
  expect(await visit({ addr: null })).toEqual({ offered: [], asked: [] });
});

test.each([
  ['list destinations', ['sonar:*:*', 'greac:sessions:create']],
  ['open sessions', ['sonar:*:*', 'greac:destinations:list']],
])('a user who may not %s is offered none', async (_what, permissions) => {
  expect(await visit({ permissions })).toEqual({ offered: [], asked: [] });
});

test('the page works when the server refuses the destinations', async () => {
  expect((await visit({ destinationStatus: 403 })).offered).toEqual([]);
});
