// Items below one parent cannot be read, changed or deleted through another parent, by any call of any
// resource.
import { resources } from '@yagura/core/all';
import type { Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, editMethods, fillPath, type Verb } from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { createItem, type Fixtures, inputs, seedFixtures } from '../support/seed-fixtures.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let here: Fixtures;
  let there: Fixtures;
  let caller: Transport;
  let callApi: ApiCall;

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    here = await seedFixtures(server, 'here');
    there = await seedFixtures(server, 'there');
    caller = transportForAllCalls(server.transportAs('privileged'), () => server!.signedIn('privileged'));
    callApi = createApiCall(caller);
  }, 120_000);
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const parentIdOf = (resource: AnyResource) => resources.find((one) => one.name === resource.parent)!.id;
  /**
   * Skips resources without items here: the seed data has only Linux hosts, and the price plan is the same
   * for every contract.
   */
  const left = ['ticket', 'node-windows-update', 'managed-node-windows-update'];
  const held = resources.filter(
    ({ name, parent, singleton }) => parent && !singleton && !left.includes(name),
  );

  test('there is something to look under', () => {
    expect(held.length).toBeGreaterThan(10);
    for (const resource of held) {
      const parent = parentIdOf(resource);
      expect(here.params, resource.name).toHaveProperty(parent);
      expect(there.params[parent], resource.name).not.toBe(here.params[parent]);
    }
  });

  /** The id of an item below its own parent. */
  async function ownId(resource: AnyResource): Promise<string> {
    if (!resource.verbs.includes('list')) return here.params[resource.id]!;
    const { items } = (await callApi('GET', fillPath(resource.path, here.params))).data as { items: Item[] };
    const known = items.find((item) => item[resource.id] === here.params[resource.id]) ?? items[0];
    const made = known ?? (await createItem(caller, resource, 'crossed', here.params));
    return String(made[resource.id]);
  }

  test.each(held)('$name', async (resource) => {
    const own = await ownId(resource);
    const parent = parentIdOf(resource);
    const crossed = { ...here.params, [parent]: there.params[parent]! };
    const itemOf = (pathParams: PathParams) =>
      fillPath(resource.itemPath, { ...pathParams, [resource.id]: own });
    const has = (verb: Verb) => resource.verbs.includes(verb);
    const before = has('show') ? await callApi('GET', itemOf(here.params)) : undefined;
    if (before) expect(before.status, before.text).toBe(200);
    const listed = async () =>
      has('list')
        ? (await callApi('GET', `${fillPath(resource.path, here.params)}?limit=1000`)).data
        : undefined;
    const wholeBefore = await listed();
    // Items identified by name may exist below both parents; those with an id may not.
    if (/^[0-9a-f-]{36}$/.test(own)) {
      if (has('list')) {
        const reply = await callApi('GET', `${fillPath(resource.path, crossed)}?limit=1000`);
        const items = reply.status === 404 ? [] : (reply.data as { items: Item[] }).items;
        expect(items.map((item) => item[resource.id])).not.toContain(own);
      }
      const input = inputs[resource.name]?.('crossed', here.params);
      const calls: { method: string; suffix: string; body?: unknown; allowed: number[] }[] = [
        ...(has('show') ? [{ method: 'GET', suffix: '', allowed: [404] }] : []),
        ...(has('edit')
          ? editMethods(resource).map((method) => ({ method, suffix: '', body: input, allowed: [404] }))
          : []),
        ...(has('remove') ? [{ method: 'DELETE', suffix: '', allowed: [404] }] : []),
        // A call may reject its empty body before it looks up the item.
        ...Object.values(resource.calls)
          .filter((call) => call.on === 'item')
          .map(({ method, path, body }) => ({
            method,
            suffix: path,
            ...(body ? { body: {} } : {}),
            allowed: body ? [400, 404] : [404],
          })),
      ];
      for (const { method, suffix, body, allowed } of calls) {
        const reply = await callApi(method, itemOf(crossed) + suffix, body);
        expect(allowed, `${method} ${resource.name}${suffix}: ${reply.text}`).toContain(reply.status);
      }
    }
    if (before) expect((await callApi('GET', itemOf(here.params))).data).toEqual(before.data);
    expect(await listed()).toEqual(wholeBefore);
  });
});
