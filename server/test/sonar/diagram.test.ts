// Diagrams of a scanned network: their content, the permission to move nodes, and the exact digits of
// positions.
import { send, type Transport } from '@yagura/core/http/transport';
import type { DiagramElements } from '@yagura/core/sonar/diagram/element';
import { siteHosts } from '@yagura/fixtures/testbed/site-hosts';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const internal = { 'x-requested-with': 'XMLHttpRequest' };

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let networkId: string;
  let person: Transport;
  let viewer: Transport;
  const path = (rest: string) => `/api/internal/apps/sonar-scope/networks/${networkId}/${rest}`;
  const call = async <T = Body>(method: string, to: string, body?: unknown) =>
    (await send<T>(person, { method, path: to, body })).data;
  const read = (rest: string, body: unknown = {}) => call<DiagramElements>('POST', path(rest), body);
  /** Sent as text, so that no conversion to a double changes the digits. */
  const post = async (rest: string, body: string) => {
    const headers = { ...(await person.headers?.()), ...internal, 'content-type': 'application/json' };
    const reply = await fetch(`${person.origin}${path(rest)}`, {
      method: 'POST',
      headers,
      body,
    });
    return { status: reply.status, text: await reply.text() };
  };

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    person = await server.signedIn('privileged');
    viewer = await server.signedIn(['sonar:viewer']);
    const slot = await call('POST', '/api/ksocket/slots', { displayName: 'site' });
    const token = await call('POST', `/api/ksocket/slots/${slot.ksocketSlotId as string}/tokens`, {
      displayName: 'one',
    });
    const network = await call('POST', '/api/apps/sonar/networks', {
      displayName: 'site',
      ksocketSlotId: slot.ksocketSlotId,
    });
    networkId = network.networkId as string;
    const agent = await connectAgent({
      origin: server.origin,
      token: token.token as string,
      scan: () => siteHosts({ seed: 'diagram', count: 30 }),
    });
    await server.settled();
    await call('POST', '/api/tasks', { namespace: 'sonar', method: 'scan', params: { networkId } });
    await server.settled();
    await agent.close();
  });
  afterAll(() => server?.stop());
  beforeEach((context) => {
    if (!server) context.skip();
  });

  test('shows what was found', async () => {
    const { nodes, subnets, links, total, truncated } = await read('elements');
    expect(nodes).toHaveLength(29);
    expect({ total, truncated }).toEqual({ total: 29, truncated: false });
    expect(subnets).toEqual([
      { elementId: 'subnet:10.20.0.0/24', subnet: '10.20.0.0/24', numberOfNodes: 29 },
    ]);
    expect(links).toHaveLength(29);
    const laid = await read('elements/layout');
    expect(laid.nodes.every(({ container }) => container === 'subnet:10.20.0.0/24')).toBe(true);
    const layer2 = await read('layer2/elements/layout');
    const sw = layer2.nodes.find(({ displayName }) => displayName.startsWith('sw001'))!;
    expect(sw.type).toBe('switch');
    expect(layer2.nodes.filter(({ container }) => container === sw.elementId).length).toBeGreaterThan(15);
    const one = await read('elements', { elements: [sw.elementId] });
    expect(one.nodes.map(({ elementId }) => elementId)).toEqual([sw.elementId]);
  });

  test('keeps a place digit by digit, and gives it back to the arrangement', async () => {
    const { nodes } = await read('elements/layout');
    const { elementId } = nodes[0]!;
    const move = `{"elements":[{"elementId":"${elementId}","posX":12.30000000000000000000000001,"posY":-0.50}]}`;
    const moved = await post('elements/layout', move);
    expect(moved.status, moved.text).toBe(200);
    for (const text of [moved.text, (await post('elements/layout', '{}')).text])
      expect(text).toContain('"posX":12.30000000000000000000000001,"posY":-0.50');
    expect((await post('layer2/elements/layout', '{}')).text).not.toContain('12.3000');
    const back = await read('elements/layout', { elements: [{ elementId, posX: null, posY: null }] });
    expect(back.nodes[0]).toEqual(nodes[0]);
  });

  test.each([
    ['an element that is not there', { elementId: 'node:none', posX: 1, posY: 1 }, 'elements.0.elementId'],
    ['half a place', { elementId: 'subnet:10.20.0.0/24', posX: 1, posY: null }, 'elements.0.posY'],
    ['a place too far out', { elementId: 'subnet:10.20.0.0/24', posX: 1, posY: -1e9 }, 'elements.0.posY'],
    [
      'a place that is no number',
      { elementId: 'subnet:10.20.0.0/24', posX: 'left', posY: 1 },
      'elements.0.posX',
    ],
  ])('refuses %s and moves nothing', async (_title, element, name) => {
    const before = await read('elements/layout');
    const good = { elementId: before.nodes[0]!.elementId, posX: 5, posY: 5 };
    const reply = await createApiCall(person)('POST', path('elements/layout'), {
      elements: [element, good],
    });
    expect(reply.status).toBe(400);
    expect((reply.data as { invalidParams: Body[] }).invalidParams).toMatchObject([{ name }]);
    expect(await read('elements/layout')).toEqual(before);
  });

  test('a viewer looks and moves nothing', async () => {
    const callApi = createApiCall(viewer);
    expect((await callApi('POST', path('elements/layout'), {})).status).toBe(200);
    const elements = [{ elementId: 'subnet:10.20.0.0/24', posX: 1, posY: 1 }];
    expect((await callApi('POST', path('elements/layout'), { elements })).status).toBe(403);
    const other = path('elements').replace(networkId, '0190a0a0-0000-7000-8000-000000000000');
    expect((await callApi('POST', other, {})).status).toBe(404);
  });

  test('what is written and moved of a node goes with it', async () => {
    const { nodes } = await read('elements');
    const { managedNodeId, elementId } = nodes.at(-1)!;
    const node = `/api/apps/sonar/networks/${networkId}/managed-nodes/${managedNodeId}`;
    await call('POST', `${node}/notes`, { title: 'Rack 4' });
    await read('elements/layout', { elements: [{ elementId, posX: 1, posY: 1 }] });
    await call('DELETE', node);
    const left = async (sql: string, value: string) =>
      (await server!.services.database.query(sql, [value])).rows.length;
    expect(await left('select 1 from resource where parent_id = $1', managedNodeId!)).toBe(0);
    expect(await left('select 1 from diagram_position where element_id = $1', elementId)).toBe(0);
  });
});
